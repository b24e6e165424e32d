import { sql } from 'kysely'
import type { RentRevision as RevisionView } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import { toIsoTimestamp, type Db, type EntityManager } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
import { toSelection, type ColumnsOf } from '../../domain/columns'
import type { RecordId } from '../../domain/record-id'
import type { Parent, UserId } from '../../http/reads/reader'

const revisionColumns: ColumnsOf<RevisionView> = {
  id: 'revision.id',
  revision_id: 'revision.revision_id',
  agreement_id: 'revision.agreement_id',
  rent_amount: 'revision.rent_amount',
  effective_on: 'revision.effective_on',
  source: 'revision.source',
  status: 'revision.status',
  decided_by_id: 'revision.decided_by_id',
  decided_at: toIsoTimestamp(sql.ref('revision.decided_at')),
  created_at: toIsoTimestamp(sql.ref('revision.created_at')),
}

type OfAgreement = { agreementId: RecordId }

/** Selects a page of the rents of an agreement, also those that were declined. */
export function selectRevisionPage(db: Db, userId: UserId, given: OfAgreement) {
  return db
    .selectFrom('rent_revisions as revision')
    .where('revision.agreement_id', 'in', selectRevised(db, userId, given))
    .select(toSelection(revisionColumns))
}

function selectRevised(db: Db, userId: UserId, { agreementId }: OfAgreement) {
  return selectVisibleAgreement(db, userId, agreementId).select('a.id')
}

export const ofAgreement: Parent<OfAgreement> = { select: selectRevised, missing: 'agreement_not_found' }

/** Reads a revision back in the transaction that changed it. */
export async function loadRevisionView(em: EntityManager, id: number): Promise<RevisionView> {
  const [view] = await executeCompiled(em, selectRevisionView, { id })
  return view!
}

function selectRevisionView(db: Db, { id }: { id: number }) {
  return db
    .selectFrom('rent_revisions as revision')
    .where('revision.id', '=', id)
    .select(toSelection(revisionColumns))
}
