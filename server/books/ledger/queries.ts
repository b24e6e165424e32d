import { anyIdIn, SQL_TRUE, type Db } from '../../../db/database'
import { selectManagedAgreements } from '../../listing/visibility'
import type { UserId } from '../../http/reads/reader'

/** Selects the ids of the agreements whose books a user sees: as landlord, manager or tenant. */
export function selectBooksOfUser(db: Db, userId: UserId) {
  const rented = db
    .selectFrom('agreement_tenants as rented')
    .where('rented.tenant_id', '=', userId)
    .select('rented.agreement_id as id')
  const fixed = db
    .selectFrom('agreements as fixed')
    .where('fixed.manager_id', '=', userId)
    .where('fixed.is_active', '=', SQL_TRUE)
    .select('fixed.id')
  return anyIdIn(selectManagedAgreements(db, userId).union(rented).union(fixed))
}
