import { getKysely, type EntityManager } from '../../db/database'
import { recordActivities } from '../../server/domain/activities'
import { openSession } from '../../server/accounts/auth/sessions'
import type { Deps } from '../../server/deps'
import { DAY_MS } from '../../server/domain/durations'
import { createRecordStore } from '../../server/sandbox/record-store'
import { toTimestamps } from './timestamps'

// Sign-ins and identity checks by the rows that they leave, since almost every test begins with some. One test compares
// these rows with those of the requests.

export const PROFILE = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

/** Signs a new or a known phone in, as its one-time password does. */
export function storeSignIn(deps: Deps, phone: string) {
  return deps.db.transactional(async em => {
    await getKysely(em)
      .insertInto('users')
      .values({ phone, ...toTimestamps(deps.now()) })
      .onConflict(conflict => conflict.column('phone').doNothing())
      .execute()
    const user = await getKysely(em)
      .selectFrom('users')
      .where('phone', '=', phone)
      .select(['id', 'phone', 'is_active'])
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    if (!user.is_active) throw new Error(`The user with the phone ${phone} is not active`)
    return openSession(deps, em, user, 'b')
  })
}

/** Completes a user's profile and identity check. */
export function storeVerifiedProfile(deps: Deps, userId: number) {
  return deps.db.transactional(async em => {
    const now = deps.now()
    const db = getKysely(em)
    await db
      .updateTable('users')
      .where('id', '=', userId)
      .set({ ...PROFILE, kyc_verified: true, updated_at: now })
      .execute()
    const checkId = await insertKycRequest(em, userId, now, deps)
    await recordActivities(em, now, ...toProfileActivities(userId, checkId))
  })
}

function toProfileActivities(userId: number, checkId: number) {
  const about = { to: [userId], landlord_id: userId }
  const completed = {
    ...about,
    type: 'profile_completed',
    message: 'You completed your profile',
    entity_type: 'user',
    entity_id: userId,
    actor_id: userId,
  } as const
  const verified = {
    ...about,
    type: 'kyc_succeeded',
    message: 'Your identity was verified',
    entity_type: 'kyc_request',
    entity_id: checkId,
    actor_id: null,
  } as const
  return [completed, verified]
}

async function insertKycRequest(em: EntityManager, user_id: number, now: Date, { db, kyc, publicUrl }: Deps) {
  const requestId = crypto.randomUUID()
  const check = {
    id: requestId,
    status: 'SUCCESS',
    redirectUrl: `${publicUrl()}/verified`,
    touched: true,
    finishedAt: now.toISOString(),
  }
  await createRecordStore(db, 'ekyc').add(requestId, check, now)
  const { id } = await getKysely(em)
    .insertInto('kyc_requests')
    .values({
      user_id,
      provider: kyc.name,
      provider_request_id: requestId,
      verification_url: `${publicUrl()}/sandbox/verify/${requestId}`,
      status: 'SUCCESS',
      name: 'Sandbox Resident',
      masked_aadhaar: '0000',
      expires_at: new Date(now.getTime() + DAY_MS),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
