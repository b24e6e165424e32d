import {
  AuthSession,
  CertificateDraft,
  IdempotencyKey,
  Invitation,
  KnownNetwork,
  OtpSession,
  RateLimit,
} from '../../db/entities'
import type { Deps } from '../deps'
import { DAY_MS } from '../domain/durations'

const KNOWN_NETWORK_MS = 90 * DAY_MS
/** So that operators see who did not accept. */
const EXPIRED_INVITATION_MS = 7 * DAY_MS

/** Deletes expired one-time passwords, sessions, known networks, invitations, idempotency keys, drafts and limits. */
export async function purgeExpired({ db, now }: Deps) {
  const em = db.em.fork()
  const at = now()
  const dayAgo = new Date(at.getTime() - DAY_MS)
  await em.nativeDelete(OtpSession, { expire_at: { $lte: dayAgo } })
  await em.nativeDelete(AuthSession, { token_expires_at: { $lte: at } })
  await em.nativeDelete(KnownNetwork, { last_seen_at: { $lte: new Date(at.getTime() - KNOWN_NETWORK_MS) } })
  await em.nativeDelete(Invitation, { expires_at: { $lte: new Date(at.getTime() - EXPIRED_INVITATION_MS) } })
  await em.nativeDelete(IdempotencyKey, { created_at: { $lte: dayAgo } })
  await em.nativeDelete(CertificateDraft, { created_at: { $lte: dayAgo } })
  await em.nativeDelete(RateLimit, { resets_at: { $lte: at } })
}
