import { query, type Em } from '../db/orm'

export type Happening = {
  type: string
  /** One sentence without a phone number or anything of an identity document. */
  message: string
  entity_type: 'user' | 'kyc_request' | 'property' | 'property_unit' | 'agreement'
  entity_id: number
  actor_id: number | null
}

/** Tells each of these users, in the transaction of the change itself. */
export async function tell(tx: Em, now: Date, userIds: Iterable<number>, happening: Happening) {
  const rows = [...new Set(userIds)].map(user_id => ({ user_id, occurred_at: now, ...happening }))
  await query(tx).insertInto('activities').values(rows).execute()
}
