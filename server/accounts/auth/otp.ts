import { createHmac, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { mergeAction } from 'kysely/helpers/postgres'
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
 * One statement compares, counts and deletes, so parallel guesses never exceed the limit.
 */
export async function consumeOtp(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  em: EntityManager,
  { phone, otp }: { phone: string; otp: string },
) {
  const [result] = await executeCompiled(em, mergeOtp, {
    phone,
    hashes: config.acceptedSecrets.JWT_SECRET.map(key => hashOtp(key, phone, otp)),
    now: now(),
    network: getClientNetwork(),
  })
  return result?.action === 'DELETE'
}

type HashedAttempt = { phone: string; hashes: string[]; now: Date; network: string }

function mergeOtp(db: Db, attempt: HashedAttempt) {
  const countOfNetwork = sql<number>`coalesce((o.attempts_by_network ->> given.network)::int, 0)`
  return db
    .mergeInto('otp_sessions as o')
    .using(selectGiven(db, attempt).as('given'), 'given.phone', 'o.phone_number')
    .whenMatchedAnd(e =>
      e.or([
        e('o.expire_at', '<=', e.ref('given.now')),
        e(countOfNetwork, '>=', MAX_ATTEMPTS_PER_NETWORK),
        e('o.attempts', '>=', MAX_ATTEMPTS),
      ]),
    )
    .thenDoNothing()
    .whenMatchedAnd(e => e('o.otp', '=', e.fn.any('given.hashes')))
    .thenDelete()
    .whenMatched()
    .thenUpdateSet(e => ({
      attempts: e('o.attempts', '+', 1),
      attempts_by_network: sql`
        o.attempts_by_network || jsonb_build_object(given.network, ${countOfNetwork} + 1)`,
      updated_at: sql<Date>`given.now`,
    }))
    .returning(mergeAction().as('action'))
}

function selectGiven(db: Db, { phone, hashes, now, network }: HashedAttempt) {
  return db.selectNoFrom([
    sql<string>`${phone}::text`.as('phone'),
    sql<string[]>`${hashes}::text[]`.as('hashes'),
    sql<string>`${now}::timestamptz`.as('now'),
    sql<string>`${network}::text`.as('network'),
  ])
}
