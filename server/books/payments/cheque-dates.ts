import type { Payment } from '../../../db/entities'
import { refuseFields } from '../../faults'

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
export function dateConfirmedCheque(payment: Payment, today: string) {
  const date = getPaymentDay(payment)
  if (date > today) throw refuseFields('date_in_future', 'cheque_date', { today })
  payment.paid_on = date
}
