import type {
  AnnualData,
  ReceiptData,
  RentProofData,
  SettlementData,
  StatementData,
} from '../../../server/documents/data'
import { renderQrCode } from '../../../server/documents/qr-code'
import { parties } from './parties'

const ID = '3f0c8f0e-9d55-4a53-9c61-0f6d2b7a1111'

const url = `https://kiraya.example.com/receipts/${ID}`

/** By cheque, with tax, for a rent and water; a part is an advance, and a part was paid back. */
export const receipt: ReceiptData = {
  payment_id: ID,
  receipt_number: 'RCT-2026-27-000001',
  parties,
  payer: 'Tara Devi',
  landlord_pan: 'QWEPZ5678M',
  is_cancelled: false,
  amount: 68_800,
  amount_in_words: 'Rupees Sixty Eight Thousand Eight Hundred Only',
  needs_stamp: false,
  tds_amount: 1200,
  tds_certificate_number: 'CERT-7',
  tax: { year: '2026-27', section: '393(1)', certificate_form: '132' },
  total: 70_000,
  further: { count: 0, amount: 0 },
  advance: 7000,
  refunded_amount: 500,
  method: 'cheque',
  reference: '004711',
  paid_on: '2026-12-07',
  cheque_date: '2026-12-05',
  reversal_reason: null,
  posted_at: '2026-12-08T06:30:00.000Z',
  reversed_at: null,
  reversed_on: null,
  balance: 12.5,
  settled: [
    {
      description: 'Rent',
      period_start: '2026-12-01',
      period_end: '2026-12-31',
      due_date: '2026-12-05',
      amount: 60_000,
    },
    {
      description: 'Water of November',
      period_start: null,
      period_end: null,
      due_date: '2026-12-06',
      amount: 2500,
    },
  ],
  url,
  qr_code: renderQrCode(url),
}

/** In cash, above what needs a stamp, and taken back. */
export const cancelledReceipt: ReceiptData = {
  ...receipt,
  is_cancelled: true,
  amount: 6000,
  amount_in_words: 'Rupees Six Thousand Only',
  needs_stamp: true,
  tds_amount: 0,
  tds_certificate_number: null,
  tax: null,
  landlord_pan: null,
  total: 6000,
  advance: 6000,
  refunded_amount: 0,
  method: 'cash',
  reference: null,
  cheque_date: null,
  reversal_reason: 'Entered twice',
  reversed_at: '2026-12-09T06:30:00.000Z',
  reversed_on: '2026-12-09',
  balance: -6000,
  settled: [],
}

/** Nothing but tax that was withheld. */
export const taxReceipt: ReceiptData = {
  ...receipt,
  amount: 0,
  amount_in_words: 'Rupees Zero Only',
  tds_certificate_number: null,
  total: 1200,
  advance: 0,
  refunded_amount: 0,
  balance: 0,
  settled: [{ ...receipt.settled[0]!, amount: 1200 }],
}

const line = { charge_id: 1, payment_id: null, description: 'Rent, 1 Dec 2026 – 31 Dec 2026' }

export const statement: StatementData = {
  parties: { ...parties, tenants: [...parties.tenants, { id: 3, name: 'Tara Devi' }] },
  agreement_id: 1,
  agreement_number: 'AGR-2026-000001',
  from: '2026-12-01',
  to: '2026-12-31',
  opening_balance: 1_23_456.5,
  lines: [
    { ...line, date: '2026-12-05', kind: 'charge', debit: 25_000, credit: 0, balance: 1_48_456.5 },
    { ...line, date: '2026-12-06', kind: 'payment', debit: 0, credit: 1_50_000, balance: -1543.5 },
  ],
  total_debit: 25_000,
  total_credit: 1_50_000,
  closing_balance: -1543.5,
  deposit: { agreed: 50_000, paid: 40_000, held: 30_000 },
}

export const rentProof: RentProofData = {
  year: '2026-27',
  from: '2026-04-01',
  to: '2027-03-31',
  payer: 'Tara Devi',
  parties,
  landlord_pan: null,
  needs_pan: true,
  pan_threshold: 1_00_000,
  form: '12BB',
  as_of: '2027-02-03',
  total: 25_000.5,
  amount_in_words: 'Rupees Twenty Five Thousand and Fifty Paise Only',
  further: { count: 0, rent: 0, paid: 0 },
  rents: [
    {
      description: 'Rent',
      period_start: '2026-12-01',
      period_end: '2026-12-31',
      due_date: '2026-12-05',
      rent: 25_000,
      paid: 24_000.5,
      paid_on: ['2026-12-05', '2026-12-09'],
      receipts: ['RCT-2026-27-000001', 'RCT-2026-27-000002'],
      is_from_deposit: false,
    },
    {
      description: 'Rent by agreement',
      period_start: null,
      period_end: null,
      due_date: '2027-01-05',
      rent: 1000,
      paid: 1000,
      paid_on: ['2027-01-06'],
      receipts: ['RCT-2026-27-000003'],
      is_from_deposit: true,
    },
  ],
}

/** A proposal whose deductions an advance helps to pay. */
export const settlement: SettlementData = {
  settlement: {
    id: 1,
    settlement_id: ID,
    agreement_id: 1,
    status: 'proposed',
    held_amount: 50_000,
    open_rent: 8928.57,
    deducted_amount: 6000,
    advance_amount: 1000,
    refund_amount: 36_071.43,
    owed_amount: 0,
    reference: 'UTR432156789012',
    dispute_reason: null,
    paper_accepted_on: null,
    unanswered: false,
    unanswered_from: null,
    decided_by_id: null,
    decided_at: null,
    posted_at: null,
    created_at: '2027-02-10T06:30:00.000Z',
  },
  deductions: [
    { item: 'Damage', description: 'Geyser', amount: 3500 },
    { item: 'Electricity', description: 'Electricity of February', amount: 1430 },
    { item: 'Water', description: 'Water', amount: 70 },
    { item: 'Maintenance', description: 'Lift', amount: 500 },
    { item: 'Other', description: 'Keys', amount: 500 },
  ],
  parties,
  refund_method: 'bank transfer',
  amount_in_words: 'Rupees Thirty Six Thousand Seventy One and Forty Three Paise Only',
  changed_at: '2027-02-13T06:30:00.000Z',
  earlier_count: 0,
  steps: [
    { type: 'deposit_proposed', occurred_at: '2027-02-10T18:29:00.000Z', by: 'Asha Rao', reason: null },
    {
      type: 'deposit_disputed',
      occurred_at: '2027-02-10T18:30:00.000Z',
      by: 'Tara Devi',
      reason: 'It was broken before',
    },
    { type: 'deposit_accepted', occurred_at: '2027-02-12T06:30:00.000Z', by: 'Tara Devi', reason: null },
    { type: 'deposit_settled', occurred_at: '2027-02-13T06:30:00.000Z', by: 'The manager', reason: null },
  ],
}

/** One that leaves something owed, and is posted. */
export const owedSettlement: SettlementData = {
  ...settlement,
  settlement: {
    ...settlement.settlement,
    status: 'posted',
    open_rent: 50_000,
    advance_amount: 0,
    refund_amount: 0,
    owed_amount: 6000,
  },
  amount_in_words: 'Rupees Six Thousand Only',
}

export const refundedSettlement: SettlementData = {
  ...settlement,
  settlement: { ...settlement.settlement, status: 'posted' },
}

const sums = {
  rent_due: 90_000,
  rent_received: 75_000,
  received: 1_00_000.5,
  tds: 2000,
  from_deposit: 5000,
  for_deposits: 20_000,
  for_others: 5000.5,
  refunded: 3000,
  advances: 4000,
  deposits_held: 20_000,
  moved: 10_000,
}

const unit = { property_unit_id: 1, property_name: 'शांति कुंज', unit_name: 'A-101' }
const ofLease = { ...unit, agreement_id: 1, agreement_number: 'AGR-2026-000001', charge_id: null }

export const annual: AnnualData = {
  year: '2026-27',
  from: '2026-04-01',
  to: '2027-03-31',
  as_of: '2027-04-03',
  rows: [{ ...unit, ...sums }],
  ...sums,
  changes: [
    {
      ...ofLease,
      changed_on: '2027-04-01',
      counts_on: '2027-03-28',
      kind: 'reversal',
      payment_id: 7,
      receipt_number: 'RCT-2026-27-000002',
      amount: -30_000,
      tds_amount: 0,
    },
  ],
  further_changes: 1200,
  reader_name: 'Asha Rao',
  held_on: '2027-03-31',
}
