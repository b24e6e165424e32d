import type { User } from './auth.ts'

/** What happened to one of the user's records. */
export type ActivityType =
  | 'profile_completed'
  | 'kyc_succeeded'
  | 'kyc_failed'
  | 'property_created'
  | 'property_updated'
  | 'property_deleted'
  | 'unit_created'
  | 'unit_updated'
  | 'unit_deleted'
  | 'unit_resigned'
  | 'agreement_created'
  | 'agreement_updated'
  | 'agreement_deleted'
  | 'agreement_sent'
  | 'agreement_viewed'
  | 'agreement_signed'
  | 'agreement_declined'
  | 'agreement_reminded'
  | 'agreement_activated'
  | 'agreement_renewed'
  | 'agreement_terminated'
  | 'agreement_revised'
  | 'agreement_completed'
  | 'signature_expired'
  | 'signature_cancelled'
  | 'renewal_drafted'
  | 'deposit_proposed'
  | 'deposit_accepted'
  | 'deposit_disputed'
  | 'deposit_settled'
  | 'rent_proposed'
  | 'rent_accepted'
  | 'rent_declined'
  | 'rent_withdrawn'
  | 'charge_posted'
  | 'payment_reported'
  | 'payment_confirmed'
  | 'payment_rejected'
  | 'payment_posted'
  | 'payment_changed'
  | 'payment_bounced'
  | 'payment_reversed'

/** Something that happened to the user's records. */
export interface Activity {
  /** The activity's number. */
  id: number
  /** What happened, as a stable word. */
  type: ActivityType
  /** What happened, as a sentence. */
  message: string
  /** The kind of record. */
  entity_type: 'user' | 'kyc_request' | 'property' | 'property_unit' | 'agreement'
  /** The record's number. */
  entity_id: number
  /** Who did it; null for the system. */
  actor_id: number | null
  /** An ISO 8601 timestamp. */
  occurred_at: string
}

/** The counts of a dashboard. */
export interface DashboardStats {
  /** Properties that the user listed or has an active unit in. */
  total_properties: number
  /** Tenants of the landlord's ACTIVE agreements. */
  total_tenants: number
  /** Rents due today or before with something outstanding, of the ACTIVE and TERMINATED agreements that the user lets, manages or rents. */
  pending_payments: number
  /** Always 0 for now. */
  maintenance_requests: number
}

/** The first page after the onboarding. */
export interface Dashboard {
  /** Who has signed in. */
  user: User
  /** The counts. */
  stats: DashboardStats
  /** The 20 newest activities, newest first. */
  recent_activity: Activity[]
}
