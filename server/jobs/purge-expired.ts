import { sql } from 'kysely'
import { getKysely, type Db } from '../../db/database'
import type { Deps } from '../deps'
import { DAY_MS } from '../domain/durations'

/** So many rows at once, so that no statement takes long. */
const BATCH_SIZE = 50_000

type Expiry = { table: string; column: string; keptMs: number }

/** What is deleted some time after the instant in one of its columns. */
const expiries: Expiry[] = [
  { table: 'otp_sessions', column: 'expire_at', keptMs: DAY_MS },
  { table: 'auth_sessions', column: 'token_expires_at', keptMs: 0 },
  // So that operators see who did not accept.
  { table: 'invitations', column: 'expires_at', keptMs: 7 * DAY_MS },
  { table: 'idempotency_keys', column: 'created_at', keptMs: DAY_MS },
  { table: 'rate_limits', column: 'resets_at', keptMs: 0 },
]

/** Deletes expired one-time passwords, sessions, invitations, idempotency keys, drafts and limits. */
export async function purgeExpired({ db, now }: Deps) {
  const em = db.fork()
  for (const expiry of expiries) await purge(getKysely(em), now(), expiry)
}

async function purge(db: Db, now: Date, { table, column, keptMs }: Expiry) {
  const isExpired = sql`${sql.ref(column)} <= ${new Date(now.getTime() - keptMs)}`
  for (;;) {
    // A row that a change holds is checked again once that commits: one in use again stays.
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ${isExpired} and ctid = any(array(
        select ctid from ${sql.table(table)} where ${isExpired} limit ${BATCH_SIZE}
      ))`.execute(db)
    if (numAffectedRows! < BATCH_SIZE) return
  }
}
