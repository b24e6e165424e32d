import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { createdAt, numericId, timestamps } from './columns'
import { User } from './user'

/** The current OTP of a phone number. `otp` is a keyed hash, never the digits. */
export const OtpSession = defineEntity({
  name: 'OtpSession',
  tableName: 'otp_sessions',
  properties: {
    id: numericId(),
    phone_number: p.string().length(20).unique(),
    otp: p.string().length(64),
    attempts: p.integer().default(0),
    /** Wrong attempts by the network that they came from. */
    attempts_by_network: p.json<Record<string, number>>().defaultRaw(`'{}'`),
    expire_at: p.datetime(3),
    ...timestamps,
    is_active: p.boolean().default(true),
  },
})

/**
 * A token of a signed-in user; those of one session have its `sid`, and were created with its sign-in.
 * `auth_token` is the SHA-256 of the JWT, `token_expires_at` when it expires; `expires_by` is informational.
 */
export const AuthSession = defineEntity({
  name: 'AuthSession',
  tableName: 'auth_sessions',
  uniques: [{ name: 'auth_sessions_one_active', properties: ['user_id'], where: 'is_active' }],
  properties: {
    id: numericId(),
    sid: p.uuid().defaultRaw('gen_random_uuid()').index(),
    user_id: () => p.manyToOne(User).mapToPk().fieldName('user_id').index(),
    auth_token: p.string().length(500).unique(),
    expires_by: p.datetime(3),
    token_expires_at: p.datetime(3).index(),
    ...timestamps,
    is_active: p.boolean().default(true),
  },
})
export type AuthSession = InferEntity<typeof AuthSession>

/** The response to a request with an idempotency key; the digest is of its method, path and body. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  indexes: [{ name: 'idempotency_keys_oldest', properties: ['created_at'] }],
  properties: {
    user_id: () => p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    key: p.string().length(255).primary(),
    digest: p.string().length(64),
    answer: p.json<Record<string, unknown>>(),
    ...createdAt,
  },
})

/** How often a rate limit's key was used in its current window; all instances share it. */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limits',
  properties: {
    key: p.string().length(200).primary(),
    count: p.integer(),
    resets_at: p.datetime(3).index(),
    ...createdAt,
  },
})
