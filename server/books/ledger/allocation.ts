import type { ChargeType } from '@kiraya/sdk/contract'
import { compareDays } from '../../domain/dates'

type OpenCharge = {
  type: ChargeType
  due_date: string
  /** Paise. */
  outstanding: number
}

/** The order in which charges of one date are paid. */
const RANKS: Record<ChargeType, number> = {
  rent: 0,
  maintenance: 1,
  electricity: 2,
  water: 2,
  other: 3,
  damage: 3,
  opening_balance: 3,
  deposit: 4,
  // Paid after everything else, whatever its date.
  late_fee: 5,
}

type Available = {
  /** Paise. */
  available: number
}

/**
 * Allocates what is available of payments, one after the other, to open charges: by due date, late fees last, else in
 * their order; what is left is an advance.
 */
export function allocate<Payment extends Available, Charge extends OpenCharge>(
  payments: Iterable<Payment>,
  open: Charge[],
) {
  const parts: { payment: Payment; charge: Charge; amount: number }[] = []
  const charges = sortForPayment(open.filter(({ outstanding }) => outstanding > 0))
  let current = 0
  let settled = 0
  for (const payment of payments) {
    if (current === charges.length) break
    let left = payment.available
    while (left > 0 && current < charges.length) {
      const charge = charges[current]!
      const amount = Math.min(left, charge.outstanding - settled)
      parts.push({ payment, charge, amount })
      left -= amount
      settled += amount
      if (settled < charge.outstanding) continue
      current++
      settled = 0
    }
  }
  return parts
}

/** Sorts charges in the order in which money is applied to them when the payer says nothing else. */
function sortForPayment<Charge extends OpenCharge>(charges: Charge[]) {
  return charges.toSorted(
    (a, b) =>
      Number(a.type === 'late_fee') - Number(b.type === 'late_fee') ||
      compareDays(a.due_date, b.due_date) ||
      RANKS[a.type] - RANKS[b.type],
  )
}
