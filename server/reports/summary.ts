import { sql } from 'kysely'
import type { BookMonth, BookSummary, BookSummaryQuery } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import { outstanding } from '../books/charges/queries'
import { toDayOfMonth, toMonthEnd } from '../domain/dates'
import { refuseFields } from '../errors'
import type { UserId } from '../http/reads/reader'
import { listRows, selectReport, sumAll, toSums, withManagedAgreements } from './fragments'

export type Period = { from: string; to: string; today: string }

/**
 * Returns the period of a summary: the present month unless it is given.
 * @throws VALIDATION_ERROR The period ends before it begins.
 */
export function getPeriod({ from, to }: BookSummaryQuery, today: string): Period {
  const start = from ?? toDayOfMonth(to ?? today, 1)
  const end = to ?? toMonthEnd(from && from > today ? from : today)
  if (end < start) throw refuseFields('to_before_from', 'to', { from: start })
  return { from: start, to: end, today }
}

const sums = ['charged', 'credited', 'paid', 'outstanding', 'received'] as const

const toCharged = ({ from, to }: Period) => sql`charged as (
  select charge.due_date as day, sum(charge.amount) as charged, sum(charge.amount_credited) as credited,
    sum(charge.amount_paid) as paid,
    sum(charge.amount) - sum(charge.amount_credited) - sum(charge.amount_paid) as outstanding
  from managed_agreements join charges charge using (agreement_id)
  where charge.due_date between ${from}::date and ${to}::date
  group by charge.due_date
)`

const toReceived = ({ from, to }: Period) => sql`received as (
  select payment.paid_on as day, sum(payment.amount + payment.tds_amount) as received
  from managed_agreements join payments payment using (agreement_id)
  where payment.paid_on between ${from}::date and ${to}::date and payment.status = 'posted'
    and payment.source = 'manual'
  group by payment.paid_on
)`

const months = sql`rows as (
  select to_char(day, 'YYYY-MM') as month, ${sumAll(sums)}
  from charged full join received using (day)
  group by month order by month
)`

const toOpen = ({ today }: Period) => sql`open as (
  select coalesce(sum(${outstanding}), 0) as outstanding,
    coalesce(sum(${outstanding}) filter (where charge.due_date < ${today}::date), 0) as overdue
  from managed_agreements join charges charge using (agreement_id)
  where charge.amount > charge.amount_paid + charge.amount_credited
)`

const advance = sql`advance as (
  select coalesce(sum(payment.unapplied_amount), 0) as advances
  from managed_agreements join payments payment using (agreement_id)
  where payment.unapplied_amount > 0
)`

const held = sql`held as (
  select coalesce(sum(ledger.deposit_held), 0) as deposits_held
  from managed_agreements join ledgers ledger using (agreement_id)
)`

/** Selects what fell due and was received in a period, and the balances of today. */
export function selectSummary(db: Db, userId: UserId, period: Period) {
  const balances = [toOpen(period), advance, held]
  const parts = [
    withManagedAgreements(db, userId),
    toCharged(period),
    toReceived(period),
    ...balances,
    months,
  ]
  return selectReport<BookSummary>(db, parts, {
    from: sql<string>`${period.from}::text`,
    to: sql<string>`${period.to}::text`,
    months: listRows<BookMonth>(),
    ...toSums(sums),
    balances: sql<
      BookSummary['balances']
    >`(select to_json(now) from (select * from open, advance, held) now)`,
  })
}

/** The parts of a summary that the dashboard shows: `received` in the period and `overdue` today. */
export const toReceivedAndOverdue = (db: Db, userId: UserId, period: Period) => [
  withManagedAgreements(db, userId),
  toReceived(period),
  toOpen(period),
  sql`rows as (select ${sumAll(['received'])}, (select overdue from open) as overdue from received)`,
]
