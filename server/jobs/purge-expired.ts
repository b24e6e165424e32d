import { AuthSession, IdempotencyKey, OtpSession, RateLimit } from '../../db/entities'
import { records } from '../../db/records'
import type { Deps } from '../deps'
import { DAY_MS } from '../domain/durations'

/** Removes what has no more effect: one-time passwords, sessions whose token has expired, counters of past windows, answers that are not given again. */
export async function purgeExpired({ orm, now }: Deps) {
  const db = records(orm)
  const at = now()
  await db.delete(OtpSession, { expire_at: { $lte: new Date(at.getTime() - DAY_MS) } })
  await db.delete(AuthSession, { token_expires_at: { $lte: at } })
  await db.delete(IdempotencyKey, { created_at: { $lte: new Date(at.getTime() - DAY_MS) } })
  await db.delete(RateLimit, { resets_at: { $lte: at } })
}
