import { AuthSession, IdempotencyKey, OtpSession, RateLimit } from '../../db/entities'
import type { Deps } from '../deps'
import { DAY } from '../http/limits'

/** Removes what has no more effect: one-time passwords, sessions whose token has expired, counters of past windows, answers that are not given again. */
export async function purge({ orm, now }: Deps) {
  const em = orm.em.fork(), at = now()
  await em.nativeDelete(OtpSession, { expire_at: { $lte: new Date(at.getTime() - DAY) } })
  await em.nativeDelete(AuthSession, { token_expires_at: { $lte: at } })
  await em.nativeDelete(IdempotencyKey, { created_at: { $lte: new Date(at.getTime() - DAY) } })
  await em.nativeDelete(RateLimit, { resets_at: { $lte: at } })
}
