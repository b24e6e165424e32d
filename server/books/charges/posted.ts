import type { ChargeSource, ChargeType } from '@kiraya/sdk/contract'
import { Charge } from '../../../db/entities'
import { toPaise, toRupees } from '../../domain/money'
import { toChargeLines } from '../ledger/accounts'
import type { Books, Posting } from '../ledger/books'
import { canBeLate, getFirstPostingDay } from './late-fee-rules'

type ChargeInput = {
  type: ChargeType
  description?: string | null
  due_date: string
  /** Paise. */
  amount: number
  source: ChargeSource
  item?: number
  period_start?: string | null
  period_end?: string | null
  base_charge_id?: number | null
}

/** Posts a charge on its due date. */
export function postCharge({ em, now, actorId }: Posting, books: Books, input: ChargeInput) {
  const { agreement } = books
  const charge = em.create(Charge, {
    charge_id: crypto.randomUUID(),
    agreement_id: agreement.id,
    property_unit_id: agreement.property_unit_id,
    description: null,
    period_start: null,
    period_end: null,
    base_charge_id: null,
    late_fee_on: canBeLate(agreement, input) ? getFirstPostingDay(agreement, input) : null,
    item: 0,
    ...input,
    amount: toRupees(input.amount),
    amount_paid: 0,
    amount_credited: 0,
    posted_at: now,
  })
  books.charges.push(charge)
  const lines = toChargeLines(input.type, input.amount)
  books.journals.push({ kind: 'charge', effectiveOn: input.due_date, actorId, charge, lines })
  return charge
}

/** What is not credited of a charge, in paise. */
export function getCharged({ amount, amount_credited }: Pick<Charge, 'amount' | 'amount_credited'>) {
  return toPaise(amount) - toPaise(amount_credited)
}
