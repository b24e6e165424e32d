import { Type, type Static } from '@sinclair/typebox'
import { Nullable, StringEnum, PageQuery, PageMetadata, Text, Timestamp } from './common'

/** A webhook as it came. `outcome` says what it did, once `processed_at` is set; `last_error` why it could not be acted upon at the last of its `attempts`. */
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

/** `open` are those not acted upon yet, `unknown` those about requests that nobody here made. */
export const WebhookDeliveryQuery = Type.Object({
  ...PageQuery(['id', 'created_at']),
  state: Type.Optional(StringEnum('open', 'done', 'unknown')),
  request_id: Type.Optional(Text(255)),
})
export type WebhookDeliveryQuery = Static<typeof WebhookDeliveryQuery>
export const WebhookDeliveryPage = Type.Object({ data: Type.Array(WebhookDelivery), metadata: PageMetadata })

/** How the background work stands: runs of each job by state, the newest that failed, and what waits. */
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
    /** To be asked about ten minutes ago, and not asked about. */
    stuck_signatures: Type.Integer(),
    webhooks: Type.Integer(),
    cancellations: Type.Integer(),
    documents: Type.Integer(),
    reminders: Type.Integer(),
  }),
})
export type JobsReport = Static<typeof JobsReport>
