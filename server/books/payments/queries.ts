import { sql } from 'kysely'
import { Payment, Refund, type PaymentQuery, type RefundQuery } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { toColumns } from '../../domain/fields'
import { hasId, recordPath, type RecordId } from '../../http/record-id'
import type { UserId } from '../../http/reads/reader'
import { selectVisibleId, selectVisibleIds, type AgreementPath } from '../../leases/queries'

export const PaymentPath = recordPath({ id: 'payment' })
export const RefundPath = recordPath({ id: 'refund' })

/** Those that stand, or those that the payer asked for. */
const allocations = sql<Payment['allocations']>`coalesce(payment.requested_allocations, (
  select coalesce(jsonb_agg(
    jsonb_build_object('charge_id', settled.charge_id, 'amount', settled.amount) order by settled.charge_id
  ), '[]')
  from (
    select allocation.charge_id, sum(allocation.amount) as amount
    from payment_allocations allocation
    where allocation.payment_id = payment.id
    group by allocation.charge_id
  ) settled
))`

const paymentColumns = toColumns('payments as payment', Payment, { allocations })

/** Selects a page of the payments of the agreements that a user manages or is a party of. */
export function selectPaymentPage(db: Db, userId: UserId, filters: PaymentQuery) {
  const { agreement_id, property_unit_id, payer_id, status, method, from, to } = filters
  let payments = selectVisiblePayments(db, userId)
  if (agreement_id !== undefined) payments = payments.where('payment.agreement_id', '=', agreement_id)
  if (payer_id !== undefined) payments = payments.where('payment.payer_id', '=', payer_id)
  if (status !== undefined) payments = payments.where('payment.status', '=', status)
  if (method !== undefined) payments = payments.where('payment.method', '=', method)
  if (from !== undefined) payments = payments.where('payment.paid_on', '>=', from)
  if (to !== undefined) payments = payments.where('payment.paid_on', '<=', to)
  if (property_unit_id === undefined) return payments
  const ofUnit = db
    .selectFrom('agreements as let')
    .where('let.property_unit_id', '=', property_unit_id)
    .select('let.id')
  return payments.where('payment.agreement_id', 'in', ofUnit)
}

export function selectPayment(db: Db, userId: UserId, key: RecordId) {
  return selectVisiblePayments(db, userId).where(hasId('payment', 'payment_id', key))
}

function selectVisiblePayments(db: Db, userId: UserId) {
  return db
    .selectFrom('payments as payment')
    .where('payment.agreement_id', '=', selectVisibleIds(db, userId))
    .select(paymentColumns)
}

const refundColumns = toColumns('refunds as refund', Refund, {
  payments: sql<Refund['payments']>`(
    select coalesce(jsonb_agg(
      jsonb_build_object('payment_id', journal.payment_id, 'amount', line.debit) order by journal.position
    ), '[]')
    from journals journal join journal_lines line on line.journal_id = journal.id and line.account = 'advance'
    where journal.refund_id = refund.id and journal.kind = 'refund'
  )`,
})

/** Selects a page of the advances of an agreement that were paid back. */
export function selectRefundPage(
  db: Db,
  userId: UserId,
  { status, ...path }: AgreementPath & Pick<RefundQuery, 'status'>,
) {
  const refunds = db
    .selectFrom('refunds as refund')
    .where('refund.agreement_id', 'in', selectVisibleId(db, userId, path))
    .select(refundColumns)
  return status === undefined ? refunds : refunds.where('refund.status', '=', status)
}

/** Selects a refund in the transaction that changed it. */
export function selectRefund(db: Db, _: UserId, { id }: { id: number }) {
  return db.selectFrom('refunds as refund').where('refund.id', '=', id).select(refundColumns)
}
