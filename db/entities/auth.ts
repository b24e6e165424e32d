import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { createdAt, numericId, timestamps, uuid } from './columns'
import { User } from './user'

/** `otp` holds a keyed hash, never the digits. */
export const OtpSession = defineEntity({
  name: 'OtpSession',
  tableName: 'otp_sessions',
  properties: {
    id: numericId(),
    phone_number: p.string().length(20).unique(),
    otp: p.string().length(64),
    attempts: p.integer().default(0),
    expire_at: p.datetime(3),
    ...timestamps,
    is_active: p.boolean().default(true),
  },
})

/** `auth_token` holds the SHA-256 of the JWT; `expires_by` is for tracking, `token_expires_at` is when the JWT itself ends. */
export const AuthSession = defineEntity({
  name: 'AuthSession',
  tableName: 'auth_sessions',
  uniques: [{ name: 'auth_sessions_one_active', properties: ['user_id'], where: 'is_active' }],
  properties: {
    id: numericId(),
    sid: uuid(),
    user_id: () => p.manyToOne(User).mapToPk().fieldName('user_id').index(),
    auth_token: p.string().length(500).unique(),
    expires_by: p.datetime(3),
    token_expires_at: p.datetime(3).index(),
    ...timestamps,
    is_active: p.boolean().default(true),
  },
})
export type AuthSession = InferEntity<typeof AuthSession>

/** A request that its client may send again; `answer` is empty while it is being worked on, at most until `claimed_until`. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  indexes: [{ name: 'idempotency_keys_oldest', properties: ['created_at'] }],
  properties: {
    user_id: () => p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    key: p.string().length(255).primary(),
    digest: p.string().length(64),
    answer: p.json<Record<string, unknown>>().nullable(),
    claimed_until: p.datetime(3),
    ...createdAt,
  },
})

/** How often something was done since its window opened; shared by all instances. */
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
