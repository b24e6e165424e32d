import { Type, type Static } from '@sinclair/typebox'
import { Nullable, StringEnum, Timestamp } from './common.ts'

export const TimelineEventType = StringEnum(
  'created',
  'changed',
  'address_changed',
  'deleted',
  'sent',
  'reissued',
  'viewed',
  'signed',
  'declined',
  'expired',
  'cancelled',
  'reminded',
  'activated',
  'document_stored',
  'renewed',
  'ended',
  'terminated',
  'revised',
  'completed',
  'deposit_proposed',
  'deposit_accepted',
  'deposit_disputed',
  'deposit_settled',
  'rent_proposed',
  'rent_accepted',
  'rent_declined',
  'rent_withdrawn',
  'renewal_drafted',
)
export type TimelineEventType = Static<typeof TimelineEventType>

/**
 * One event of an agreement. An `actor_id` of null is the system. `actor_name` is the actor's own name if the
 * actor is the landlord, the caller or has signed, else the name that the caller gave. `details` holds the `fields` of a change,
 * the `signer_id` and `signature_id` of a signature, the `reason` of a refusal or termination, or the
 * `snapshot_sha256` of what the event fixed: the lease as it was sent, the name of who signed. `hash`
 * covers the event and the previous event's hash.
 */
export const TimelineEvent = Type.Object({
  position: Type.Integer(),
  type: TimelineEventType,
  actor_id: Nullable(Type.Integer()),
  actor_name: Nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
  occurred_at: Timestamp,
  hash: Type.String(),
})
export type TimelineEvent = Static<typeof TimelineEvent>
/** `intact` is false if an event or what it fixed was changed, or an event removed. */
export const Timeline = Type.Object({ events: Type.Array(TimelineEvent), intact: Type.Boolean() })
export type Timeline = Static<typeof Timeline>
export const TimelineResponse = Type.Object({ message: Type.String(), data: Timeline })
