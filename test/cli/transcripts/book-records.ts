import type { Allocation, Charge, Deposit, Payment, Refund, RentRevision, Schedule, Tds } from '../../../sdk'
import { toUuid } from './records'

// The landlord's books, of the lease 31 of the unit 11 alone, but for a charge of a lease that cannot be read.

const createCharge = (id: number, changes: Partial<Charge>): Charge => {
  const { amount = 1_25_000, amount_paid = 0, amount_credited = 0 } = changes
  return {
    id,
    charge_id: toUuid(id),
    agreement_id: 31,
    property_unit_id: 11,
    type: 'rent',
    description: 'Rent',
    period_start: '2026-12-01',
    period_end: '2026-12-31',
    due_date: '2026-12-05',
    amount,
    amount_paid,
    amount_credited,
    amount_outstanding: amount - amount_paid - amount_credited,
    status: 'overdue',
    source: 'schedule',
    base_charge_id: null,
    posted_at: '2026-11-28T18:45:00Z',
    ...changes,
  }
}
const noPeriod = { period_start: null, period_end: null }
export const charges: Charge[] = [
  createCharge(51, {
    ...noPeriod,
    type: 'deposit',
    description: 'Deposit',
    due_date: '2026-12-01',
    amount: 1_00_000.5,
    amount_paid: 1_00_000.5,
    status: 'paid',
  }),
  createCharge(52, { amount_paid: 1_00_000 }),
  createCharge(53, {
    type: 'maintenance',
    description: 'Society maintenance',
    amount: 2500,
    amount_credited: 2500,
    status: 'credited',
  }),
  createCharge(54, {
    ...noPeriod,
    type: 'late_fee',
    description: 'Late fee for the rent of December 2026',
    amount: 500,
    due_date: '2026-12-11',
    status: 'due',
    source: 'late_fee',
    base_charge_id: 52,
  }),
  createCharge(55, {
    ...noPeriod,
    agreement_id: 39,
    property_unit_id: 99,
    type: 'electricity',
    description: 'Electricity\u001b[31m',
    amount: 1430.57,
    due_date: '2027-01-10',
    status: 'upcoming',
    source: 'manual',
  }),
]

const allocations: Allocation[] = [
  { charge_id: 51, amount: 1_00_000.5 },
  { charge_id: 52, amount: 1_00_000 },
]
const createPayment = (id: number, changes: Partial<Payment>): Payment => ({
  id,
  payment_id: toUuid(id),
  agreement_id: 31,
  payer_id: 21,
  amount: 2_00_500.5,
  tds_amount: 0,
  tds_certificate_number: null,
  method: 'upi',
  reference: '634512345678',
  paid_on: '2026-12-05',
  cheque_date: null,
  cleared_on: null,
  status: 'posted',
  allocations: [],
  unapplied_amount: 0,
  refunded_amount: 0,
  receipt_number: null,
  reversal_reason: null,
  posted_at: null,
  created_at: '2026-12-05T06:00:00Z',
  ...changes,
})
export const payments: Payment[] = [
  createPayment(81, {
    allocations,
    unapplied_amount: 500,
    receipt_number: 'RCT-2026-27-000001',
    posted_at: '2026-12-05T06:00:00Z',
  }),
  createPayment(82, {
    amount: 25_000,
    method: 'cheque',
    reference: '000123',
    cheque_date: '2026-12-10',
    status: 'pending',
    allocations: [{ charge_id: 52, amount: 25_000 }],
  }),
  createPayment(83, { payer_id: 99, amount: 500, method: 'cash', reference: null, status: 'reported' }),
  createPayment(84, {
    amount: 25_000,
    tds_amount: 2500,
    tds_certificate_number: 'TDS-1',
    method: 'bank_transfer',
    status: 'reversed',
    receipt_number: 'RCT-2026-27-000002',
    reversal_reason: 'Entered twice',
    posted_at: '2026-12-06T06:00:00Z',
  }),
]

export const refund: Refund = {
  amount: 500,
  method: 'upi',
  reference: '634512345679',
  refunded_on: '2026-12-08',
  payments: [{ payment_id: 81, amount: 500 }],
}

const createInstalment = (month: string, changes: Partial<Schedule['instalments'][0]> = {}) => ({
  type: 'rent' as const,
  description: 'Rent',
  period_start: `${month}-01`,
  period_end: `${month}-31`,
  due_date: `${month}-05`,
  amount: 1_25_000,
  charge_id: null,
  ...changes,
})
const maintenance = { type: 'maintenance', description: 'Society maintenance', amount: 2500 } as const
export const schedule: Schedule = {
  total_rent: 13_75_000,
  instalments: [
    { ...charges[0]!, charge_id: 51 },
    createInstalment('2026-12', { charge_id: 52 }),
    createInstalment('2026-12', { ...maintenance, charge_id: 53 }),
    createInstalment('2027-01'),
    createInstalment('2027-01', maintenance),
  ].map(({ type, description, period_start, period_end, due_date, amount, charge_id }) => ({
    type,
    description,
    period_start,
    period_end,
    due_date,
    amount,
    charge_id,
  })),
}

export const tds: Tds = {
  agreement_id: 31,
  year: '2026-27',
  amount: 10_000,
  recorded: 2500,
  landlord_pan: true,
  rate_percent: 2,
  is_limited: false,
  total_rent: 5_00_000,
  monthly_threshold: 50_000,
  deduct_from: { period_start: '2027-03-01', due_date: '2027-03-05', amount: 1_25_000 },
  section: '393(1)',
  statement_form: '141',
  certificate_form: '132',
}

const createRevision = (id: number, changes: Partial<RentRevision>): RentRevision => ({
  id,
  revision_id: toUuid(id),
  agreement_id: 31,
  rent_amount: 1_31_250,
  effective_on: '2027-06-01',
  source: 'landlord',
  status: 'proposed',
  decided_by_id: null,
  decided_at: null,
  created_at: '2026-11-22T06:00:00Z',
  ...changes,
})
export const revisions: RentRevision[] = [
  createRevision(91, {}),
  createRevision(92, {
    source: 'escalation',
    status: 'accepted',
    decided_by_id: 21,
    decided_at: '2026-11-22T18:45:00Z',
  }),
]

/** That of an ended lease, which was settled. */
export const deposit: Deposit = {
  agreement_id: 31,
  agreed: 100000,
  held: 0,
  deducted: 25858.57,
  refunded: 74141.43,
  from_previous: 0,
  to_next: 0,
  settlement: {
    id: 61,
    settlement_id: toUuid(61),
    agreement_id: 31,
    status: 'posted',
    deductions: [
      { type: 'electricity', description: 'Electricity of February', amount: 1430 },
      { type: 'damage', description: 'Painting', amount: 15500 },
    ],
    held_amount: 100000,
    open_rent: 8928.57,
    deducted_amount: 16930,
    advance_amount: 0,
    refund_amount: 74141.43,
    owed_amount: 0,
    refund_method: 'bank_transfer',
    reference: '432156789123',
    dispute_reason: null,
    decided_by_id: 21,
    decided_at: '2027-02-12T06:00:00Z',
    posted_at: '2027-02-13T06:00:00Z',
    created_at: '2027-02-11T06:00:00Z',
  },
}
