import { Type, type Static } from '@sinclair/typebox'
import { described, field, nullable, response, stringEnum, Timestamp } from './common.ts'

/** What one side proposes and the other decides. */
export const negotiations = [
  'deposit_proposed',
  'deposit_accepted',
  'deposit_disputed',
  'deposit_accepted_on_paper',
  'deposit_unanswered',
  'deposit_settled',
  'rent_proposed',
  'rent_accepted',
  'rent_accepted_on_paper',
  'rent_declined',
  'rent_withdrawn',
  'reinstatement_asked',
  'reinstated',
] as const

export const TimelineEntryType = field(
  stringEnum(
    'created',
    'changed',
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
    'recorded',
    'accepted',
    'objected',
    'objection_withdrawn',
    'voided',
    'document_stored',
    'renewed',
    'ended',
    'terminated',
    'revised',
    'completed',
    ...negotiations,
    'renewal_drafted',
  ),
  'What happened to an agreement.',
)
export type TimelineEntryType = Static<typeof TimelineEntryType>

export const TimelineEntry = described(
  'One entry of a timeline; an `actor_id` of null is the system. `hash` covers the entry and the previous ' +
    "entry's hash.",
  {
    position: field(Type.Integer(), 'From 1, without gaps'),
    type: field(TimelineEntryType, 'What happened'),
    actor_id: field(nullable(Type.Integer()), 'Who did it; null for the system'),
    actor_name: field(
      nullable(Type.String()),
      "The actor's own name if the actor is the landlord, the caller or has signed, else the name that the caller " +
        'gave',
    ),
    details: field(
      Type.Record(Type.String(), Type.Unknown()),
      'The `fields` of a change, the `signed_on` of what was recorded, the `accepted_on` of what was accepted on paper, the `signer_id` and `signature_id` of a signature, the `reason` of a refusal or ' +
        'termination, or the `snapshot_sha256` of what the entry fixed: the lease as it was sent, the name of who ' +
        'signed',
    ),
    occurred_at: field(Timestamp, 'When it happened'),
    hash: field(Type.String(), "A SHA-256 in hex, of the entry and the previous entry's hash"),
  },
)
export type TimelineEntry = Static<typeof TimelineEntry>
export const Timeline = described('The timeline of an agreement.', {
  entries: field(Type.Array(TimelineEntry), 'Its entries in order'),
  intact: field(Type.Boolean(), 'False if an entry or what it fixed was changed, or an entry removed'),
})
export type Timeline = Static<typeof Timeline>
export const TimelineResponse = response(Timeline)
