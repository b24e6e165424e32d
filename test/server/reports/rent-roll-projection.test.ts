import { expect, test } from 'bun:test'
import { toRentRoll, type StoredRentRoll } from '../../../server/reports/rent-roll'
import { countServed } from '../../support/served'

/** A lease of fifty years whose rent rises each month. */
const row: StoredRentRoll['rows'][number] = {
  property_unit_id: 1,
  unit_name: 'A-101',
  property_name: 'Brigade Cornerstone',
  agreement_id: 1,
  agreement_number: 'AGR-1',
  tenants: [{ id: 2, name: 'Rohan Mehta' }],
  rent: 10_000,
  charged: 0,
  paid: 0,
  outstanding: 0,
  escalation: {
    terms: {
      rent_amount: 10_000,
      escalation_percent: 1,
      escalation_every_months: 1,
      rent_rounding: 1,
      agreement_start_date: '2026-01-01',
      agreement_end_date: '2075-12-31',
    },
    revisions: [],
  },
}

test('a roll of many escalating rents lets requests be served meanwhile', async () => {
  const rows = Array.from({ length: 300 }, () => row)

  const stored = { month: '2075-12', rows, rent: 0, charged: 0, paid: 0, outstanding: 0 }
  const month = { month: '2075-12', first: '2075-12-01', last: '2075-12-31' }

  const { result: roll, served } = await countServed(() => toRentRoll(stored, month))

  expect(new Set(roll.rows.map(({ rent }) => rent)).size).toBe(1)
  expect(roll.rows).toHaveLength(300)
  expect(served).toBeGreaterThan(1)
})
