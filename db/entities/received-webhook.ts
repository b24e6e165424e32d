import { defineEntity, p } from '@mikro-orm/core'
import { createdAt, numericId } from './columns'

/**
 * The inbox of authentic webhooks, each with the ids, states and times of its payload.
 * `processed_at` is null until the webhook is applied; `next_attempt_at` is when Kiraya tries again.
 */
export const ReceivedWebhook = defineEntity({
  name: 'ReceivedWebhook',
  tableName: 'received_webhooks',
  indexes: [
    { name: 'received_webhooks_request', properties: ['request_id'] },
    { name: 'received_webhooks_document', properties: ['document_id'] },
    { name: 'received_webhooks_open', properties: ['next_attempt_at'], where: 'processed_at is null' },
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
