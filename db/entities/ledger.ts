import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { Agreement } from './agreement'
import { Charge } from './charge'
import { amount, numericId } from './columns'
import { Payment, Refund } from './payment'
import { User } from './user'

/**
 * The books of an agreement; it has them from its activation.
 * - `starts_on` is the first day whose charges they hold: the lease's start, or the day after its opening.
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
 * One posting of an agreement's books, with lines that sum to zero. The database refuses changes and
 * removals. Each hash covers the journal, its lines and the hash before it. A refund, and what takes it back, has
 * `refund_id` and `reference`.
 */
export const Journal = defineEntity({
  name: 'Journal',
  tableName: 'journals',
  uniques: [{ name: 'journals_position', properties: ['agreement_id', 'position'] }],
  indexes: [
    { name: 'journals_charge', properties: ['charge_id'], where: 'charge_id is not null' },
    { name: 'journals_payment', properties: ['payment_id'], where: 'payment_id is not null' },
    { name: 'journals_refund', properties: ['refund_id'], where: 'refund_id is not null' },
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
    refund_id: () => p.manyToOne(Refund).mapToPk().nullable().fieldName('refund_id').deleteRule('no action'),
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
