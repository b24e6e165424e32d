import { RentRevision } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { selectVisibleId, type AgreementPath } from '../../leases/queries'
import { toColumns } from '../../domain/fields'
import { recordPath, type PathIds } from '../../http/record-id'
import type { UserId } from '../../http/reads/reader'

export const RevisionPath = recordPath({ id: 'agreement', revisionId: 'revision' })
export type RevisionPath = PathIds<typeof RevisionPath>

const revisionSelection = toColumns('rent_revisions as revision', RentRevision)

/** Selects a page of the rents of an agreement, also those that were declined. */
export function selectRevisionPage(db: Db, userId: UserId, path: AgreementPath) {
  return db
    .selectFrom('rent_revisions as revision')
    .where('revision.agreement_id', 'in', selectVisibleId(db, userId, path))
    .select(revisionSelection)
}

/** Selects a revision in the transaction that changed it. */
export function selectRevision(db: Db, _: UserId, { id }: { id: number }) {
  return db.selectFrom('rent_revisions as revision').where('revision.id', '=', id).select(revisionSelection)
}
