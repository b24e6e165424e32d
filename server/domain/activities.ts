import { sql } from 'kysely'
import type { Activity, ActivityType } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { toJsonText } from '../../db/json-text'

export type NewActivity = {
  type: ActivityType
  /** One sentence without a phone number or anything of an identity document. */
  message: string
  entity_type: Activity['entity_type']
  entity_id: number
  actor_id: number | null
  /** Whose record it is. */
  landlord_id: number
}

/** As long as an agreement's number: a feed is no place for messages of others. */
const MAX_NAME_LENGTH = 50
const ADDRESS = /:\/\/|@|[.。]\p{L}{2}|(\p{Nd}+\.){3}\p{Nd}|(\p{Nd}\P{Nd}*){8}/u

/** Whether a name that a user typed may appear in the feeds of others: it is short and has no address or phone. */
export function isFeedName(name: string) {
  return name.length <= MAX_NAME_LENGTH && !ADDRESS.test(name.normalize('NFKC'))
}

/** How many of their newest activities users see. */
export const FEED_LENGTH = 20

type AddressedActivity = NewActivity & { to: Iterable<number> }

/**
 * Records activities for their active recipients, who cannot be erased until the transaction ends. Records of a
 * landlord appear only in the feeds of the landlord's side and of people whom this landlord has asked to sign.
 */
export async function recordActivities(em: EntityManager, now: Date, ...activities: AddressedActivity[]) {
  const rows = activities.flatMap(({ to, ...activity }, position) =>
    [...new Set(to)].map(user_id => ({ ...activity, user_id, position })),
  )
  if (rows.length > 0) await executeCompiled(em, insertActivities, { now, rows: toJsonText(rows) })
}

// The outer `select` keeps PostgreSQL from reading a whole table at once.
const isManager = sql`(select exists (
  select from property_units unit where unit.landlord_id = n.landlord_id and unit.managed_by_id = n.user_id
))`
const wasAsked = sql`(select exists (
  select from agreement_signatures signature
  join agreements asked on asked.id = signature.agreement_id
  where signature.signer_id = n.user_id and asked.landlord_id = n.landlord_id
))`

/** Shares the users by ascending id, to avoid deadlocks. */
function insertActivities(_: Db, { now, rows }: { now: Date; rows: string }) {
  return sql`
    insert into activities (user_id, occurred_at, type, message, entity_type, entity_id, actor_id)
    select u.id, ${now}::timestamptz, n.type, n.message, n.entity_type, n.entity_id, n.actor_id
    from json_to_recordset(${rows}::text::json) as n (
      user_id int, position int, type text, message text, entity_type text, entity_id int, actor_id int,
      landlord_id int
    )
    join users u on u.id = n.user_id and u.is_active
    where n.user_id in (n.landlord_id, n.actor_id) or ${isManager} or ${wasAsked}
    order by u.id, n.position
    for key share of u`
}
