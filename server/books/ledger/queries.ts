import { sql } from 'kysely'
import { anyIdIn, SQL_TRUE, type Db } from '../../../db/database'
import { selectManagedAgreements } from '../../leases/queries'
import { toRecordId, type RecordId } from '../../domain/record-id'
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

type BookQuery = { agreement_id?: number | string; property_unit_id?: number | string }

/** Tells numbers and UUIDs in a query apart, since each makes a statement of its own. */
export function toBookFilters<Query extends BookQuery>({ agreement_id, property_unit_id, ...others }: Query) {
  return {
    ...others,
    agreement: agreement_id === undefined ? undefined : toRecordId(agreement_id),
    unit: property_unit_id === undefined ? undefined : toRecordId(property_unit_id),
  }
}

/** The number of an agreement; null if there is none with the UUID. */
export function getAgreementId(db: Db, key: RecordId) {
  if ('id' in key) return sql<number>`${key.id}`
  const found = db.selectFrom('agreements').where('agreement_id', '=', key.uuid).select('id')
  return sql<number>`${found}`
}

/** The number of a unit; null if there is none with the UUID. */
export function getUnitId(db: Db, key: RecordId) {
  if ('id' in key) return sql<number>`${key.id}`
  const found = db.selectFrom('property_units').where('property_unit_id', '=', key.uuid).select('id')
  return sql<number>`${found}`
}
