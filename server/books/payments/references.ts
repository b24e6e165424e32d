import { sql } from 'kysely'
import type { PaymentMethod } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import type { Tx } from '../../deps'
import { refuseFields } from '../../errors'
import type { Books } from '../ledger/books'

type Payment = { method: PaymentMethod; reference?: string | null }
type Reference = { agreementId: number; landlordId: number; method: string; reference: string }

/** Which payments are compared with one that is recorded by the landlord's side, reported, or confirmed. */
const selectByStep = {
  recorded: selectOfLandlord,
  // A refusal would tell a tenant of the landlord's other leases.
  reported: (db: Db, given: Reference) =>
    selectOfLandlord(db, given).where('agreement_id', '=', given.agreementId),
  // What is only reported may be wrong.
  confirmed: (db: Db, given: Reference) => selectOfLandlord(db, given).where('status', '<>', 'reported'),
}

/**
 * The other payment is named to the landlord, and to others if it is of the same lease.
 * @throws VALIDATION_ERROR A payment by this method with this reference stands.
 */
export async function requireUnusedReference(
  { em, actor }: Tx,
  { agreement }: Books,
  { method, reference }: Payment,
  step: keyof typeof selectByStep,
) {
  if (!reference) return
  const given = { agreementId: agreement.id, landlordId: agreement.landlord_id, method, reference }
  const [same] = await executeCompiled(em, selectByStep[step], given)
  if (!same) return
  const isNamed = actor.id === agreement.landlord_id || same.agreement_id === agreement.id
  throw refuseFields('reference_used', 'reference', {
    payment_id: isNamed ? same.id : null,
    is_reported: isNamed && step === 'recorded' && same.status === 'reported',
  })
}

function selectOfLandlord(db: Db, given: Reference) {
  return db
    .selectFrom('payments')
    .where('landlord_id', '=', given.landlordId)
    .where('method', '=', sql<PaymentMethod>`${given.method}`)
    .where(sql<boolean>`lower(reference) = lower(${given.reference})`)
    .where('status', 'in', ['reported', 'pending', 'posted'])
    .orderBy(sql`agreement_id <> ${given.agreementId}`)
    .limit(1)
    .select(['id', 'agreement_id', 'status'])
}
