import { sql } from 'kysely'
import type { Activity, ActivityType } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { toJsonText } from '../../db/json-text'
import { hasSignedFor } from './strangers'

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
/** How many of those others can cause on the records of one landlord, until the user has signed for that landlord. */
const MAX_OF_STRANGER = 5

type AddressedActivity = NewActivity & { to: Iterable<number> }

const LOCK_NAMESPACE = 'activities of strangers'

/** Records activities for their active recipients, who cannot be erased until the transaction ends. */
export async function recordActivities(em: EntityManager, now: Date, ...activities: AddressedActivity[]) {
  const rows = activities.flatMap(({ to, ...activity }, position) =>
    [...new Set(to)].map(user_id => ({ ...activity, user_id, position })),
  )
  const forOther = rows.find(
    ({ user_id, actor_id, landlord_id }) => ![actor_id, landlord_id].includes(user_id),
  )
  if (forOther) await executeCompiled(em, lockFeedsOfStrangers, { landlordId: forOther.landlord_id })
  await executeCompiled(em, insertActivities, { now, rows: toJsonText(rows) })
}

/** Keeps parallel changes of one landlord's records from filling the feed of another together. */
function lockFeedsOfStrangers(db: Db, { landlordId }: { landlordId: number }) {
  return db.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtext(${LOCK_NAMESPACE}), ${landlordId}::int)`.as('locked'),
  )
}

/** The inner `select` keeps PostgreSQL from reading all signatures at once. */
const isStranger = sql<boolean>`(
  n.user_id <> n.landlord_id and not (select ${hasSignedFor(sql`n.landlord_id`, sql`n.user_id`)})
)`

/** The landlord of the record that a stored activity (`a`) is about. */
const landlordOfRecord = sql`case a.entity_type
  when 'agreement' then (select landlord_id from agreements where id = a.entity_id)
  when 'property_unit' then (select landlord_id from property_units where id = a.entity_id)
  when 'property' then (select landlord_id from properties where id = a.entity_id)
end`

/**
 * Locks the users by ascending id, in the global lock order, to avoid deadlocks. When another changes a record again,
 * that replaces their earlier change, and the newest activities on a stranger's records replace the older ones, even
 * those without an actor, so that no one can fill the feeds of others.
 */
function insertActivities(_: Db, { now, rows }: { now: Date; rows: string }) {
  return sql`
    with n as materialized (
      select given.*, row_number() over (of_landlord order by position desc) as place, count(*) over of_landlord as count
      from json_to_recordset(${rows}::text::json) as given (
        user_id int, position int, type text, message text, entity_type text, entity_id int, actor_id int,
        landlord_id int
      )
      window of_landlord as (partition by user_id, landlord_id, actor_id is not distinct from user_id)
    ), replaced as (
      delete from activities where id in (
        select recent.id
        from n cross join lateral (
          select newest.*, row_number() over (order by newest.id desc) as place
          from (
            select a.*, ${landlordOfRecord} as landlord_id
            from activities a where a.user_id = n.user_id order by a.id desc limit ${FEED_LENGTH}
          ) newest
          where newest.actor_id is distinct from n.user_id and newest.landlord_id = n.landlord_id
        ) recent
        where n.actor_id is distinct from n.user_id
          and (
            n.type like '%\\_updated' and recent.actor_id is not distinct from n.actor_id
            and (recent.type, recent.entity_type, recent.entity_id) = (n.type, n.entity_type, n.entity_id)
            or n.count + recent.place > ${MAX_OF_STRANGER} and ${isStranger}
          )
      )
    )
    insert into activities (user_id, occurred_at, type, message, entity_type, entity_id, actor_id)
    select u.id, ${now}::timestamptz, n.type, n.message, n.entity_type, n.entity_id, n.actor_id
    from n
    join users u on u.id = n.user_id and u.is_active
    where n.place <= ${MAX_OF_STRANGER} or n.actor_id = n.user_id or not ${isStranger}
    order by u.id, n.position
    for key share of u`
}
