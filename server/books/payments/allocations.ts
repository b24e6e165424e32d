import type { AllocationInput } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../../db/database'
import { sumPaise, toPaise, toRupees } from '../../domain/money'
import { refuseFields } from '../../errors'
import { findRecords, getOutstanding, type Books, type LiveAllocation } from '../ledger/books'

/**
 * Returns the charges that a payer asks for, and the paise of each. `available` is paise.
 * @throws VALIDATION_ERROR An allocation names a foreign charge, or more than is outstanding or available.
 */
export async function requireAllocations(
  em: EntityManager,
  books: Books,
  inputs: AllocationInput[],
  available: number,
) {
  const ids = inputs.map(({ charge_id }) => charge_id)
  const charges = await findRecords(em, books, 'charges', ids)
  let left = available
  return inputs.map(({ amount: rupees }, index) => {
    const charge = charges[index]
    if (!charge) throw refuseFields('allocation_of_unknown_charge', `allocations.${index}.charge_id`)
    if (charges.indexOf(charge) < index) throw refuseFields('allocation_repeated', 'allocations')
    const amount = toPaise(rupees)
    const limit = getOutstanding(charge)
    if (amount > limit)
      throw refuseFields('allocation_above_charge', `allocations.${index}.amount`, { limit: toRupees(limit) })
    left -= amount
    if (left < 0)
      throw refuseFields('allocation_above_payment', 'allocations', { limit: toRupees(available) })
    return { charge, amount }
  })
}

type Part = Pick<LiveAllocation, 'charge' | 'amount'>

/** Whether a charge is given less than it had. */
export function isTakenAway(before: Part[], given: Part[]) {
  const parts = [...given, ...before.map(({ charge, amount }) => ({ charge, amount: -amount }))]
  const changes = Map.groupBy(parts, ({ charge }) => charge).values()
  return changes.some(ofCharge => sumPaise(ofCharge.map(({ amount }) => amount)) < 0)
}
