import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { Agreement } from './agreement'
import { amount, createdAt, numericId, timestamps, uuid } from './columns'
import { PropertyUnit } from './property-unit'
import { User } from './user'

export const CHARGE_TYPES = [
  'rent',
  'deposit',
  'maintenance',
  'electricity',
  'water',
  'late_fee',
  'damage',
  'other',
  'opening_balance',
] as const
export const CHARGE_SOURCES = ['schedule', 'manual', 'late_fee', 'opening'] as const
export const PAYMENT_METHODS = ['cash', 'upi', 'bank_transfer', 'cheque', 'payment_link'] as const
export const PAYMENT_STATUSES = ['reported', 'rejected', 'pending', 'bounced', 'posted', 'reversed'] as const

/**
 * The books of an agreement; it has them from its activation.
 * - `starts_on` is the first day whose charges they hold: the lease's start, or the month in which they were opened.
 * - `length` and `hash` are the position and hash of the last journal.
 * - `next_posting_on` is the day on which the schedule has the next charge to post; null when it has none.
 * - `deposit_held` is the balance of that account, which each posting moves along.
 */
export const Ledger = defineEntity({
  name: 'Ledger',
  tableName: 'ledgers',
  indexes: [
    { name: 'ledgers_next_posting', properties: ['next_posting_on'], where: 'next_posting_on is not null' },
  ],
  checks: [{ name: 'ledgers_deposit_held', expression: 'deposit_held >= 0' }],
  properties: {
    agreement_id: () => p.manyToOne(Agreement).mapToPk().primary().fieldName('agreement_id'),
    starts_on: p.date(),
    length: p.integer().default(0),
    hash: p.string().length(64).nullable(),
    next_posting_on: p.date().nullable(),
    deposit_held: amount().default(0),
  },
})
export type Ledger = InferEntity<typeof Ledger>

/**
 * What is owed. Its journals are the evidence; `amount_paid` and `amount_credited` are their sums.
 * - `item` tells recurring charges apart: 0 is the rent, others count from 1 in `recurring_charges`. What a revised
 *   rent adds to a posted one counts down from -1.
 * - `base_charge_id` is the charge that a late fee is for, or to which a revised rent adds.
 * - `late_fee_on` is the next day on which a late fee is looked at; null when there is none to come.
 */
export const Charge = defineEntity({
  name: 'Charge',
  tableName: 'charges',
  indexes: [
    { name: 'charges_agreement', properties: ['agreement_id', 'due_date'] },
    {
      name: 'charges_scheduled_once',
      expression: `create unique index "charges_scheduled_once" on "charges" ("agreement_id", "type", "item", "period_start") nulls not distinct where source = 'schedule'`,
    },
    {
      name: 'charges_late_fee_once',
      expression: `create unique index "charges_late_fee_once" on "charges" ("base_charge_id") where source = 'late_fee' and amount_credited < amount`,
    },
    { name: 'charges_late_fee_on', properties: ['late_fee_on'], where: 'late_fee_on is not null' },
    {
      name: 'charges_open',
      properties: ['agreement_id', 'due_date'],
      where: 'amount > amount_paid + amount_credited',
    },
  ],
  checks: [
    { name: 'charges_amounts', expression: 'amount > 0 and amount_paid >= 0 and amount_credited >= 0' },
    { name: 'charges_not_overpaid', expression: 'amount_paid + amount_credited <= amount' },
  ],
  properties: {
    id: numericId(),
    charge_id: uuid(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    property_unit_id: () => p.manyToOne(PropertyUnit).mapToPk().fieldName('property_unit_id'),
    type: p.enum(CHARGE_TYPES),
    description: p.string().length(255),
    period_start: p.date().nullable(),
    period_end: p.date().nullable(),
    due_date: p.date(),
    amount: amount(),
    amount_paid: amount().default(0),
    amount_credited: amount().default(0),
    source: p.enum(CHARGE_SOURCES),
    item: p.smallint().default(0),
    base_charge_id: () => p.manyToOne(Charge).mapToPk().nullable().fieldName('base_charge_id'),
    late_fee_on: p.date().nullable(),
    posted_at: p.datetime(3),
  },
})
export type Charge = InferEntity<typeof Charge>

/**
 * Money that a tenant paid, or says to have paid.
 * - `landlord_id` is the agreement's: receipts are numbered for a landlord, and a reference is used once.
 * - `requested_allocations` is what the payer wants it for, until it is posted.
 * - `paid_on` of a cheque is its date, once it is cleared, if that is after its entry.
 * - `allows_duplicate`: another payment may have the same method and reference.
 */
export const Payment = defineEntity({
  name: 'Payment',
  tableName: 'payments',
  indexes: [
    { name: 'payments_agreement', properties: ['agreement_id', 'paid_on'] },
    {
      name: 'payments_advance',
      properties: ['agreement_id'],
      where: 'unapplied_amount > 0',
    },
    {
      name: 'payments_reference_once',
      expression: `create unique index "payments_reference_once" on "payments" ("landlord_id", "method", lower("reference")) where not allows_duplicate and status in ('reported', 'pending', 'posted')`,
    },
    {
      name: 'payments_receipt_once',
      expression: `create unique index "payments_receipt_once" on "payments" ("landlord_id", "receipt_number")`,
    },
  ],
  checks: [
    { name: 'payments_amounts', expression: 'amount >= 0 and tds_amount >= 0 and amount + tds_amount > 0' },
    {
      name: 'payments_not_overspent',
      expression:
        'unapplied_amount >= 0 and refunded_amount >= 0 and unapplied_amount + refunded_amount <= amount + tds_amount',
    },
  ],
  properties: {
    id: numericId(),
    payment_id: uuid(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    landlord_id: () => p.manyToOne(User).mapToPk().fieldName('landlord_id'),
    payer_id: () => p.manyToOne(User).mapToPk().fieldName('payer_id'),
    amount: amount(),
    tds_amount: amount().default(0),
    tds_certificate_number: p.string().length(50).nullable(),
    method: p.enum(PAYMENT_METHODS),
    reference: p.string().length(100).nullable(),
    paid_on: p.date(),
    cheque_date: p.date().nullable(),
    cleared_on: p.date().nullable(),
    status: p.enum(PAYMENT_STATUSES),
    requested_allocations: p.json<RequestedAllocation[]>().nullable(),
    unapplied_amount: amount().default(0),
    refunded_amount: amount().default(0),
    receipt_number: p.string().length(30).nullable(),
    reversal_reason: p.text().nullable(),
    allows_duplicate: p.boolean().default(false),
    posted_at: p.datetime(3).nullable(),
    ...timestamps,
  },
})
export type Payment = InferEntity<typeof Payment>
export type RequestedAllocation = { charge_id: number; amount: number }

/**
 * One posting of an agreement's books: an event with lines that sum to zero. The database refuses changes and
 * removals. Each hash covers the journal, its lines and the hash before it. `reference` is that of a refund.
 */
export const Journal = defineEntity({
  name: 'Journal',
  tableName: 'journals',
  uniques: [{ name: 'journals_position', properties: ['agreement_id', 'position'] }],
  indexes: [
    { name: 'journals_charge', properties: ['charge_id'], where: 'charge_id is not null' },
    { name: 'journals_payment', properties: ['payment_id'], where: 'payment_id is not null' },
    {
      name: 'journals_reversed_once',
      expression: `create unique index "journals_reversed_once" on "journals" ("reverses_id") where reverses_id is not null`,
    },
  ],
  properties: {
    id: numericId(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    position: p.integer(),
    kind: p.string().length(20),
    effective_on: p.date(),
    posted_at: p.datetime(3),
    actor_id: () => p.manyToOne(User).mapToPk().nullable().fieldName('actor_id').deleteRule('no action'),
    charge_id: () => p.manyToOne(Charge).mapToPk().nullable().fieldName('charge_id').deleteRule('no action'),
    payment_id: () =>
      p.manyToOne(Payment).mapToPk().nullable().fieldName('payment_id').deleteRule('no action'),
    reverses_id: () =>
      p.manyToOne(Journal).mapToPk().nullable().fieldName('reverses_id').deleteRule('no action'),
    reason: p.string().length(30).nullable(),
    reference: p.string().length(100).nullable(),
    hash: p.string().length(64),
  },
})

/** A line of a journal: an amount on one side of an account. */
export const JournalLine = defineEntity({
  name: 'JournalLine',
  tableName: 'journal_lines',
  checks: [
    {
      name: 'journal_lines_one_side',
      expression: '(debit > 0 and credit = 0) or (debit = 0 and credit > 0)',
    },
  ],
  properties: {
    journal_id: () => p.manyToOne(Journal).mapToPk().primary().fieldName('journal_id'),
    line: p.smallint().primary(),
    account: p.string().length(40),
    debit: amount(),
    credit: amount(),
  },
})

/** The part of a posted payment that settles a charge, by the journal that allocated it; gone once that is reversed. */
export const PaymentAllocation = defineEntity({
  name: 'PaymentAllocation',
  tableName: 'payment_allocations',
  indexes: [
    { name: 'payment_allocations_payment', properties: ['payment_id'] },
    { name: 'payment_allocations_charge', properties: ['charge_id'] },
  ],
  checks: [{ name: 'payment_allocations_amount', expression: 'amount > 0' }],
  properties: {
    journal_id: () => p.manyToOne(Journal).mapToPk().primary().fieldName('journal_id'),
    payment_id: () => p.manyToOne(Payment).mapToPk().fieldName('payment_id'),
    charge_id: () => p.manyToOne(Charge).mapToPk().fieldName('charge_id'),
    amount: amount(),
  },
})

/** The last number that a landlord's receipts used in a year from April to March: `RCT-2026-27-000001`. */
export const ReceiptCounter = defineEntity({
  name: 'ReceiptCounter',
  tableName: 'receipt_counters',
  properties: {
    landlord_id: () => p.manyToOne(User).mapToPk().primary().fieldName('landlord_id'),
    fiscal_year: p.string().length(7).primary(),
    last_number: p.integer(),
  },
})

export const RENT_REVISION_STATUSES = ['proposed', 'accepted', 'declined'] as const

/** A rent that applies from a day: by the agreed escalation, or proposed by the landlord and accepted by a tenant. */
export const RentRevision = defineEntity({
  name: 'RentRevision',
  tableName: 'rent_revisions',
  indexes: [
    {
      name: 'rent_revisions_once',
      expression: `create unique index "rent_revisions_once" on "rent_revisions" ("agreement_id", "effective_on") where status = 'accepted'`,
    },
  ],
  checks: [{ name: 'rent_revisions_amount', expression: 'rent_amount > 0' }],
  properties: {
    id: numericId(),
    revision_id: uuid(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    rent_amount: amount(),
    effective_on: p.date(),
    source: p.enum(['escalation', 'landlord'] as const),
    status: p.enum(RENT_REVISION_STATUSES),
    decided_by_id: () =>
      p.manyToOne(User).mapToPk().nullable().fieldName('decided_by_id').deleteRule('no action'),
    decided_at: p.datetime(3).nullable(),
    ...createdAt,
  },
})
export type RentRevision = InferEntity<typeof RentRevision>

export const SETTLEMENT_STATUSES = ['proposed', 'accepted', 'disputed', 'posted'] as const
export type Deduction = { type: string; description: string; amount: number }

/** How the deposit of an ended lease is settled; amounts are those at the proposal, and fixed when it is posted. */
export const DepositSettlement = defineEntity({
  name: 'DepositSettlement',
  tableName: 'deposit_settlements',
  properties: {
    id: numericId(),
    settlement_id: uuid(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().unique().fieldName('agreement_id'),
    deductions: p.json<Deduction[]>(),
    held_amount: amount(),
    open_rent: amount(),
    /** What an advance pays of the deductions. */
    advance_amount: amount().default(0),
    refund_amount: amount(),
    refund_method: p.enum(PAYMENT_METHODS).nullable(),
    reference: p.string().length(100).nullable(),
    status: p.enum(SETTLEMENT_STATUSES),
    /** Whether it replaced a proposal that no tenant had answered: their answer names the one that they mean. */
    is_replacement: p.boolean().default(false),
    dispute_reason: p.text().nullable(),
    decided_by_id: () =>
      p.manyToOne(User).mapToPk().nullable().fieldName('decided_by_id').deleteRule('no action'),
    decided_at: p.datetime(3).nullable(),
    posted_at: p.datetime(3).nullable(),
    ...timestamps,
  },
})
export type DepositSettlement = InferEntity<typeof DepositSettlement>
