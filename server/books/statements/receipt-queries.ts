import { sql } from 'kysely'
import type { ChargeType, PaymentMethod, PaymentStatus } from '@kiraya/sdk/contract'
import { toIsoTimestamp, type Db } from '../../../db/database'
import type { RecordId } from '../../domain/record-id'
import type { UserId } from '../../http/reads/reader'
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
  select coalesce(json_agg(json_build_object(
    'type', charge.type, 'description', charge.description, 'period_start', charge.period_start,
    'period_end', charge.period_end, 'due_date', charge.due_date, 'amount', part.amount
  ) order by charge.due_date, charge.id), '[]')
  from (
    select journal.charge_id, sum(line.credit) as amount
    from journals journal
    join journal_lines line on line.journal_id = journal.id and line.account = 'receivable'
    left join journals undone on undone.reverses_id = journal.id
    where journal.payment_id = payment.id and journal.kind = 'allocation'
      and (undone.id is null or undone.posted_at = back.posted_at)
    group by journal.charge_id
  ) part
  join charges charge on charge.id = part.charge_id
)`

/** What the tenants owed when the payment had been posted; allocations do not change it. */
const balance = sql<number | null>`(
  select sum(line.debit - line.credit) from journals journal
  join journal_lines line on line.journal_id = journal.id and line.account in ('receivable', 'advance')
  where journal.agreement_id = payment.agreement_id and journal.position <= posted.position
)`

export function selectReceipt(db: Db, userId: UserId, key: RecordId) {
  return db
    .selectFrom('payments as payment')
    .leftJoin('journals as posted', join =>
      join.onRef('posted.payment_id', '=', 'payment.id').on('posted.kind', '=', 'payment'),
    )
    .leftJoin('journals as back', 'back.reverses_id', 'posted.id')
    .where('payment.agreement_id', '=', selectBooksOfUser(db, userId))
    .where(e => ('id' in key ? e('payment.id', '=', key.id) : e('payment.payment_id', '=', key.uuid)))
    .select([
      'payment.payment_id',
      'payment.agreement_id',
      'payment.payer_id',
      'payment.status',
      'payment.receipt_number',
      'payment.amount',
    ])
    .select([
      'payment.tds_amount',
      'payment.tds_certificate_number',
      'payment.method',
      'payment.reference',
      'payment.paid_on',
    ])
    .select([
      'payment.cheque_date',
      'payment.refunded_amount',
      'payment.reversal_reason',
      'back.effective_on as reversed_on',
    ])
    .select([
      toIsoTimestamp(sql.ref('posted.posted_at')).as('posted_at'),
      toIsoTimestamp(sql.ref('back.posted_at')).as('reversed_at'),
      balance.as('balance'),
      settled.as('settled'),
    ])
}

/** Selects the status of a receipt for its public page. */
export function selectReceiptStatus(db: Db, { paymentId }: { paymentId: string }) {
  return db
    .selectFrom('payments')
    .where('payment_id', '=', paymentId)
    .where('receipt_number', 'is not', null)
    .select(['receipt_number', 'status'])
}
