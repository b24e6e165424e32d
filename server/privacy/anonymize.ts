import { sql, type Expression, type SelectQueryBuilder } from 'kysely'
import type { Activity } from '@kiraya/sdk/contract'
import { getKysely, type Db, type EntityManager, type Tables } from '../../db/database'
import type { User } from '../../db/entities'
import { toErasedPhone } from '../accounts/auth/queries'
import { defaultAlias } from '../listing/properties/queries'
import { isManagedUnit, isOwn, isPartyOrManager, toUserId } from './ownership'

// What an erasure keeps without personal data. The transaction has locked all of these records.

const ERASED_NAME = 'Erased'

/** Deletes unsigned agreements with their texts; a signed one is evidence and keeps its terms. */
export async function anonymizeAgreements(em: EntityManager, now: Date, userId: number) {
  const db = getKysely(em)
  const id = toUserId(userId)
  await anonymizeUnsignedAgreements(db, now, id)
  await deleteSnapshots(db, id)
  await db.updateTable('agreements as a').where(isOwn('a', id)).set({ termination_reason: null }).execute()
}

/**
 * The stored certificate has what it needs of the snapshots. One that is still to be signed keeps them for the
 * others; the user has not signed it.
 */
function deleteSnapshots(db: Db, userId: Expression<number>) {
  const agreements = db
    .selectFrom('agreements as a')
    .where(isPartyOrManager('a.id', userId))
    .where('a.status', '<>', 'PENDING')
    .select('a.id')
  return db
    .updateTable('agreement_events')
    .set({ snapshot: null })
    .where('snapshot', 'is not', null)
    .where('agreement_id', 'in', agreements)
    .execute()
}

/** Whether someone has signed an agreement (`agreements as a`). */
const isSigned = sql<boolean>`exists (
  select from agreement_signatures s where s.agreement_id = a.id and s.status = 'SIGNED'
)`

/** Whom they name did not agree to them, so they leave those people's lists too. */
function anonymizeUnsignedAgreements(db: Db, now: Date, userId: Expression<number>) {
  return db
    .updateTable('agreements as a')
    .where(isOwn('a', userId))
    .where(e => e.not(isSigned))
    .set({
      is_active: false,
      document_url: '',
      amenities: null,
      additional_policies: null,
      improvements: null,
      payment_terms: null,
      updated_at: now,
    })
    .execute()
}

/** Deletes the user's units and properties, and what activities say about them. */
export async function anonymizeProperties(em: EntityManager, now: Date, userId: number) {
  const db = getKysely(em)
  const id = toUserId(userId)
  await deleteActivities(db, id)
  await returnManagedUnits(db, now, id)
  await anonymizeUnits(db, now, id)
  await anonymizeSharedProperties(db, now, id)
  await anonymizeUnsharedProperties(db, now, id)
}

/** Activities of other users may name the user's units, properties and unsigned agreements. */
function deleteActivities(db: Db, userId: Expression<number>) {
  const units = db.selectFrom('property_units as u').where(isOwn('u', userId)).select('u.id')
  const properties = db.selectFrom('properties as p').where(isOwn('p', userId)).select('p.id')
  const unsigned = db
    .selectFrom('agreements as a')
    .where(isOwn('a', userId))
    .where(e => e.not(isSigned))
    .select('a.id')
  const selectAbout = (
    type: Activity['entity_type'],
    ids: SelectQueryBuilder<Tables, never, { id: number }>,
  ) => db.selectFrom('activities').where('entity_type', '=', type).where('entity_id', 'in', ids).select('id')
  const own = db.selectFrom('activities').where('user_id', '=', userId).select('id')
  return db
    .deleteFrom('activities')
    .where(
      'id',
      'in',
      own
        .union(selectAbout('property_unit', units))
        .union(selectAbout('property', properties))
        .union(selectAbout('agreement', unsigned)),
    )
    .execute()
}

/** Landlords manage their units again. */
function returnManagedUnits(db: Db, now: Date, userId: Expression<number>) {
  return db
    .updateTable('property_units as u')
    .set(e => ({ managed_by_id: e.ref('u.landlord_id'), updated_at: now }))
    .where(isManagedUnit('u', userId))
    .execute()
}

function anonymizeUnits(db: Db, now: Date, userId: Expression<number>) {
  return db
    .updateTable('property_units as u')
    .set({
      is_active: false,
      unit_name: ERASED_NAME,
      furniture_included: null,
      unit_notes: null,
      unit_amenities: null,
      updated_at: now,
    })
    .where(isOwn('u', userId))
    .execute()
}

/** Whether others have units in a property (`properties as p`) once the user's own are deleted. */
const isShared = sql<boolean>`exists (
  select from property_units u where u.property_id = p.id and u.is_active
)`

/** A shared building stays for the others, without the name that the user gave to it. */
function anonymizeSharedProperties(db: Db, now: Date, userId: Expression<number>) {
  return db
    .updateTable('properties as p')
    .where(isOwn('p', userId))
    .where(isShared)
    .set({ alias_name: defaultAlias, is_listed: false, updated_at: now })
    .execute()
}

function anonymizeUnsharedProperties(db: Db, now: Date, userId: Expression<number>) {
  return db
    .updateTable('properties as p')
    .where(isOwn('p', userId))
    .where(e => e.not(isShared))
    .set({
      is_active: false,
      alias_name: ERASED_NAME,
      society_building: null,
      survey_number: null,
      road_name: null,
      locality: null,
      landmark: null,
      common_amenities: null,
      updated_at: now,
    })
    .execute()
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
