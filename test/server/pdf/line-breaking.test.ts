import { expect, test } from 'bun:test'
import { createGiveWay } from '../../../server/domain/give-way'
import { breakLines } from '../../../server/pdf/line-breaking'

const style = { size: 10, weight: 'Regular', color: '#000000' } as const
const TEXT = 'The rent is due on the fifth'

const breakText = (text: string, maxWidth: number) => breakLines(text, style, maxWidth, createGiveWay())
const countLines = async (text: string, maxWidth: number) => (await breakText(text, maxWidth)).length
const measureWidth = async (text: string) => (await breakText(text, Infinity))[0]!.width

test('a text that is as wide as the line stays on it', async () => {
  const width = await measureWidth(TEXT)
  expect(await countLines(TEXT, width)).toBe(1)
  expect(await countLines(TEXT, width - 0.01)).toBe(2)
})

test('a word that is as wide as the line is not split', async () => {
  const width = await measureWidth('maintenance')
  expect(await countLines('maintenance', width)).toBe(1)
  expect(await countLines('maintenance', width - 0.01)).toBe(2)
})
