import { getNow, selectAll, type Db } from './http'
import { sql } from './queries'

const insertActivities = sql`
  insert into activities (user_id, occurred_at, type, message, entity_type, entity_id, actor_id)
  select id, $2::timestamptz, $3, $4, $5, $6, $7
  from users
  where id = any (string_to_array($1, ',')::int[]) and is_active
  order by id
  for key share`

type Activity = [type: string, message: string, entityType: string, entityId: number, actorId: number]

/** Records the activity once for each of the users. */
export const recordActivity = (db: Db, users: number[], ...activity: Activity) =>
  selectAll(db, insertActivities, users.join(), getNow(), ...activity)
