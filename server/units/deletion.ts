import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '../../db/database'
import { Agreement, type PropertyUnit } from '../../db/entities'
import { refuse } from '../faults'

/**
 * Soft-deletes units together with their drafts; the caller flushes.
 * @throws BAD_REQUEST A unit has a PENDING or ACTIVE agreement.
 */
export async function softDeleteUnits(em: EntityManager, units: PropertyUnit[], of: 'property' | 'unit') {
  const agreements = await em.find(
    Agreement,
    {
      property_unit_id: { $in: units.map(unit => unit.id) },
      status: { $in: ['DRAFT', 'PENDING', 'ACTIVE'] },
    },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  )
  const isInUse = agreements.some(({ status }) => status !== 'DRAFT')
  if (isInUse) throw refuse('units_in_use', { of })

  for (const record of [...units, ...agreements]) record.is_active = false
}
