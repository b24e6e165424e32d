import { sql } from './fragments'

export const insertActivities = sql`
  insert into activities (user_id, occurred_at, type, message, entity_type, entity_id, actor_id)
  select u.id, $1::timestamptz, n.type, n.message, n.entity_type, n.entity_id, n.actor_id
  from json_to_recordset($2::text::json) as n (
    user_id int, position int, type text, message text, entity_type text, entity_id int, actor_id int
  )
  join users u on u.id = n.user_id and u.is_active
  order by u.id, n.position
  for key share of u`
