import { expect, test } from 'bun:test'
import { sanitizeLines, sanitizeText } from '../../cli/output/sanitize'
import { toEventText } from '../../cli/output/timeline'
import type { TimelineEvent } from '../../sdk'
import { dataResponse } from '../sdk/stub-server'
import { runAgainst } from './shell'

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

test('a timeline is shown without what controls a terminal, also an event of a newer server', () => {
  const event = { actor_id: 7, details: {}, occurred_at: '2026-12-01T18:45:00Z' }
  const toText = (changes: object) =>
    toEventText({ ...event, ...changes } as unknown as TimelineEvent, new Map())
  expect(toText({ type: 'created', actor_name: 'Asha\u001b[2J' })).not.toContain('\u001b')
  const unknown = '  An event that this version does not know: moved '
  expect(toText({ type: 'moved\u001b', actor_id: null })).toEndWith(unknown)
})

const property = dataResponse({ id: 1, alias_name: 'White\u202eHouse\u009b', status: 'ACTIVE' })
const warned = () =>
  Response.json({
    success: true,
    data: { id: 1 },
    warnings: [{ code: 'x', message: 'White\u202eHouse\u009b' }],
  })
const signing = dataResponse({ user: { id: 1 }, signing_url: 'http://127.0.0.1:1/\u001b[31msign' })
test.each([
  ['property get 1', property],
  ['property get 1 --json', property],
  ['open signing 1', signing],
  ['agreement sign 1 --signer 1', signing],
  ['agreement renew 1 --months 12', warned],
])('a terminal gets no character that controls it: %s', async (commandLine, respond) => {
  const { screen } = await runAgainst(respond, commandLine, { replies: [], env: { NO_COLOR: '1' } })
  expect(screen).toMatch(/House|sign/)
  expect(screen).not.toMatch(/[\u001b\u202e\u009b]/)
})

test('a program gets every character of the data as JSON', async () => {
  expect((await runAgainst(property, 'property get 1')).data.alias_name).toBe('White\u202eHouse\u009b')
})
