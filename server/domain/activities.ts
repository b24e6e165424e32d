import { sql } from 'kysely'
import type { Db } from '../../db/orm'
import type { EntityManager } from '../../db/database'
import { jsonOf, toRecords, type Transaction } from '../../db/records'

export type NewActivity = {
  type: string
  /** One sentence without a phone number or anything of an identity document. */
  message: string
  entity_type: 'user' | 'kyc_request' | 'property' | 'property_unit' | 'agreement'
  entity_id: number
  actor_id: number | null
}

/** Tells each of `to` who is there, in the transaction of the change itself; they stay until it ends. */
export const recordActivities = (
  tx: Transaction | EntityManager,
  now: Date,
  ...news: (NewActivity & { to: Iterable<number> })[]
) =>
  toRecords(tx).run(insertActivities, {
    now,
    news: jsonOf(
      news.flatMap(({ to, ...happening }, position) =>
        [...new Set(to)].map(user_id => ({ ...happening, user_id, position })),
      ),
    ),
  })

// Users are locked in the order of their ids, as everywhere.
const insertActivities = (_: Db, { now, news }: { now: Date; news: string }) => sql`
  insert into activities (user_id, occurred_at, type, message, entity_type, entity_id, actor_id)
  select u.id, ${now}::timestamptz, n.type, n.message, n.entity_type, n.entity_id, n.actor_id
  from json_to_recordset(${news}::text::json) as n (user_id int, position int, type text, message text, entity_type text, entity_id int, actor_id int) join users u on u.id = n.user_id and u.is_active
  order by u.id, n.position for key share of u`
