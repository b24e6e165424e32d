import { sql } from 'kysely'
import type { AllocationInput } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import type { RequestedAllocation } from '../../../db/entities'
import { toPaise, toRupees } from '../../domain/money'
import { refuseFields } from '../../faults'
import { getOutstanding, loadCharges, type Books } from '../ledger/books'
import { findAllocationViolation, type AllocationViolation } from '../ledger/allocation'

const UNKNOWN_ID = 0

/**
 * Returns what a payer asks for by the numbers of the charges, which it loads. `available` is paise.
 * @throws VALIDATION_ERROR An allocation names a foreign charge, or more than is outstanding or available.
 */
export async function requireAllocations(
  em: EntityManager,
  books: Books,
  inputs: AllocationInput[],
  available: number,
): Promise<RequestedAllocation[]> {
  const allocations = await findChargeIds(em, books, inputs)
  await loadCharges(
    em,
    books,
    allocations.map(({ charge_id }) => charge_id),
  )
  const requested = allocations.map(({ charge_id, amount }) => ({ charge_id, amount: toPaise(amount) }))
  const open = books.charges.map(charge => ({ ...charge, outstanding: getOutstanding(charge) }))
  const violation = findAllocationViolation(requested, open, available)
  if (violation) throw refuseAllocation(violation, available)
  return allocations
}

/** Replaces UUIDs of charges by their numbers. */
async function findChargeIds(em: EntityManager, { agreement }: Books, inputs: AllocationInput[]) {
  const uuids = inputs.map(({ charge_id }) => charge_id).filter(key => typeof key === 'string')
  const given = { uuids, agreementId: agreement.id }
  const found = uuids.length > 0 ? await executeCompiled(em, selectChargeIds, given) : []
  const idByUuid = new Map(found.map(({ id, charge_id }) => [charge_id, id]))
  return inputs.map(({ charge_id: key, amount }) => ({
    charge_id: typeof key === 'number' ? key : (idByUuid.get(key.toLowerCase()) ?? UNKNOWN_ID),
    amount,
  }))
}

function selectChargeIds(db: Db, { uuids, agreementId }: { uuids: string[]; agreementId: number }) {
  return db
    .selectFrom('charges')
    .where('agreement_id', '=', agreementId)
    .where(sql<boolean>`charge_id = any(${uuids}::uuid[])`)
    .select(['id', 'charge_id'])
}

function refuseAllocation({ index, cause, outstanding }: AllocationViolation, available: number) {
  const property = `allocations.${index}`
  switch (cause) {
    case 'unknown_charge':
      return refuseFields('allocation_of_unknown_charge', `${property}.charge_id`)
    case 'repeated_charge':
      return refuseFields('allocation_repeated', 'allocations')
    case 'above_outstanding':
      return refuseFields('allocation_above_charge', `${property}.amount`, { limit: toRupees(outstanding) })
    case 'above_available':
      return refuseFields('allocation_above_payment', 'allocations', { limit: toRupees(available) })
  }
}
