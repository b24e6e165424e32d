import type { User } from './auth.ts'

/** Something that happened to the user's records. */
export interface Activity {
  /** The activity's number. */
  id: number
  /** What happened, as a stable word. */
  type: string
  /** What happened, as a sentence. */
  message: string
  /** The kind of record, such as `agreement`. */
  entity_type: string
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
