import { Type } from '@sinclair/typebox'
import { sql, type InferResult } from 'kysely'
import { Payment, type ChargeType } from '@kiraya/sdk/contract'
import { toIsoTimestamp, type Db } from '../../../db/database'
import type { ReceiptData } from '../../documents/data'
import { toColumns } from '../../domain/fields'
import { hasId, type RecordId } from '../../http/record-id'
import type { UserId } from '../../http/reads/reader'
import { describeCharge } from '../charges/descriptions'
import { selectVisibleIds } from '../../leases/queries'
import { taxDay } from '../payments/tds'

type SettledCharge = ReceiptData['settled'][number] & { type: ChargeType }

/** What the payment settles; of one that was taken back, what it settled until then. */
const toSettled = (words: string) => sql<SettledCharge[]>`(
  select coalesce(json_agg(json_build_object(
    'type', charge.type, 'description', ${describeCharge('charge', words)}, 'period_start', charge.period_start,
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

const paymentSelection = toColumns('payments as payment', Type.Omit(Payment, ['allocations', 'posted_at']))

type GivenReceipt = { key: RecordId; words: string }
export type StoredReceipt = InferResult<ReturnType<typeof selectReceipt>>[number]

export function selectReceipt(db: Db, userId: UserId, { key, words }: GivenReceipt) {
  return db
    .selectFrom('payments as payment')
    .leftJoin('journals as posted', join =>
      join.onRef('posted.payment_id', '=', 'payment.id').on('posted.kind', '=', 'payment'),
    )
    .leftJoin('journals as back', 'back.reverses_id', 'posted.id')
    .where('payment.agreement_id', '=', selectVisibleIds(db, userId))
    .where(hasId('payment', 'payment_id', key))
    .select(paymentSelection)
    .select([
      'back.effective_on as reversed_on',
      toIsoTimestamp(sql.ref('posted.posted_at')).as('posted_at'),
      toIsoTimestamp(sql.ref('back.posted_at')).$castTo<string | null>().as('reversed_at'),
      balance.as('balance'),
      taxDay.as('tax_day'),
      toSettled(words).as('settled'),
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
