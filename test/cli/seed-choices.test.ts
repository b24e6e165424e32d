import { expect, test } from 'bun:test'
import { Random } from '../../cli/seed/random'

const random = new Random('2026')
const names = Array.from({ length: 5000 }, (_, index) => `choice ${index}`)

test('a share of nothing never happens, and a whole one always', () => {
  expect(names.filter(name => random.chance(name, 0))).toEqual([])
  expect(names.filter(name => !random.chance(name, 1))).toEqual([])
})

test('a share of a tenth happens in a tenth of the cases', () => {
  const happened = names.filter(name => random.chance(name, 0.1)).length
  expect(happened).toBeWithin(425, 575)
})

test('numbers are between their limits, both included', () => {
  expect(new Set(names.map(name => random.integer(name, 3, 5)))).toEqual(new Set([3, 4, 5]))
})
