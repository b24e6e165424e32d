import { expect, test } from 'bun:test'
import type { ChargeType } from '@kiraya/sdk/contract'
import { allocate } from '../../../../server/books/ledger/allocation'
import { toPaise, toRupees } from '../../../../server/domain/money'

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
