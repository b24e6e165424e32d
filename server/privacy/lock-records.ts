import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { getKysely, type Db, type EntityManager } from '../../db/database'
import { User } from '../../db/entities'
import { isOwn, isOwnOrManagedUnit, isPartyOrManager, toUserId } from './ownership'

/** How long a statement of an erasure may wait for locks: others wait for those that it has. */
const LOCKING_TIMEOUT = '1s'

export type LockedRecords = Awaited<ReturnType<typeof lockRecords>>

/**
 * Locks a user after their records. `lock_timeout` would begin again with each transaction that holds the lock of the
 * user: new ones that name the user pass an erasure that waits.
 */
export async function lockUserWithRecords(em: EntityManager, id: number) {
  const db = getKysely(em)
  await sql`set local statement_timeout = ${sql.lit(LOCKING_TIMEOUT)}`.execute(db)
  const records = await lockRecords(db, id)
  const user = await em.findOne(User, { id, is_active: true }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  await sql`set local statement_timeout to default`.execute(db)
  return { user, records }
}

/** Locks a user's records in the global order, to avoid deadlocks: property, unit, agreement, signature. */
async function lockRecords(db: Db, userId: number) {
  const own = selectRecords(db, userId)
  const properties = await own.properties.forUpdate().execute()
  const units = await own.units.forUpdate().execute()
  const agreements = await own.agreements
    .select(['a.landlord_id', 'a.status', 'a.is_active'])
    .forUpdate('a')
    .execute()
  const agreementIds = agreements.map(({ id }) => id)
  await db
    .selectFrom('agreement_signatures as s')
    .where(e => e('s.agreement_id', '=', e.fn.any(e.val(agreementIds))))
    .select('s.id')
    .orderBy('s.id')
    .forUpdate()
    .execute()
  return { properties, units, agreements }
}

/** Once the user is locked no new record can name them, but one may have appeared before, unlocked. */
export async function hasNewRecords(em: EntityManager, userId: number, locked: LockedRecords) {
  const own = selectRecords(getKysely(em), userId)
  return (
    hasNewId(await own.properties.execute(), locked.properties) ||
    hasNewId(await own.units.execute(), locked.units) ||
    hasNewId(await own.agreements.execute(), locked.agreements)
  )
}

type Row = { id: number }

function hasNewId(rows: Row[], lockedRows: Row[]) {
  const lockedIds = new Set(lockedRows.map(({ id }) => id))
  return rows.some(({ id }) => !lockedIds.has(id))
}

function selectRecords(db: Db, userId: number) {
  const id = toUserId(userId)
  return {
    properties: db.selectFrom('properties as p').where(isOwn('p', id)).select('p.id').orderBy('p.id'),
    units: db
      .selectFrom('property_units as u')
      .where(isOwnOrManagedUnit('u', id))
      .select('u.id')
      .orderBy('u.id'),
    agreements: db
      .selectFrom('agreements as a')
      .where(isPartyOrManager('a.id', id))
      .select('a.id')
      .orderBy('a.id'),
  }
}
