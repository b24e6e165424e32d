import { Type, type Static } from '@sinclair/typebox'
import { User } from './auth.ts'
import { described, field, nullable, stringEnum, Timestamp } from './common.ts'
import { MaintenanceStatus } from './maintenance.ts'
import { negotiations } from './timeline.ts'

export const ActivityType = field(
  stringEnum(
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
    'agreement_recorded',
    'agreement_accepted',
    'agreement_objected',
    'objection_withdrawn',
    'agreement_voided',
    'agreement_renewed',
    'lease_ends_soon',
    'agreement_terminated',
    'agreement_revised',
    'agreement_completed',
    'signature_expired',
    'signature_cancelled',
    'renewal_drafted',
    ...negotiations,
    'charge_posted',
    'payment_reported',
    'payment_confirmed',
    'payment_rejected',
    'payment_posted',
    'payment_changed',
    'payment_bounced',
    'payment_reversed',
    'refund_reversed',
    ...MaintenanceStatus.enum.map(status => `maintenance_${status}` as const),
  ),
  "What happened to one of the user's records.",
)
export type ActivityType = Static<typeof ActivityType>

const EntityType = stringEnum(
  'user',
  'kyc_request',
  'property',
  'property_unit',
  'agreement',
  'maintenance_request',
)
export const Activity = described(
  'One line of the recent activities. `message` is a sentence; `actor_id` is null for the system.',
  {
    id: field(Type.Integer(), 'Its number'),
    type: field(ActivityType, 'What happened, as a stable word'),
    message: field(Type.String(), 'What happened, as a sentence'),
    entity_type: field(EntityType, 'The kind of record'),
    entity_id: field(Type.Integer(), "The record's number"),
    actor_id: field(nullable(Type.Integer()), 'Who did it; null for the system'),
    occurred_at: field(Timestamp, 'When it happened'),
  },
)
export type Activity = Static<typeof Activity>

export const DashboardStats = described('The counts of a dashboard.', {
  total_properties: field(Type.Integer(), 'Properties that the user listed or has an active unit in'),
  total_tenants: field(Type.Integer(), "Tenants of the landlord's ACTIVE agreements"),
  pending_payments: field(Type.Integer(), 'The total of `GET /charges?type=rent&pending=true`'),
  maintenance_requests: field(Type.Integer(), 'The total of `GET /maintenance-requests?open=true`'),
  collected_this_month: field(
    Type.Number(),
    'Indian rupees received this month: `received` of `GET /books/summary`',
  ),
  overdue_amount: field(Type.Number(), 'Indian rupees overdue: `balances.overdue` of `GET /books/summary`'),
  vacant_units: field(Type.Integer(), 'Units that `GET /properties/:id/units?is_available=true` lists'),
})
export type DashboardStats = Static<typeof DashboardStats>
export const Dashboard = described(
  '`pending_payments` counts the rents due today or before with something outstanding, of the ACTIVE and ' +
    'TERMINATED agreements that the caller lets, manages or rents.',
  {
    user: field(User, 'Who has signed in'),
    stats: field(DashboardStats, 'The counts'),
    recent_activity: field(Type.Array(Activity), 'The 20 newest activities, newest first'),
  },
)
export type Dashboard = Static<typeof Dashboard>
