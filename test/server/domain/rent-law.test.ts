import { expect, test } from 'bun:test'
import { HRA_PAN_THRESHOLD, isAbove, REVENUE_STAMP_THRESHOLD } from '../../../server/domain/rent-law'

test.each([
  ['names the PAN of a claim of 2013-14', HRA_PAN_THRESHOLD, 1_00_000, '2013-04-01'],
  ['names the PAN of a claim of 2025-26', HRA_PAN_THRESHOLD, 1_00_000, '2026-03-31'],
  ['names the PAN of a claim of 2026-27', HRA_PAN_THRESHOLD, 1_00_000, '2026-04-01'],
  ['bears a stamp', REVENUE_STAMP_THRESHOLD, 5_000, '2026-04-01'],
])('%s above the threshold, not at it', (_, thresholds, rupees, day) => {
  expect(isAbove(thresholds, rupees, day)).toBe(false)
  expect(isAbove(thresholds, rupees + 0.01, day)).toBe(true)
})
