import { createHmac, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { mergeAction } from 'kysely/helpers/postgres'
import type { Db } from '../../db/orm'
import type { Records } from '../../db/records'

const TRIES = 5

export const generateOtp = () => randomInt(1_000_000).toString().padStart(6, '0')

/** Six digits alone could be guessed from a plain hash, so the hash is keyed. */
const hashOf = (key: string, phone: string, otp: string) =>
  createHmac('sha256', `otp:${key}`).update(`${phone}:${otp}`).digest('hex')

/** A new OTP takes the place of the older one. */
export const storeOtp = (
  db: Records,
  key: string,
  phone: string,
  otp: string,
  now: Date,
  lifetimeMs: number,
) =>
  db.run(putting, { phone, hash: hashOf(key, phone, otp), now, until: new Date(now.getTime() + lifetimeMs) })
const putting = (
  db: Db,
  { phone, hash, now, until }: { phone: string; hash: string; now: Date; until: Date },
) => {
  const fresh = { otp: hash, expire_at: until, attempts: 0, updated_at: now, created_at: now }
  return db
    .insertInto('otp_sessions')
    .values({ phone_number: phone, ...fresh })
    .onConflict(conflict => conflict.column('phone_number').doUpdateSet(fresh))
}

/** Whether this is the phone's OTP. Counts a wrong try and consumes the right one in the one statement that compares. */
export async function consumeOtp(db: Records, keys: string[], phone: string, otp: string, now: Date) {
  const [row] = await db.run(using, { phone, hashes: keys.map(key => hashOf(key, phone, otp)), now })
  return row?.action === 'DELETE'
}
const using = (db: Db, { phone, hashes, now }: { phone: string; hashes: string[]; now: Date }) =>
  db
    .mergeInto('otp_sessions as o')
    .using(
      db
        .selectNoFrom([
          sql<string>`${phone}::text`.as('phone'),
          sql<string[]>`${hashes}::text[]`.as('otps'),
          sql<string>`${now}::timestamptz`.as('now'),
        ])
        .as('given'),
      'given.phone',
      'o.phone_number',
    )
    .whenMatchedAnd(e => e.or([e('o.expire_at', '<=', e.ref('given.now')), e('o.attempts', '>=', TRIES)]))
    .thenDoNothing()
    .whenMatchedAnd(e => e('o.otp', '=', e.fn.any('given.otps')))
    .thenDelete()
    .whenMatched()
    .thenUpdateSet(e => ({ attempts: e('o.attempts', '+', 1), updated_at: sql<Date>`given.now` }))
    .returning(mergeAction().as('action'))
