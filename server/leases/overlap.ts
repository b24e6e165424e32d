import type { EntityManager } from '../../db/database'
import { Agreement } from '../../db/entities'

type LetTerm = Pick<Agreement, 'id' | 'property_unit_id' | 'agreement_start_date' | 'agreement_end_date'>

/**
 * Whether the unit is let or being let for part of the same time. The database refuses an overlap as well; checking
 * it first spares the signer a useless request.
 */
export async function hasOverlap(em: EntityManager, agreement: LetTerm) {
  const overlapping = await em.count(Agreement, {
    id: { $ne: agreement.id },
    property_unit_id: agreement.property_unit_id,
    status: { $in: ['PENDING', 'ACTIVE'] },
    agreement_start_date: { $lte: agreement.agreement_end_date },
    agreement_end_date: { $gte: agreement.agreement_start_date },
  })
  return overlapping > 0
}
