import { expect, test } from 'bun:test'
import { toBoundedJson } from '../../../server/documents/bounded-json'
import { createChild } from '../../../server/queues/children'
import type { Task } from '../../../server/documents/child'
import { receipt, settlement, statement } from './data'

const toLines = (count: number, toText: (index: number) => string) => ({
  ...statement,
  lines: Array.from({ length: count }, (_, n) => ({ ...statement.lines[0]!, description: toText(n) })),
})
const readTexts = ({ json }: { json: string }): string[] =>
  JSON.parse(json).lines.map((line: { description: string }) => line.description)

test.each([
  ['a receipt', receipt, false],
  ['a statement of a year', toLines(40, n => `Rent, 1 Dec 2026 – 31 Dec ${2000 + n}`), false],
  ['a statement of 1,000 lines', toLines(1000, n => `किराया, 1 दिस॰ 2026 – 31 दिस॰ ${2000 + n}`), true],
  [
    'a settlement with 30 long reasons',
    { ...settlement, reasons: Array(30).fill('word '.repeat(900)) },
    true,
  ],
])('%s has each of its texts whole', (_, data, isLong) => {
  const bounded = toBoundedJson(data, 1)
  expect(JSON.parse(bounded.json)).toEqual(JSON.parse(JSON.stringify(data)))
  expect(bounded.isLong).toBe(isLong)
})

test.each([
  ['letters of many scripts', (n: number) => `${n}${'aकঅઅଅஅఅಅഅᱥꯃع'.repeat(20)}`, 40],
  ['phrases in one letter', (n: number) => `${n}${'ﷺ'.repeat(240)}`, 120],
  ['long words', (n: number) => `${n}${'W'.repeat(240)}`, 200],
])('of a long statement whose lines are %s, each is cut at its end', (_, toText, most) => {
  const texts = readTexts(toBoundedJson(toLines(1000, toText), 1))
  expect(texts).toHaveLength(1000)
  for (const [n, text] of texts.entries()) {
    expect(text).toStartWith(String(n))
    expect(text).toEndWith('…')
    expect(text.length).toBeLessThan(most)
  }
})

test('of one text that is too long the others stay, and what takes long is told', () => {
  const [long, ...others] = readTexts(
    toBoundedJson(
      toLines(50, n => (n ? `Line ${n}` : 'aع'.repeat(50_000))),
      1,
    ),
  )
  expect(long!.length).toBeLessThan(30_000)
  expect(others).toEqual(Array.from({ length: 49 }, (_, n) => `Line ${n + 1}`))
})

test('503: a task that takes too long ends with its process; what waits is done by the next one', async () => {
  const child = createChild<Task>(1000, 1500)
  const toTask = (json: string): Task => ({ kind: 'document', name: 'statement', language: 'en', json })
  const endless = toTask(JSON.stringify(toLines(20_000, n => `${n} aع`)))
  const [first, second] = await Promise.allSettled([
    child.run<Uint8Array>(endless, 'document_not_made'),
    child.run<Uint8Array>(toTask(toBoundedJson(statement, 1).json), 'document_not_made'),
  ])
  expect(first).toMatchObject({ reason: { status: 503, reason: 'document_not_made', retryAfterS: 5 } })
  expect(Buffer.from((second as PromiseFulfilledResult<Uint8Array>).value).toString('latin1', 0, 5)).toBe(
    '%PDF-',
  )
})
