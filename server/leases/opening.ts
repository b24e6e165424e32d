import type { NewOpening, Opening } from '@kiraya/sdk/contract'
import type { Agreement } from '../../db/entities'
import { addDays, addMonths } from '../domain/dates'
import { toPaise } from '../domain/money'
import { refuseFields } from '../errors'

// What stood between the parties of a running lease before its books, which begin on the day after `settled_until`.

/** So many months from today a lease may be settled ahead. */
const MAX_MONTHS_AHEAD = 3

export function completeOpening(opening: NewOpening | null): Opening | null {
  if (!opening) return null
  const { settled_until, owed, advance, deposit_held } = opening
  return {
    settled_until,
    owed: owed || null,
    advance: advance || null,
    deposit_held: deposit_held ?? null,
  }
}

/** @throws VALIDATION_ERROR The lease has not begun or renews another one, or the opening contradicts it or itself. */
export function requireValidOpening(agreement: Agreement, today: string) {
  const { opening, agreement_start_date: start, renews_id } = agreement
  if (!opening) return
  if (renews_id) throw refuseFields('opening_of_renewal', 'opening')
  if (start > today) throw refuseFields('opening_before_start', 'opening', { start })
  const [eve, latest] = [addDays(start, -1), addMonths(today, MAX_MONTHS_AHEAD)]
  const field = 'opening.settled_until'
  if (opening.settled_until < eve) throw refuseFields('settled_before_start', field, { date: eve })
  if (opening.settled_until > latest) throw refuseFields('date_too_far', field, { date: latest })
  if (opening.owed && opening.advance) throw refuseFields('opening_owed_and_advance', 'opening.advance')
}

/** Returns the day on which the books of such a lease begin; null without an opening. */
export function getDayAfter(opening: Opening | null | undefined) {
  return opening ? addDays(opening.settled_until, 1) : null
}

/** Returns the deposit that the landlord holds before the books, in paise. */
export function getHeldDeposit({ opening, deposit_amount }: Pick<Agreement, 'opening' | 'deposit_amount'>) {
  return opening ? toPaise(opening.deposit_held ?? deposit_amount ?? 0) : 0
}
