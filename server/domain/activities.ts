import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { toJsonText } from '../../db/json-text'

export type NewActivity = {
  type: string
  /** One sentence without a phone number or anything of an identity document. */
  message: string
  entity_type: 'user' | 'kyc_request' | 'property' | 'property_unit' | 'agreement'
  entity_id: number
  actor_id: number | null
}

/** As long as an agreement's number: a feed is no place for messages of others. */
const MAX_NAME_LENGTH = 50
const ADDRESS = /:\/\/|@|\.\p{L}{2}/u

/** Whether a name that a user typed may appear in the feeds of others: it is short and has no address. */
export function isFeedName(name: string) {
  return name.length <= MAX_NAME_LENGTH && !ADDRESS.test(name)
}

/** How many of their newest activities users see. */
export const FEED_LENGTH = 20

type AddressedActivity = NewActivity & { to: Iterable<number> }

/** Records activities for their active recipients, who cannot be erased until the transaction ends. */
export function recordActivities(em: EntityManager, now: Date, ...activities: AddressedActivity[]) {
  const rows = activities.flatMap(({ to, ...activity }, position) =>
    [...new Set(to)].map(user_id => ({ ...activity, user_id, position })),
  )
  return executeCompiled(em, insertActivities, { now, rows: toJsonText(rows) })
}

/**
 * Locks the users by ascending id, in the global lock order, to avoid deadlocks. When another changes a record again,
 * that replaces their earlier change, so that no one can fill the feeds of others.
 */
function insertActivities(_: Db, { now, rows }: { now: Date; rows: string }) {
  return sql`
    with n as materialized (
      select * from json_to_recordset(${rows}::text::json) as given (
        user_id int, position int, type text, message text, entity_type text, entity_id int, actor_id int
      )
    ), replaced as (
      delete from activities where id in (
        select recent.id
        from n cross join lateral (
          select * from activities a where a.user_id = n.user_id order by a.id desc limit ${FEED_LENGTH}
        ) recent
        where n.actor_id <> n.user_id and n.type like '%\\_updated'
          and (recent.actor_id, recent.type, recent.entity_type, recent.entity_id)
            = (n.actor_id, n.type, n.entity_type, n.entity_id)
      )
    )
    insert into activities (user_id, occurred_at, type, message, entity_type, entity_id, actor_id)
    select u.id, ${now}::timestamptz, n.type, n.message, n.entity_type, n.entity_id, n.actor_id
    from n
    join users u on u.id = n.user_id and u.is_active
    order by u.id, n.position
    for key share of u`
}
