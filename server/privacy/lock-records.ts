import { LockMode } from '@mikro-orm/core'
import { sql, type RawBuilder } from 'kysely'
import { getKysely, type Db, type EntityManager } from '../../db/database'
import { User, type Agreement } from '../../db/entities'
import { isOwn, isOwnOrManagedUnit, isPartyOrManager, toUserId } from './ownership'

/** How long a statement of an erasure may wait for locks: others wait for those that it has. */
const LOCKING_TIMEOUT = '1s'

type Row = { id: number }
type AgreementRow = Pick<Agreement, 'id' | 'landlord_id' | 'status' | 'is_active'>
export type LockedRecords = { properties: Row[]; units: Row[]; agreements: AgreementRow[]; requests: Row[] }

/**
 * Locks a user after their records. `lock_timeout` would begin again with each transaction that holds the lock of the
 * user: new ones that name the user pass an erasure that waits.
 */
export async function lockUserWithRecords(em: EntityManager, id: number) {
  const db = getKysely(em)
  await sql`set local statement_timeout = ${sql.lit(LOCKING_TIMEOUT)}`.execute(db)
  const records = await findRecords(db, id, sql`for update`)
  await lockSignatures(db, records.agreements)
  const user = await em.findOne(User, { id, is_active: true }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  await sql`set local statement_timeout to default`.execute(db)
  return { user, records }
}

/** Once the user is locked no new record can name them, but one may have appeared before, unlocked. */
export async function hasNewRecords(em: EntityManager, userId: number, locked: LockedRecords) {
  const found = await findRecords(getKysely(em), userId)
  const kinds = Object.keys(found) as (keyof LockedRecords)[]
  return kinds.some(kind => hasNewId(found[kind], locked[kind]))
}

function hasNewId(rows: Row[], lockedRows: Row[]) {
  const lockedIds = new Set(lockedRows.map(({ id }) => id))
  return rows.some(({ id }) => !lockedIds.has(id))
}

/** Finds a user's records in the order of `LOCK_ORDER`; signatures come after them. */
async function findRecords(db: Db, userId: number, lock = sql``): Promise<LockedRecords> {
  const id = toUserId(userId)
  const find = async <R>(query: RawBuilder<R>) => {
    const { rows } = await sql<R>`${query} order by id ${lock}`.execute(db)
    return rows
  }
  return {
    properties: await find(sql<Row>`select id from properties p where ${isOwn('p', id)}`),
    units: await find(sql<Row>`select id from property_units u where ${isOwnOrManagedUnit('u', id)}`),
    agreements: await find(sql<AgreementRow>`
      select id, landlord_id, status, is_active from agreements a where ${isPartyOrManager('a.id', id)}`),
    requests: await find(sql<Row>`
      select id from maintenance_requests r
      where r.raised_by_id = ${id} or r.property_unit_id = any (array(
        select u.id from property_units u where ${isOwn('u', id)}
      ))`),
  }
}

async function lockSignatures(db: Db, agreements: Row[]) {
  const ids = agreements.map(({ id }) => id)
  const query = sql`select id from agreement_signatures where agreement_id = any (${ids}) order by id for update`
  await query.execute(db)
}
