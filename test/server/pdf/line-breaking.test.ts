import { expect, test } from 'bun:test'
import { breakLines } from '../../../server/pdf/line-breaking'

const style = { size: 10, weight: 'Regular', color: '#000000' } as const
const TEXT = 'The rent is due on the fifth'

const countLines = (text: string, maxWidth: number) => breakLines(text, style, maxWidth).length

test('a text that is as wide as the line stays on it', () => {
  const { width } = breakLines(TEXT, style, Infinity)[0]!
  expect(countLines(TEXT, width)).toBe(1)
  expect(countLines(TEXT, width - 0.01)).toBe(2)
})

test('a word that is as wide as the line is not split', () => {
  const { width } = breakLines('maintenance', style, Infinity)[0]!
  expect(countLines('maintenance', width)).toBe(1)
  expect(countLines('maintenance', width - 0.01)).toBe(2)
})
