import { sql } from 'kysely'
import { getKysely, type Db, type EntityManager } from '../../db/database'
import { toErasedPhone } from '../auth/queries'
import { isRateLimitKeyWithPhone } from './ownership'

/**
 * Erases a user from identity checks, contacts, idempotency keys, known networks, invitations, rate
 * limits and the sandbox.
 */
export async function eraseRelatedRows(em: EntityManager, userId: number, phone: string) {
  const db = getKysely(em)
  await anonymizeKycRequests(db, userId)
  await anonymizeStoredResponses(db, userId, phone)
  await db
    .deleteFrom('tenant_contacts')
    .where(e => e.or([e('landlord_id', '=', userId), e('tenant_id', '=', userId)]))
    .execute()
  await db.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute()
  await db.deleteFrom('known_networks').where('user_id', '=', userId).execute()
  await db.deleteFrom('invitations').where('phone_number', '=', phone).execute()
  await deleteRateLimits(db, phone)
  await deleteSandboxRecords(db, phone)
}

/** Keeps only the outcome of each check; an open one has failed. */
function anonymizeKycRequests(db: Db, userId: number) {
  return db
    .updateTable('kyc_requests')
    .where('user_id', '=', userId)
    .set({
      status: sql`case when status in ('CREATED', 'KYC_REQUESTED') then 'ERROR' else status end`,
      provider_request_id: null,
      verification_url: null,
      error_code: null,
      error_message: null,
      name: null,
      masked_aadhaar: null,
    })
    .execute()
}

/** The longest response that names a tenant is half as long. */
const MAX_TENANT_RESPONSE_BYTES = 4096

/**
 * Landlords who named the user as a tenant can repeat that request for a day; the user is still among their contacts.
 * `case` keeps PostgreSQL from reading long responses of other requests: anyone can store many of them.
 */
function anonymizeStoredResponses(db: Db, userId: number, phone: string) {
  const erased = { phone: toErasedPhone(userId), first_name: null, last_name: null }
  const tenant = sql`(answer -> 'of') || ${JSON.stringify(erased)}::text::jsonb`
  return db
    .updateTable('idempotency_keys')
    .where(
      'user_id',
      'in',
      db.selectFrom('tenant_contacts').where('tenant_id', '=', userId).select('landlord_id'),
    )
    .where(
      sql<boolean>`case when pg_column_size(answer) <= ${MAX_TENANT_RESPONSE_BYTES}::int
        then answer #>> '{of,phone}' = ${phone} end`,
    )
    .set({ answer: sql`jsonb_set(answer, '{of}', ${tenant})` })
    .execute()
}

/**
 * Counters that know the user by a hash stay until their window ends: an erasure gives no new tries.
 * Locks the others by ascending key, as a rate limit does, to avoid deadlocks.
 */
function deleteRateLimits(db: Db, phone: string) {
  const keys = db
    .selectFrom('rate_limits as r')
    .where(isRateLimitKeyWithPhone('r.key', sql`${phone}::text`))
    .orderBy('r.key')
    .select('r.key')
    .forUpdate()
  return db.deleteFrom('rate_limits').where('key', 'in', keys).execute()
}

/** The sandbox stores its messages and checks in this database. Its documents contain no phone numbers. */
function deleteSandboxRecords(db: Db, phone: string) {
  return db
    .deleteFrom('sandbox_records')
    .where('kind', '<>', 'content')
    .where(sql<boolean>`strpos(data::text, ${phone}) > 0`)
    .execute()
}
