import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { findPlace } from '../../../db/pin-codes/index'

const README = join(import.meta.dir, '../../../db/pin-codes/README.md')

/** The rows of the sample: PIN, our city, a resident's, and the postal division. */
const sample = [...readFileSync(README, 'utf8').matchAll(/^\| (\d{6}) \|(.*)\|$/gm)].map(
  ([, pinCode, cells]) => [Number(pinCode), ...cells!.split('|').map(cell => cell.trim())] as const,
)

test('the sample has 50 PIN codes, each once', () => {
  expect(new Set(sample.map(([pinCode]) => pinCode)).size).toBe(50)
  expect(sample).toHaveLength(50)
})

test.each(sample)('%i is in %s, as the documentation says', (pinCode, city) => {
  expect(findPlace(pinCode)?.city).toBe(city!)
})

test('the numbers of agreements are those of the documentation', () => {
  const ours = sample.filter(([, city, resident]) => city === resident)
  const divisions = sample.filter(([, , resident, division]) => division === resident)
  expect(readFileSync(README, 'utf8')).toContain(
    `Our lookup agrees for ${ours.length}, the division for ${divisions.length}:`,
  )
})
