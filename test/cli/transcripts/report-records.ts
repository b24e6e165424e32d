import type { AnnualBooks, Arrears, BookSummary, RentRoll, Statement } from '../../../sdk'

// What the books sum up of the lease 31.

type Line = Pick<Statement['lines'][0], 'date' | 'kind' | 'description' | 'balance'>
const createLine = (line: Line, changes: Partial<Statement['lines'][0]>) => ({
  ...line,
  charge_id: null,
  payment_id: null,
  debit: 0,
  credit: 0,
  ...changes,
})
const rentOfMonth = 'Rent, 1 Dec 2026 to 31 Dec 2026'
const paid = 'Payment by UPI, 634512345678'
export const statement: Statement = {
  agreement_id: 31,
  agreement_number: 'AGR-2026-000031',
  from: '2026-12-01',
  to: '2026-12-31',
  opening_balance: -500,
  lines: [
    createLine(
      { date: '2026-12-05', kind: 'charge', description: rentOfMonth, balance: 1_24_500 },
      { debit: 1_25_000, charge_id: 52 },
    ),
    createLine(
      { date: '2026-12-05', kind: 'payment', description: paid, balance: 24_500 },
      { credit: 1_00_000, payment_id: 81 },
    ),
    createLine(
      { date: '2026-12-11', kind: 'credit', description: 'Society maintenance: waived', balance: 22_000 },
      { credit: 2500, charge_id: 53 },
    ),
  ],
  total_debit: 1_25_000,
  total_credit: 1_02_500,
  closing_balance: 22_000,
  deposit: { agreed: 1_00_000.5, paid: 1_00_000.5, held: 1_00_000.5 },
}

const sums = {
  charged: 2_28_000.5,
  credited: 2500,
  paid: 2_00_000.5,
  outstanding: 25_500,
  received: 2_00_500.5,
}
export const summary: BookSummary = {
  from: '2026-11-01',
  to: '2026-12-31',
  months: [
    { month: '2026-11', charged: 0, credited: 0, paid: 0, outstanding: 0, received: 500 },
    { month: '2026-12', ...sums, received: 2_00_000.5 },
  ],
  ...sums,
  balances: { outstanding: 25_500, overdue: 25_000, advances: 500, deposits_held: 1_00_000.5 },
}

const let11 = { property_unit_id: 11, property_name: 'White House', unit_name: 'A-101' }
const lease = {
  ...let11,
  agreement_id: 31,
  agreement_number: 'AGR-2026-000031',
  tenants: [
    { id: 21, name: 'Tara Iyer' },
    { id: 22, name: null },
  ],
}
const roll = { charged: 1_28_000, paid: 1_00_000, outstanding: 25_500 }
export const rentRoll: RentRoll = {
  month: '2026-12',
  rows: [
    { ...lease, rent: 1_25_000, ...roll },
    {
      property_unit_id: 12,
      property_name: 'White House',
      unit_name: 'B/2',
      agreement_id: null,
      agreement_number: null,
      tenants: [],
      rent: null,
      charged: 0,
      paid: 0,
      outstanding: 0,
    },
  ],
  rent: 1_25_000,
  ...roll,
}

const ages = {
  days_0_30: 25_500,
  days_31_60: 0,
  days_61_90: 0,
  days_over_90: 1_00_000.25,
  total: 1_25_500.25,
}
export const arrears: Arrears = { as_of: '2026-12-20', rows: [{ ...lease, ...ages }], ...ages }

const yearly = {
  received: 1_98_000.5,
  tds: 2500,
  for_rent: 1_00_000,
  for_deposits: 1_00_000.5,
  for_others: 0,
  refunded: 0,
  advances: 500,
  deposits_held: 1_00_000.5,
}
export const annual: AnnualBooks = { year: '2026-27', rows: [{ ...let11, ...yearly }], ...yearly }
