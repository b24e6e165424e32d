import { Type, type Static } from '@sinclair/typebox'
import { User } from './auth.ts'
import { Nullable, Timestamp } from './common.ts'

export const Activity = Type.Object({
  id: Type.Integer(),
  type: Type.String(),
  message: Type.String(),
  entity_type: Type.String(),
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
