import { createHmac, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { mergeAction } from 'kysely/helpers/postgres'
import { executeCompiled } from '../../db/compiled-queries'
import type { Database, Db, EntityManager } from '../../db/database'
import { getClientNetwork } from '../http/limits/client-ip'
import { hashNetwork, selectKnownNetwork } from './known-networks'

const MAX_ATTEMPTS = 20
/** Fewer than in all: the guesses of a stranger elsewhere do not use up those of the owner. */
const MAX_ATTEMPTS_PER_NETWORK = 5

type NewOtp = { key: string; phone: string; otp: string; now: Date; lifetimeMs: number }
type OtpAttempt = { keys: string[]; phone: string; otp: string; now: Date }

export function generateOtp() {
  return randomInt(1_000_000).toString().padStart(6, '0')
}

/** The hash is keyed: a plain one of six digits could be guessed. */
function hashOtp(key: string, phone: string, otp: string) {
  return createHmac('sha256', `otp:${key}`).update(`${phone}:${otp}`).digest('hex')
}

/** Stores a phone number's OTP, which replaces the previous one. */
export function storeOtp(of: EntityManager | Database, { key, phone, otp, now, lifetimeMs }: NewOtp) {
  return executeCompiled(of, upsertOtp, {
    phone,
    hash: hashOtp(key, phone, otp),
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
export async function consumeOtp(of: EntityManager | Database, attempt: OtpAttempt) {
  const { keys, phone, otp, now } = attempt
  const [result] = await executeCompiled(of, mergeOtp, {
    phone,
    hashes: keys.map(key => hashOtp(key, phone, otp)),
    now,
    network: getClientNetwork(),
    networkHashes: keys.map(key => hashNetwork(key, phone)),
  })
  return result?.action === 'DELETE'
}

type HashedAttempt = {
  phone: string
  hashes: string[]
  now: Date
  network: string
  networkHashes: string[]
}

function mergeOtp(db: Db, attempt: HashedAttempt) {
  return db
    .mergeInto('otp_sessions as o')
    .using(selectGiven(db, attempt).as('given'), 'given.phone', 'o.phone_number')
    .whenMatchedAnd(e =>
      e.or([
        e('o.expire_at', '<=', e.ref('given.now')),
        e(countOfNetwork, '>=', MAX_ATTEMPTS_PER_NETWORK),
        e.and([e('o.attempts', '>=', MAX_ATTEMPTS), e.not(isKnownNetwork(db))]),
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

function selectGiven(db: Db, { phone, hashes, now, network, networkHashes }: HashedAttempt) {
  return db.selectNoFrom([
    sql<string>`${phone}::text`.as('phone'),
    sql<string[]>`${hashes}::text[]`.as('hashes'),
    sql<string>`${now}::timestamptz`.as('now'),
    sql<string>`${network}::text`.as('network'),
    sql<string[]>`${networkHashes}::text[]`.as('network_hashes'),
  ])
}

const countOfNetwork = sql<number>`coalesce((o.attempts_by_network ->> given.network)::int, 0)`

function isKnownNetwork(db: Db) {
  return sql<boolean>`exists ${selectKnownNetwork(db, sql.ref('given.phone'), sql.ref('given.network_hashes'))}`
}
