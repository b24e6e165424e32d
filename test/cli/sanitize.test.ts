import { expect, test } from 'bun:test'
import { sanitizeLines, sanitizeText } from '../../cli/output/sanitize'
import { toEntryText } from '../../cli/commands/timeline'
import type { TimelineEntry } from '../../sdk'

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('')

test.each([
  ['control characters', range(0x00, 0x1f)],
  ['those of eight bits', range(0x7f, 0x9f)],
  ['marks of direction', '\u200e\u200f'],
  ['embeddings and overrides of direction', range(0x202a, 0x202e)],
  ['isolates of direction', range(0x2066, 0x2069)],
])('%s become blanks', (_, characters) => {
  expect(sanitizeText(`a${characters}b`)).toBe(`a${' '.repeat(characters.length)}b`)
})

test.each(['किराया', 'நாகர்', 'क्‍ष', 'na\u00efve \u00a0₹', '👩‍🔧'])('%s stays', text => {
  expect(sanitizeText(text)).toBe(text)
})

test.each([
  [null, '–'],
  [undefined, '–'],
  [0, '0'],
  [{ a: 'x\u001b' }, '{"a":"x\\u001b"}'],
])('%j is %s', (value, text) => {
  expect(sanitizeText(value)).toBe(text)
})

test('lines stay lines', () => {
  expect(sanitizeLines('a\u001b\nb\r\n')).toBe('a \nb \n')
})

test('a timeline is shown without what controls a terminal, also an entry of a newer server', () => {
  const entry = { actor_id: 7, details: {}, occurred_at: '2026-12-01T18:45:00Z' }
  const toText = (changes: object) =>
    toEntryText({ ...entry, ...changes } as unknown as TimelineEntry, new Map())
  expect(toText({ type: 'created', actor_name: 'Asha\u001b[2J' })).not.toContain('\u001b')
  const unknown = '  An entry that this version does not know: moved '
  expect(toText({ type: 'moved\u001b', actor_id: null })).toEndWith(unknown)
})
