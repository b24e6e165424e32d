import { createHmac, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { mergeAction } from 'kysely/helpers/postgres'
import { query, type Em } from '../../db/orm'

const TRIES = 5

export const randomOtp = () => randomInt(1_000_000).toString().padStart(6, '0')

/** Six digits alone could be guessed from a plain hash, so the hash is keyed. */
const hashOf = (key: string, phone: string, otp: string) => createHmac('sha256', `otp:${key}`).update(`${phone}:${otp}`).digest('hex')

/** A new OTP takes the place of the older one. */
export const putOtp = (em: Em, key: string, phone_number: string, otp: string, now: Date, lifetimeMs: number) => {
  const fresh = { otp: hashOf(key, phone_number, otp), expire_at: new Date(now.getTime() + lifetimeMs), attempts: 0, updated_at: now }
  return query(em).insertInto('otp_sessions').values({ phone_number, ...fresh, created_at: now })
    .onConflict(conflict => conflict.column('phone_number').doUpdateSet({ ...fresh, created_at: now })).execute()
}

/** Whether this is the phone's OTP. Counts a wrong try and consumes the right one in the one statement that compares. */
export async function useOtp(em: Em, keys: string[], phone: string, otp: string, now: Date) {
  const db = query(em)
  const given = db.selectNoFrom([sql.val(phone).as('phone'), sql<string[]>`${keys.map(key => hashOf(key, phone, otp))}::text[]`.as('otps')]).as('given')
  const row = await db.mergeInto('otp_sessions as o').using(given, 'given.phone', 'o.phone_number')
    .whenMatchedAnd(e => e.or([e('o.expire_at', '<=', now.toISOString()), e('o.attempts', '>=', TRIES)])).thenDoNothing()
    .whenMatchedAnd(e => e('o.otp', '=', e.fn.any('given.otps'))).thenDelete()
    .whenMatched().thenUpdateSet(e => ({ attempts: e('o.attempts', '+', 1), updated_at: now }))
    .returning(mergeAction().as('action')).executeTakeFirst()
  return row?.action === 'DELETE'
}
