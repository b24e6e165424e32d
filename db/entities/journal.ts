import { defineEntity, p } from '@mikro-orm/core'
import { createdAt, numericId } from './columns'
import { User } from './user'

/** One line of one user's `recent_activity`, written in the transaction of the change that it tells of. */
export const Activity = defineEntity({
  name: 'Activity',
  tableName: 'activities',
  indexes: [{ name: 'activities_newest', properties: ['user_id', 'id'] }],
  properties: {
    id: numericId(),
    user_id: () => p.manyToOne(User).mapToPk().fieldName('user_id'),
    type: p.string().length(50),
    message: p.text(),
    entity_type: p.string().length(50),
    entity_id: p.integer(),
    actor_id: () => p.manyToOne(User).mapToPk().nullable().fieldName('actor_id'),
    occurred_at: p.datetime(3),
  },
})

/** Every authentic delivery as it came; `processed_at` is empty until it has been acted upon, which is tried again at `next_attempt_at`. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  indexes: [
    { name: 'webhook_deliveries_request', properties: ['request_id'] },
    { name: 'webhook_deliveries_document', properties: ['document_id'] },
    { name: 'webhook_deliveries_open', properties: ['next_attempt_at'], where: 'processed_at is null' },
  ],
  properties: {
    id: numericId(),
    provider: p.string().length(50),
    digest: p.string().length(64).unique(),
    request_id: p.string().length(255).nullable(),
    document_id: p.string().length(255).nullable(),
    payload: p.text(),
    attempts: p.integer().default(0),
    next_attempt_at: p.datetime(3).nullable(),
    last_error: p.text().nullable(),
    outcome: p.text().nullable(),
    processed_at: p.datetime(3).nullable(),
    ...createdAt,
  },
})

/** What the sandbox's providers remember: requests for signatures, identity checks, messages. */
export const SandboxRecord = defineEntity({
  name: 'SandboxRecord',
  tableName: 'sandbox_records',
  indexes: [{ name: 'sandbox_records_newest', properties: ['kind', 'created_at'] }],
  properties: {
    id: p.string().length(64).primary(),
    kind: p.string().length(20),
    data: p.json<Record<string, unknown>>(),
    ...createdAt,
  },
})
