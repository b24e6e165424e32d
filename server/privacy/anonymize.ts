import { sql, type Expression, type RawBuilder } from 'kysely'
import { getKysely, type EntityManager } from '../../db/database'
import type { User } from '../../db/entities'
import { toErasedPhone } from '../accounts/auth/queries'
import { defaultAlias } from '../listing/properties/queries'
import { isManagedUnit, isOwn, isPartyOrManager, selectUnacceptedIds, toUserId } from './ownership'
import { listPersonalTables, type Person } from './tables'

// What an erasure keeps without personal data, and what it deletes. The transaction has locked all of these records.

const ERASED_NAME = 'Erased'

/** Whether no one has signed an agreement (`agreements as a`). */
const isUnsigned = sql<boolean>`not exists (
  select from agreement_signatures s where s.agreement_id = a.id and s.status = 'SIGNED'
)`

/** Whether others have units in a property (`properties as p`) once the user's own are deleted. */
const isShared = sql<boolean>`exists (
  select from property_units u where u.property_id = p.id and u.is_active
)`

/** Anonymizes or deletes a user's rows: those that `tables` leaves to do by hand first, then all others. */
export async function anonymizeRecords(em: EntityManager, now: Date, user: { id: number; phone: string }) {
  const id = toUserId(user.id)
  const person = { id, phone: sql<string>`${user.phone}::text`, phoneHash: sql<string>`null` }
  const statements = [
    ...anonymizeAgreements(id, now),
    deleteActivities(id),
    ...anonymizeProperties(id, now),
    ...anonymizeMaintenance(id, now),
    failOpenChecks(id),
    ...listPersonalTables().flatMap(table => eraseRows(table, person)),
  ]
  for (const statement of statements) await statement.execute(getKysely(em))
}

/** An unsigned agreement is deleted with its texts; a signed one is evidence and keeps its terms. */
const anonymizeAgreements = (id: Expression<number>, now: Date) => [
  // Whom it names did not agree to it, so it leaves those people's lists too.
  sql`
    update agreements a
    set is_active = false, document_url = null, document_sha256 = null, clauses = null, amenities = null,
      additional_policies = null, improvements = null, payment_terms = null, internal_notes = null, external_ref = null,
      updated_at = ${now}
    where ${isOwn('a', id)} and ${isUnsigned}`,
  // The stored certificate has what it needs of the snapshots. Those of an agreement that the user has not signed, or
  // not accepted, have nothing of theirs and stay for the others; its certificate is made again without their name.
  sql`
    update timeline_entries set snapshot = null
    where snapshot is not null and agreement_id = any (array(
      select a.id from agreements a where ${isPartyOrManager('a.id', id)} and a.status <> 'PENDING'
        and a.id not in (${selectUnacceptedIds(id)})
    ))`,
  sql`
    update agreements a set evidence_due_at = ${now}
    where a.id in (${selectUnacceptedIds(id)}) and a.signed_date is not null`,
  sql`update agreement_tenants set objection = null, objected_at = null where tenant_id = ${id}`,
  sql`update agreements a set termination_reason = null, internal_notes = null, external_ref = null where ${isOwn('a', id)}`,
]

/** Activities of other users may name the user's units, properties and unsigned agreements. */
const deleteActivities = (id: Expression<number>) => sql`
  delete from activities where id in (
    select id from activities where user_id = ${id}
    union select id from activities where entity_type = 'property_unit' and entity_id in (
      select u.id from property_units u where ${isOwn('u', id)}
    )
    union select id from activities where entity_type = 'maintenance_request' and entity_id in (
      select r.id from maintenance_requests r join property_units u on u.id = r.property_unit_id
      where ${isOwn('u', id)}
    )
    union select id from activities where entity_type = 'property' and entity_id in (
      select p.id from properties p where ${isOwn('p', id)}
    )
    union select id from activities where entity_type = 'agreement' and entity_id in (
      select a.id from agreements a where ${isOwn('a', id)} and ${isUnsigned}
    )
  )`

/** Deletes the user's units and properties; landlords manage their units again. */
const anonymizeProperties = (id: Expression<number>, now: Date) => [
  sql`
    update property_units u set managed_by_id = u.landlord_id, updated_at = ${now}
    where ${isManagedUnit('u', id)}`,
  sql`
    update property_units u
    set is_active = false, unit_name = ${ERASED_NAME}, furniture_included = null, unit_notes = null,
      unit_amenities = null, updated_at = ${now}
    where ${isOwn('u', id)}`,
  // A shared building stays for the others, without the name that the user gave to it.
  sql`
    update properties p set alias_name = ${defaultAlias}, is_listed = false, updated_at = ${now}
    where ${isOwn('p', id)} and ${isShared}`,
  sql`
    update properties p
    set is_active = false, alias_name = ${ERASED_NAME}, society_building = null, survey_number = null,
      road_name = null, locality = null, landmark = null, common_amenities = null, updated_at = ${now}
    where ${isOwn('p', id)} and not ${isShared}`,
]

/** What the user wrote about repairs and attached, and the vendors that they named; what was done and charged stays. */
const anonymizeMaintenance = (id: Expression<number>, now: Date) => [
  // The charge of a cost is described by the title.
  sql`
    update charges set description = null where id in (
      select r.charge_id from maintenance_requests r where r.raised_by_id = ${id}
    )`,
  sql`
    update maintenance_requests set title = ${ERASED_NAME}, description = null, updated_at = ${now}
    where raised_by_id = ${id}`,
  sql`
    update maintenance_requests r set vendor_name = null, vendor_phone = null, updated_at = ${now}
    from property_units u where u.id = r.property_unit_id and ${isOwn('u', id)}`,
  sql`delete from maintenance_entries where created_by_id = ${id} and status is null`,
  sql`update maintenance_entries set text = null where created_by_id = ${id}`,
  sql`delete from maintenance_attachments where created_by_id = ${id}`,
]

const failOpenChecks = (id: Expression<number>) => sql`
  update kyc_requests set status = 'ERROR'
  where user_id = ${id} and status in ('CREATED', 'KYC_REQUESTED')`

type NamedTable = ReturnType<typeof listPersonalTables>[number]

function eraseRows(
  { name, isOwn: isOfPerson, atErasure }: NamedTable,
  person: Person,
): RawBuilder<unknown>[] {
  if (atErasure === 'deleted') return [sql`delete from ${sql.table(name)} t where ${isOfPerson(person)}`]
  if (typeof atErasure !== 'object') return []
  const columns = atErasure.cleared.map(column => sql`${sql.id(column)} = null`)
  return [sql`update ${sql.table(name)} t set ${sql.join(columns)} where ${isOfPerson(person)}`]
}

/** Keeps the record, which others refer to, without personal data; the caller flushes. */
export function anonymizeUser(user: User) {
  user.phone = toErasedPhone(user.id)
  user.first_name = null
  user.last_name = null
  user.email = null
  user.password = null
  user.pan = null
  user.pan_last_four = null
  user.last_login_at = null
  user.is_active = false
}
