import { RentRevision } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
import { toColumns } from '../../domain/fields'
import type { RecordId } from '../../http/record-id'
import type { Parent, UserId } from '../../http/reads/reader'

const revisionSelection = toColumns('rent_revisions as revision', RentRevision)

type OfAgreement = { agreementId: RecordId }

/** Selects a page of the rents of an agreement, also those that were declined. */
export function selectRevisionPage(db: Db, userId: UserId, given: OfAgreement) {
  return db
    .selectFrom('rent_revisions as revision')
    .where('revision.agreement_id', 'in', selectRevised(db, userId, given))
    .select(revisionSelection)
}

function selectRevised(db: Db, userId: UserId, { agreementId }: OfAgreement) {
  return selectVisibleAgreement(db, userId, agreementId).select('a.id')
}

export const ofAgreement: Parent<OfAgreement> = { select: selectRevised, missing: 'agreement_not_found' }

/** Selects a revision in the transaction that changed it. */
export function selectRevision(db: Db, _: UserId, { id }: { id: number }) {
  return db.selectFrom('rent_revisions as revision').where('revision.id', '=', id).select(revisionSelection)
}
