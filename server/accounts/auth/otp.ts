import { createHmac, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import type { Deps } from '../../deps'
import { getClientNetwork } from '../../http/limits/client-ip'

const MAX_ATTEMPTS = 20
/** Fewer than in all: guesses from another network do not use up those of the owner. */
const MAX_ATTEMPTS_PER_NETWORK = 5

export function generateOtp() {
  return randomInt(1_000_000).toString().padStart(6, '0')
}

/** The hash is keyed: a plain one of six digits could be guessed. */
function hashOtp(key: string, phone: string, otp: string) {
  return createHmac('sha256', `otp:${key}`).update(`${phone}:${otp}`).digest('hex')
}

type NewOtp = { phone: string; otp: string; now: Date; lifetimeMs: number }

/** Stores a phone number's OTP, which replaces the previous one. */
export function storeOtp({ config, db }: Deps, { phone, otp, now, lifetimeMs }: NewOtp) {
  return executeCompiled(db, upsertOtp, {
    phone,
    hash: hashOtp(config.JWT_SECRET, phone, otp),
    now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  })
}

function upsertOtp(db: Db, given: { phone: string; hash: string; now: Date; expiresAt: Date }) {
  const fields = {
    otp: given.hash,
    expire_at: given.expiresAt,
    attempts: 0,
    attempts_by_network: sql<Record<string, number>>`'{}'::jsonb`,
    updated_at: given.now,
    created_at: given.now,
  }
  return db
    .insertInto('otp_sessions')
    .values({ phone_number: given.phone, ...fields })
    .onConflict(conflict => conflict.column('phone_number').doUpdateSet(fields))
}

/**
 * Consumes a phone number's OTP, and returns whether it was the right one.
 * One statement compares and counts, so parallel guesses never exceed the limit. It locks the OTP until the transaction
 * ends, so one of parallel requests deletes the right one, and the others find none.
 */
export async function consumeOtp(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  em: EntityManager,
  { phone, otp }: { phone: string; otp: string },
) {
  const [attempt] = await executeCompiled(em, countAttempt, {
    phone,
    hashes: config.acceptedSecrets.JWT_SECRET.map(key => hashOtp(key, phone, otp)),
    now: now(),
    network: getClientNetwork(),
  })
  if (!attempt?.is_right) return false
  await executeCompiled(em, deleteOtp, { phone })
  return true
}

type HashedAttempt = { phone: string; hashes: string[]; now: Date; network: string }

/** Finds nothing if the OTP has expired, or if the limits are reached. */
function countAttempt(db: Db, { phone, hashes, now, network }: HashedAttempt) {
  const countOfNetwork = sql<number>`coalesce((attempts_by_network ->> ${network}::text)::int, 0)`
  return db
    .updateTable('otp_sessions')
    .where('phone_number', '=', phone)
    .where('expire_at', '>', sql<string>`${now}::timestamptz`)
    .where(countOfNetwork, '<', MAX_ATTEMPTS_PER_NETWORK)
    .where('attempts', '<', MAX_ATTEMPTS)
    .set(e => ({
      attempts: e('attempts', '+', 1),
      attempts_by_network: sql`
        attempts_by_network || jsonb_build_object(${network}::text, ${countOfNetwork} + 1)`,
      updated_at: now,
    }))
    .returning(sql<boolean>`otp = any (${hashes}::text[])`.as('is_right'))
}

function deleteOtp(db: Db, { phone }: { phone: string }) {
  return db.deleteFrom('otp_sessions').where('phone_number', '=', phone)
}
