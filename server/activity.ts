import { query, type Em } from '../db/orm'
import { holdUsers } from './auth/queries'

export type Happening = {
  type: string
  /** One sentence without a phone number or anything of an identity document. */
  message: string
  entity_type: 'user' | 'kyc_request' | 'property' | 'property_unit' | 'agreement'
  entity_id: number
  actor_id: number | null
}

/** Tells each of these users who is there, in the transaction of the change itself. */
export async function tell(tx: Em, now: Date, userIds: Iterable<number>, happening: Happening) {
  const { type, message, entity_type, entity_id, actor_id } = happening, known = await holdUsers(tx, [...new Set(userIds)])
  const rows = [...known].map(user_id => ({ user_id, occurred_at: now, type, message, entity_type, entity_id, actor_id }))
  if (rows.length) await query(tx).insertInto('activities').values(rows).execute()
}
