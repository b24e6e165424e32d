import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import { SQL_TRUE, type Db, type EntityManager } from '../../../db/database'
import type { Agreement } from '../../../db/entities'

/**
 * Whether the unit is let or being let for a part of the same time. The database refuses an overlap as well; checking
 * it first spares the signer a useless request.
 */
export async function hasOverlap(em: EntityManager, agreement: Agreement) {
  const overlapping = await executeCompiled(em, selectOverlapping, {
    id: agreement.id,
    unitId: agreement.property_unit_id,
    start: agreement.agreement_start_date,
    end: agreement.agreement_end_date,
  })
  return overlapping.length > 0
}

type Tenure = { id: number; unitId: number; start: string; end: string }

function selectOverlapping(db: Db, { id, unitId, start, end }: Tenure) {
  return db
    .selectFrom('agreements')
    .where('id', '<>', id)
    .where('property_unit_id', '=', unitId)
    .where(sql<boolean>`status in ('PENDING', 'ACTIVE')`)
    .where('is_active', '=', SQL_TRUE)
    .where('agreement_start_date', '<=', end)
    .where('agreement_end_date', '>=', start)
    .limit(1)
    .select('id')
}
