import { sql } from 'kysely'
import type { Payment as PaymentView, PaymentQuery } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { toIsoTimestamp, type Db, type EntityManager } from '../../db/database'
import { toSelection, type ColumnsOf } from '../domain/columns'
import type { RecordId } from '../domain/record-id'
import type { UserIdExpression } from '../http/authentication'
import { getAgreementId, getUnitId, selectBooksOfUser, type toBookFilters } from '../ledger/queries'

/** Those that stand, or those that the payer asked for. */
const allocations = sql<PaymentView['allocations']>`coalesce(y.requested_allocations, (
  select coalesce(jsonb_agg(jsonb_build_object('charge_id', settled.charge_id, 'amount', settled.amount) order by settled.charge_id), '[]')
  from (
    select l.charge_id, sum(l.amount) as amount from payment_allocations l where l.payment_id = y.id group by l.charge_id
  ) settled
))`

export const paymentColumns: ColumnsOf<PaymentView> = {
  id: 'y.id',
  payment_id: 'y.payment_id',
  agreement_id: 'y.agreement_id',
  payer_id: 'y.payer_id',
  amount: 'y.amount',
  tds_amount: 'y.tds_amount',
  tds_certificate_number: 'y.tds_certificate_number',
  method: 'y.method',
  reference: 'y.reference',
  paid_on: 'y.paid_on',
  cheque_date: 'y.cheque_date',
  cleared_on: 'y.cleared_on',
  status: 'y.status',
  allocations,
  unapplied_amount: 'y.unapplied_amount',
  refunded_amount: 'y.refunded_amount',
  receipt_number: 'y.receipt_number',
  reversal_reason: 'y.reversal_reason',
  posted_at: toIsoTimestamp(sql.ref('y.posted_at')),
  created_at: toIsoTimestamp(sql.ref('y.created_at')),
}

type PaymentFilters = ReturnType<typeof toBookFilters<PaymentQuery>>

/** Selects a page of the payments of the agreements that a user manages or is a party of. */
export function selectPaymentPage(db: Db, userId: UserIdExpression, filters: PaymentFilters) {
  const { agreement, unit, payer_id, status, method, from, to } = filters
  let payments = db
    .selectFrom('payments as y')
    .where('y.agreement_id', '=', selectBooksOfUser(db, userId))
    .select(toSelection(paymentColumns))
  if (agreement) payments = payments.where('y.agreement_id', '=', getAgreementId(db, agreement))
  if (payer_id !== undefined) payments = payments.where('y.payer_id', '=', payer_id)
  if (status !== undefined) payments = payments.where('y.status', '=', status)
  if (method !== undefined) payments = payments.where('y.method', '=', method)
  if (from !== undefined) payments = payments.where('y.paid_on', '>=', from)
  if (to !== undefined) payments = payments.where('y.paid_on', '<=', to)
  if (!unit) return payments
  const ofUnit = db
    .selectFrom('agreements as let')
    .where('let.property_unit_id', '=', getUnitId(db, unit))
    .select('let.id')
  return payments.where('y.agreement_id', 'in', ofUnit)
}

export function selectPayment(db: Db, userId: UserIdExpression, key: RecordId) {
  return db
    .selectFrom('payments as y')
    .where('y.agreement_id', '=', selectBooksOfUser(db, userId))
    .where(e => ('id' in key ? e('y.id', '=', key.id) : e('y.payment_id', '=', key.uuid)))
    .select(toSelection(paymentColumns))
}

/** Reads a payment back in the transaction that changed it. */
export async function loadPaymentView(em: EntityManager, id: number): Promise<PaymentView> {
  const [view] = await executeCompiled(em, selectPaymentView, { id })
  return view!
}

function selectPaymentView(db: Db, { id }: { id: number }) {
  return db.selectFrom('payments as y').where('y.id', '=', id).select(toSelection(paymentColumns))
}
