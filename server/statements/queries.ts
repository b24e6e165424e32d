import { sql } from 'kysely'
import type { PaymentMethod } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import { selectVisibleAgreement } from '../agreements/queries'
import type { RecordId } from '../domain/record-id'
import type { UserIdExpression } from '../http/authentication'
import type { JournalKind } from '../ledger/journals'

/**
 * A journal that changes what the tenants owe, as no allocation and no transfer of a deposit does; `amount` is by how
 * much, in rupees.
 */
export type Entry = {
  effective_on: string
  kind: Exclude<JournalKind, 'allocation' | 'transfer'>
  reason: string | null
  /** That of a refund. */
  reference: string | null
  charge_id: number | null
  payment_id: number | null
  amount: number
  charge: { description: string; period_start: string | null; period_end: string | null } | null
  payment: {
    method: PaymentMethod
    reference: string | null
    receipt_number: string | null
    tds_amount: number
    reversal_reason: string | null
  } | null
}

/** What the tenants owe is the receivable less the advance, so an allocation does not change it. */
const change = sql<number>`(
  select coalesce(sum(line.debit - line.credit), 0) from journal_lines line
  where line.journal_id = journal.id and line.account in ('receivable', 'advance')
)`

type Days = { from: string; to: string }

const toEntries = ({ from, to }: Days) => sql<Entry[]>`(
  select coalesce(json_agg(json_build_object(
    'effective_on', journal.effective_on, 'kind', journal.kind,
    'reason', journal.reason, 'reference', journal.reference,
    'charge_id', journal.charge_id, 'payment_id', journal.payment_id, 'amount', changed.amount,
    'charge', case when charge.id is not null then json_build_object(
      'description', charge.description, 'period_start', charge.period_start, 'period_end', charge.period_end) end,
    'payment', case when payment.id is not null then json_build_object(
      'method', payment.method, 'reference', payment.reference, 'receipt_number', payment.receipt_number,
      'tds_amount', payment.tds_amount, 'reversal_reason', payment.reversal_reason) end
  ) order by journal.effective_on, journal.position), '[]')
  from journals journal
  cross join lateral (select ${change} as amount) changed
  left join charges charge on charge.id = journal.charge_id
  left join payments payment on payment.id = journal.payment_id
  where journal.agreement_id = a.id and changed.amount <> 0
    and journal.effective_on between ${from}::date and ${to}::date
)`

const toOpening = (from: string) => sql<number>`(
  select coalesce(sum(${change}), 0) from journals journal
  where journal.agreement_id = a.id and journal.effective_on < ${from}::date
)`

/** What was paid is held, until a settlement or the next lease takes of it. */
const toDeposit = (to: string) => sql<{ agreed: number; paid: number; held: number }>`(
  select json_build_object(
    'agreed', coalesce(a.deposit_amount, 0),
    'paid', coalesce(sum(line.credit), 0) - coalesce(sum(line.debit) filter (where journal.kind = 'reversal'), 0),
    'held', coalesce(sum(line.credit - line.debit), 0)
  )
  from journals journal join journal_lines line on line.journal_id = journal.id
  where journal.agreement_id = a.id and line.account = 'deposit_held' and journal.effective_on <= ${to}::date
)`

/** Selects what a statement of these days says; `infinity` and `-infinity` leave a side open. */
export function selectStatement(db: Db, userId: UserIdExpression, { id, ...days }: Days & { id: RecordId }) {
  return selectVisibleAgreement(db, userId, id)
    .leftJoin('ledgers as ledger', 'ledger.agreement_id', 'a.id')
    .select(['a.id as agreement_id', 'a.agreement_number', 'a.agreement_start_date', 'ledger.starts_on'])
    .select([
      toOpening(days.from).as('opening'),
      toEntries(days).as('entries'),
      toDeposit(days.to).as('deposit'),
    ])
}
