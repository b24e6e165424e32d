import { Type, type Static } from '@sinclair/typebox'
import { Nullable, StringEnum, PageQuery, PageMetadata, Text, Timestamp } from './common.ts'

/**
 * A received webhook. `outcome` is its result once `processed_at` is set; `last_error` is why the latest of
 * its `attempts` failed.
 */
export const WebhookDelivery = Type.Object({
  id: Type.Integer(),
  provider: Type.String(),
  request_id: Nullable(Type.String()),
  document_id: Nullable(Type.String()),
  outcome: Nullable(Type.String()),
  attempts: Type.Integer(),
  last_error: Nullable(Type.String()),
  created_at: Timestamp,
  processed_at: Nullable(Timestamp),
  next_attempt_at: Nullable(Timestamp),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

/** `open` are not processed yet; `unknown` concern requests that this server did not create. */
export const WebhookDeliveryQuery = Type.Object({
  ...PageQuery(['id', 'created_at']),
  state: Type.Optional(StringEnum('open', 'done', 'unknown')),
  request_id: Type.Optional(Text(255)),
})
export type WebhookDeliveryQuery = Static<typeof WebhookDeliveryQuery>
export const WebhookDeliveryPage = Type.Object({ data: Type.Array(WebhookDelivery), metadata: PageMetadata })

/** The runs of each job by state, the newest failures, and the backlog. */
export const JobsReport = Type.Object({
  jobs: Type.Array(
    Type.Object({
      name: Type.String(),
      state: Type.String(),
      runs: Type.Integer(),
      newest: Nullable(Timestamp),
    }),
  ),
  failed: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      error: Nullable(Type.String()),
      failed_at: Nullable(Timestamp),
    }),
  ),
  waiting: Type.Object({
    open_signatures: Type.Integer(),
    /** Their status check is more than ten minutes overdue. */
    stuck_signatures: Type.Integer(),
    webhooks: Type.Integer(),
    cancellations: Type.Integer(),
    documents: Type.Integer(),
    reminders: Type.Integer(),
  }),
})
export type JobsReport = Static<typeof JobsReport>
