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
  select coalesce(sum(l.debit - l.credit), 0) from journal_lines l
  where l.journal_id = j.id and l.account in ('receivable', 'advance')
)`

type Days = { from: string; to: string }

const toEntries = ({ from, to }: Days) => sql<Entry[]>`(
  select coalesce(json_agg(json_build_object(
    'effective_on', j.effective_on, 'kind', j.kind, 'reason', j.reason, 'reference', j.reference,
    'charge_id', j.charge_id,
    'payment_id', j.payment_id, 'amount', changed.amount,
    'charge', case when c.id is not null then json_build_object(
      'description', c.description, 'period_start', c.period_start, 'period_end', c.period_end) end,
    'payment', case when y.id is not null then json_build_object(
      'method', y.method, 'reference', y.reference, 'receipt_number', y.receipt_number,
      'tds_amount', y.tds_amount, 'reversal_reason', y.reversal_reason) end
  ) order by j.effective_on, j.position), '[]')
  from journals j
  cross join lateral (select ${change} as amount) changed
  left join charges c on c.id = j.charge_id
  left join payments y on y.id = j.payment_id
  where j.agreement_id = a.id and changed.amount <> 0
    and j.effective_on between ${from}::date and ${to}::date
)`

const toOpening = (from: string) => sql<number>`(
  select coalesce(sum(${change}), 0) from journals j
  where j.agreement_id = a.id and j.effective_on < ${from}::date
)`

/** What was paid is held, until a settlement or the next lease takes of it. */
const toDeposit = (to: string) => sql<{ agreed: number; paid: number; held: number }>`(
  select json_build_object(
    'agreed', coalesce(a.deposit_amount, 0),
    'paid', coalesce(sum(l.credit) - sum(l.debit) filter (where j.kind = 'reversal'), sum(l.credit), 0),
    'held', coalesce(sum(l.credit - l.debit), 0)
  )
  from journals j join journal_lines l on l.journal_id = j.id
  where j.agreement_id = a.id and l.account = 'deposit_held' and j.effective_on <= ${to}::date
)`

/** Selects what a statement of these days says; `infinity` and `-infinity` leave a side open. */
export function selectStatement(db: Db, userId: UserIdExpression, { id, ...days }: Days & { id: RecordId }) {
  return selectVisibleAgreement(db, userId, id)
    .leftJoin('ledgers as g', 'g.agreement_id', 'a.id')
    .select(['a.id as agreement_id', 'a.agreement_number', 'a.agreement_start_date', 'g.starts_on'])
    .select([
      toOpening(days.from).as('opening'),
      toEntries(days).as('entries'),
      toDeposit(days.to).as('deposit'),
    ])
}
