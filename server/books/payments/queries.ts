import { sql } from 'kysely'
import type { Payment as PaymentView, PaymentQuery } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import { toIsoTimestamp, type Db, type EntityManager } from '../../../db/database'
import { toSelection, type ColumnsOf } from '../../domain/columns'
import type { RecordId } from '../../domain/record-id'
import type { UserId } from '../../http/reads/reader'
import { getAgreementId, getUnitId, selectBooksOfUser, type toBookFilters } from '../ledger/queries'

/** Those that stand, or those that the payer asked for. */
const allocations = sql<PaymentView['allocations']>`coalesce(payment.requested_allocations, (
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

export const paymentColumns: ColumnsOf<PaymentView> = {
  id: 'payment.id',
  payment_id: 'payment.payment_id',
  agreement_id: 'payment.agreement_id',
  payer_id: 'payment.payer_id',
  amount: 'payment.amount',
  tds_amount: 'payment.tds_amount',
  tds_certificate_number: 'payment.tds_certificate_number',
  method: 'payment.method',
  reference: 'payment.reference',
  paid_on: 'payment.paid_on',
  cheque_date: 'payment.cheque_date',
  cleared_on: 'payment.cleared_on',
  status: 'payment.status',
  allocations,
  unapplied_amount: 'payment.unapplied_amount',
  refunded_amount: 'payment.refunded_amount',
  receipt_number: 'payment.receipt_number',
  reversal_reason: 'payment.reversal_reason',
  posted_at: toIsoTimestamp(sql.ref('payment.posted_at')),
  created_at: toIsoTimestamp(sql.ref('payment.created_at')),
}

type PaymentFilters = ReturnType<typeof toBookFilters<PaymentQuery>>

/** Selects a page of the payments of the agreements that a user manages or is a party of. */
export function selectPaymentPage(db: Db, userId: UserId, filters: PaymentFilters) {
  const { agreement, unit, payer_id, status, method, from, to } = filters
  let payments = db
    .selectFrom('payments as payment')
    .where('payment.agreement_id', '=', selectBooksOfUser(db, userId))
    .select(toSelection(paymentColumns))
  if (agreement) payments = payments.where('payment.agreement_id', '=', getAgreementId(db, agreement))
  if (payer_id !== undefined) payments = payments.where('payment.payer_id', '=', payer_id)
  if (status !== undefined) payments = payments.where('payment.status', '=', status)
  if (method !== undefined) payments = payments.where('payment.method', '=', method)
  if (from !== undefined) payments = payments.where('payment.paid_on', '>=', from)
  if (to !== undefined) payments = payments.where('payment.paid_on', '<=', to)
  if (!unit) return payments
  const ofUnit = db
    .selectFrom('agreements as let')
    .where('let.property_unit_id', '=', getUnitId(db, unit))
    .select('let.id')
  return payments.where('payment.agreement_id', 'in', ofUnit)
}

export function selectPayment(db: Db, userId: UserId, key: RecordId) {
  return db
    .selectFrom('payments as payment')
    .where('payment.agreement_id', '=', selectBooksOfUser(db, userId))
    .where(e => ('id' in key ? e('payment.id', '=', key.id) : e('payment.payment_id', '=', key.uuid)))
    .select(toSelection(paymentColumns))
}

/** Reads a payment back in the transaction that changed it. */
export async function loadPaymentView(em: EntityManager, id: number): Promise<PaymentView> {
  const [view] = await executeCompiled(em, selectPaymentView, { id })
  return view!
}

function selectPaymentView(db: Db, { id }: { id: number }) {
  return db.selectFrom('payments as payment').where('payment.id', '=', id).select(toSelection(paymentColumns))
}
