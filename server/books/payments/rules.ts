import type { NewPayment } from '@kiraya/sdk/contract'
import { Payment } from '../../../db/entities'
import type { LockedAgreement } from '../../leases/access'
import type { Actor, Tx } from '../../deps'
import { addMonths } from '../../domain/dates'
import { refuse, refuseFields } from '../../errors'
import type { Books } from '../ledger/books'

/** A tenant's reports of a lease that wait for the landlord's side: more would bury all else in its feed. */
const MAX_OPEN_REPORTS = 20
/** How long after the day of its entry a cheque may be dated. */
const MAX_CHEQUE_MONTHS = 24
/** How long before the start of its lease a payment may be dated, as token money is. */
const MAX_MONTHS_BEFORE_START = 12

/** @throws VALIDATION_ERROR The payer is no tenant of the lease, nothing is paid, or a date or the cheque's number is wrong. */
export function requirePaymentInput(
  locked: LockedAgreement,
  actor: Actor,
  input: NewPayment,
  today: string,
  isLandlordSide: boolean,
) {
  const payer_id = requirePayerId(locked, actor, input, isLandlordSide)
  const paid_on = input.paid_on ?? today
  const tds_amount = input.tds_amount ?? 0
  if (input.amount + tds_amount === 0) throw refuseFields('payment_empty', 'amount')
  requireDates(locked, input, paid_on, today)
  if (input.method === 'cheque' && !input.reference) throw refuseFields('cheque_number_missing', 'reference')
  return {
    payer_id,
    paid_on,
    amount: input.amount,
    tds_amount,
    tds_certificate_number: input.tds_certificate_number ?? null,
    method: input.method,
    reference: input.reference ?? null,
    cheque_date: input.cheque_date ?? null,
    // A report is compared within its lease alone: a refusal would tell a tenant of the landlord's other leases.
    allows_duplicate: !isLandlordSide || (input.allow_duplicate ?? false),
  }
}

/** A tenant reports their own payments; of a single tenant the landlord's side need not name the payer. */
function requirePayerId(
  { tenantIds }: LockedAgreement,
  actor: Actor,
  input: NewPayment,
  isLandlordSide: boolean,
) {
  const { payer_id } = input
  if (!isLandlordSide) {
    // A manager who was replaced still reads the books.
    if (!tenantIds.includes(actor.id)) throw refuse('not_unit_side')
    if (payer_id && payer_id !== actor.id) throw refuseFields('payer_not_self', 'payer_id', { id: actor.id })
    return actor.id
  }
  const id = payer_id ?? (tenantIds.length === 1 ? tenantIds[0]! : undefined)
  if (id === undefined || !tenantIds.includes(id))
    throw refuseFields('payer_not_tenant', 'payer_id', { ids: tenantIds })
  return id
}

function requireDates({ agreement }: LockedAgreement, input: NewPayment, paid_on: string, today: string) {
  const earliest = addMonths(agreement.agreement_start_date, -MAX_MONTHS_BEFORE_START)
  if (paid_on < earliest) throw refuseFields('date_before_lease', 'paid_on', { date: earliest })
  if (paid_on > today) throw refuseFields('date_in_future', 'paid_on', { today })
  const { cheque_date } = input
  if (!cheque_date) return
  if (input.method !== 'cheque') throw refuseFields('not_a_cheque', 'cheque_date', { field: 'cheque_date' })
  const latest = addMonths(today, MAX_CHEQUE_MONTHS)
  if (cheque_date > latest) throw refuseFields('date_too_far', 'cheque_date', { date: latest })
}

/** A cheque that is dated after its entry is paid on its own date. */
function getPaymentDay({ paid_on, cheque_date }: Payment) {
  return cheque_date && cheque_date > paid_on ? cheque_date : paid_on
}

/**
 * Dates a cheque that the bank has cleared.
 * @throws VALIDATION_ERROR It was cleared after today, or before it could be paid.
 */
export function dateClearedCheque(payment: Payment, cleared_on: string, today: string) {
  if (cleared_on > today) throw refuseFields('date_in_future', 'cleared_on', { today })
  const date = getPaymentDay(payment)
  if (cleared_on < date) throw refuseFields('cleared_before_cheque', 'cleared_on', { date })
  payment.paid_on = date
  payment.cleared_on = cleared_on
}

/**
 * Dates a payment that a tenant reported: it may be a cheque.
 * @throws VALIDATION_ERROR The cheque is dated after today.
 */
export function dateConfirmedPayment(payment: Payment, today: string) {
  const date = getPaymentDay(payment)
  if (date > today) throw refuseFields('date_in_future', 'cheque_date', { today })
  payment.paid_on = date
}

/** @throws BAD_REQUEST Too many payments that the tenant reported wait for the landlord's side. */
export async function requireFewReports({ em, actor }: Tx, { agreement }: Books) {
  const reported = { agreement_id: agreement.id, payer_id: actor.id, status: 'reported' } as const
  const open = await em.count(Payment, reported)
  if (open >= MAX_OPEN_REPORTS) throw refuse('too_many_reports', { limit: MAX_OPEN_REPORTS })
}
