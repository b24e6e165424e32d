import { sql } from 'kysely'
import type { ChargeType, PaymentMethod, PaymentStatus } from '@kiraya/sdk/contract'
import { toIsoTimestamp, type Db } from '../../db/database'
import type { RecordId } from '../domain/record-id'
import type { UserIdExpression } from '../http/authentication'
import { selectBooksOfUser } from '../ledger/queries'

/** What a payment settles of a charge, in rupees. */
export type SettledCharge = {
  type: ChargeType
  description: string
  period_start: string | null
  period_end: string | null
  due_date: string
  amount: number
}

export type StoredReceipt = {
  payment_id: string
  agreement_id: number
  payer_id: number
  status: PaymentStatus
  receipt_number: string | null
  amount: number
  tds_amount: number
  tds_certificate_number: string | null
  method: PaymentMethod
  reference: string | null
  paid_on: string
  cheque_date: string | null
  refunded_amount: number
  reversal_reason: string | null
  posted_at: string
  reversed_at: string | null
  reversed_on: string | null
  balance: number | null
  settled: SettledCharge[]
}

/** What the payment settles; of one that was taken back, what it settled until then. */
const settled = sql<SettledCharge[]>`(
  select coalesce(json_agg(json_build_object('type', c.type, 'description', c.description, 'period_start', c.period_start,
    'period_end', c.period_end, 'due_date', c.due_date, 'amount', part.amount)
    order by c.due_date, c.id), '[]')
  from (
    select j.charge_id, sum(l.credit) as amount
    from journals j
    join journal_lines l on l.journal_id = j.id and l.account = 'receivable'
    left join journals undone on undone.reverses_id = j.id
    where j.payment_id = y.id and j.kind = 'allocation'
      and (undone.id is null or undone.posted_at = back.posted_at)
    group by j.charge_id
  ) part
  join charges c on c.id = part.charge_id
)`

/** What the tenants owed when the payment had been posted; allocations do not change it. */
const balance = sql<number | null>`(
  select sum(l.debit - l.credit) from journals j
  join journal_lines l on l.journal_id = j.id and l.account in ('receivable', 'advance')
  where j.agreement_id = y.agreement_id and j.position <= posted.position
)`

export function selectReceipt(db: Db, userId: UserIdExpression, key: RecordId) {
  return db
    .selectFrom('payments as y')
    .leftJoin('journals as posted', join =>
      join.onRef('posted.payment_id', '=', 'y.id').on('posted.kind', '=', 'payment'),
    )
    .leftJoin('journals as back', 'back.reverses_id', 'posted.id')
    .where('y.agreement_id', '=', selectBooksOfUser(db, userId))
    .where(e => ('id' in key ? e('y.id', '=', key.id) : e('y.payment_id', '=', key.uuid)))
    .select(['y.payment_id', 'y.agreement_id', 'y.payer_id', 'y.status', 'y.receipt_number', 'y.amount'])
    .select(['y.tds_amount', 'y.tds_certificate_number', 'y.method', 'y.reference', 'y.paid_on'])
    .select(['y.cheque_date', 'y.refunded_amount', 'y.reversal_reason', 'back.effective_on as reversed_on'])
    .select([
      toIsoTimestamp(sql.ref('posted.posted_at')).as('posted_at'),
      toIsoTimestamp(sql.ref('back.posted_at')).as('reversed_at'),
      balance.as('balance'),
      settled.as('settled'),
    ])
}

/** Selects whether a receipt stands, for anybody who has its address. */
export function selectReceiptStatus(db: Db, { paymentId }: { paymentId: string }) {
  return db
    .selectFrom('payments')
    .where('payment_id', '=', paymentId)
    .where('receipt_number', 'is not', null)
    .select(['receipt_number', 'status'])
}
