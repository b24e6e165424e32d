import { expect, test } from 'bun:test'
import type { ChargeType } from '@kiraya/sdk/contract'
import { allocate, findAllocationViolation } from '../../../server/ledger/allocation'
import { toPaise, toRupees } from '../../../server/domain/money'

function createCharge(id: number, type: ChargeType, due_date: string, rupees: number) {
  return { id, type, due_date, outstanding: toPaise(rupees) }
}

type Charge = ReturnType<typeof createCharge>

/** Allocates rupees and writes them as `charge:rupees`. */
function allocateRupees(rupees: number, open: Charge[]) {
  return allocate([{ available: toPaise(rupees) }], open)
    .map(({ charge, amount }) => `${charge.id}:${toRupees(amount)}`)
    .join(' ')
}

const open = [
  createCharge(4, 'maintenance', '2027-01-05', 2_500),
  createCharge(2, 'late_fee', '2026-12-11', 500),
  createCharge(3, 'rent', '2027-01-05', 25_000),
  createCharge(1, 'rent', '2026-12-05', 5_000),
]

test.each([
  [30_000, '1:5000 3:25000'],
  [32_500, '1:5000 3:25000 4:2500'],
  [33_000, '1:5000 3:25000 4:2500 2:500'],
  [50_000, '1:5000 3:25000 4:2500 2:500'],
  [32_600.01, '1:5000 3:25000 4:2500 2:100.01'],
  [4_999.99, '1:4999.99'],
  [0.01, '1:0.01'],
  [0, ''],
])('%p is applied to the oldest first, fees last', (rupees, allocations) => {
  expect(allocateRupees(rupees, open)).toBe(allocations)
})

test('on one date: rent, maintenance, utilities, others, deposit, then fees, each in their order', () => {
  const types: ChargeType[] = [
    'late_fee',
    'deposit',
    'opening_balance',
    'damage',
    'other',
    'water',
    'electricity',
    'maintenance',
    'rent',
    'rent',
  ]
  const charges = types.map((type, index) => createCharge(index + 1, type, '2027-01-05', 1))
  expect(allocateRupees(10, charges)).toBe('9:1 10:1 8:1 6:1 7:1 3:1 4:1 5:1 2:1 1:1')
})

test('a deposit due earlier comes before a rent due later', () => {
  const charges = [createCharge(1, 'rent', '2027-01-05', 10), createCharge(2, 'deposit', '2027-01-01', 10)]
  expect(allocateRupees(15, charges)).toBe('2:10 1:5')
})

test('settled charges are left aside, and without charges all is an advance', () => {
  expect(allocateRupees(10, [createCharge(1, 'rent', '2027-01-05', 0)])).toBe('')
  expect(allocateRupees(10, [])).toBe('')
})

/** Finds the violation of allocations that are written as `charge:rupees`. */
function findViolation(available: number, requested: string) {
  const allocations = requested
    .split(' ')
    .filter(Boolean)
    .map(text => text.split(':').map(Number) as [number, number])
    .map(([charge_id, rupees]) => ({ charge_id, amount: toPaise(rupees) }))
  const violation = findAllocationViolation(allocations, open, toPaise(available))
  return violation && `${violation.index} ${violation.cause} ${toRupees(violation.outstanding)}`
}

test.each([
  ['the fee first', 30_000, '2:500 3:25000'],
  ['none', 30_000, ''],
  ['all that is available', 500, '2:500'],
])("a payer's own allocations may be %s", (_, available, requested) => {
  expect(findViolation(available, requested)).toBeUndefined()
})

test.each([
  ['to a charge that is not open', 30_000, '9:1', '0 unknown_charge 0'],
  ['twice to one charge', 30_000, '3:1 3:1', '1 repeated_charge 25000'],
  ['a paisa above what is outstanding', 30_000, '2:500.01', '0 above_outstanding 500'],
  ['a paisa above what is available', 500, '2:400 3:100.01', '1 above_available 25000'],
  ['when nothing is left', 500, '2:500 3:1', '1 above_available 25000'],
  ['for the first of several faults', 30_000, '1:1 9:1 1:5001', '1 unknown_charge 0'],
])("a payer's own allocation is refused %s", (_, available, requested, violation) => {
  expect(findViolation(available, requested)).toBe(violation)
})
