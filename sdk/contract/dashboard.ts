import { Type, type Static } from '@sinclair/typebox'
import { User } from './auth.ts'
import { Nullable, StringEnum, Timestamp } from './common.ts'

/** What happened; `entity_type` and `entity_id` tell to which record. */
export const ActivityType = StringEnum(
  'profile_completed',
  'kyc_succeeded',
  'kyc_failed',
  'property_created',
  'property_updated',
  'property_deleted',
  'unit_created',
  'unit_updated',
  'unit_deleted',
  'unit_resigned',
  'agreement_created',
  'agreement_updated',
  'agreement_deleted',
  'agreement_sent',
  'agreement_viewed',
  'agreement_signed',
  'agreement_declined',
  'agreement_reminded',
  'agreement_activated',
  'agreement_renewed',
  'agreement_terminated',
  'agreement_revised',
  'agreement_completed',
  'signature_expired',
  'signature_cancelled',
  'renewal_drafted',
  'deposit_proposed',
  'deposit_accepted',
  'deposit_disputed',
  'deposit_settled',
  'rent_proposed',
  'rent_accepted',
  'rent_declined',
  'rent_withdrawn',
  'charge_posted',
  'payment_reported',
  'payment_confirmed',
  'payment_rejected',
  'payment_posted',
  'payment_changed',
  'payment_bounced',
  'payment_reversed',
)
export type ActivityType = Static<typeof ActivityType>

export const Activity = Type.Object({
  id: Type.Integer(),
  type: ActivityType,
  message: Type.String(),
  entity_type: StringEnum('user', 'kyc_request', 'property', 'property_unit', 'agreement'),
  entity_id: Type.Integer(),
  actor_id: Nullable(Type.Integer()),
  occurred_at: Timestamp,
})
export type Activity = Static<typeof Activity>

/**
 * `pending_payments` counts the rents due today or before with something outstanding, of the ACTIVE and TERMINATED
 * agreements whose books the user sees: the total of `GET /charges?type=rent&pending=true`.
 * `maintenance_requests` is always 0 for now.
 */
export const Dashboard = Type.Object({
  user: User,
  stats: Type.Object({
    total_properties: Type.Integer(),
    total_tenants: Type.Integer(),
    pending_payments: Type.Integer(),
    maintenance_requests: Type.Integer(),
  }),
  recent_activity: Type.Array(Activity),
})
export type Dashboard = Static<typeof Dashboard>
