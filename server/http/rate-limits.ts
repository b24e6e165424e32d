import { sql } from 'kysely'
import type { Db } from '../../db/orm'
import type { Records } from '../../db/records'
import { tooManyRequests } from '../faults'

/** At most `most` times within `windowMs`, counted under `key`. */
export type RateLimitRule = { key: string; max: number; windowMs: number }

export const FIFTEEN_MINUTES_MS = 15 * 60_000

/**
 * Counts one use against each limit, or none and refuses. The count moves in the statement that reads it,
 * so that any number of requests on any number of instances together never exceed it.
 */
export async function consumeRateLimits(db: Records, now: Date, limits: RateLimitRule[], message: string) {
  const ordered = limits.toSorted((a, b) => (a.key < b.key ? -1 : 1)) // one order of locks, so that no two takers wait for each other
  const counted = await db.run(incrementCounters, {
    now,
    keys: ordered.map(({ key }) => key),
    ends: ordered.map(({ windowMs }) => new Date(now.getTime() + windowMs).toISOString()),
  })
  const over = counted.filter(({ key, count }) => count > limits.find(limit => limit.key === key)!.max)
  if (!over.length) return
  await refundRateLimits(db, limits)
  throw tooManyRequests(
    message,
    Math.max(...over.map(({ resets_at }) => Date.parse(resets_at) - now.getTime())) / 1000,
  )
}

const incrementCounters = (db: Db, { now, keys, ends }: { now: Date; keys: string[]; ends: string[] }) =>
  db
    .insertInto('rate_limits')
    .columns(['key', 'count', 'resets_at', 'created_at'])
    .expression(
      db
        .selectFrom(
          sql<{ key: string; ends: string }>`unnest(${keys}::text[], ${ends}::timestamptz[])`.as<'given'>(
            sql`given (key, ends)`,
          ),
        )
        .select([
          'given.key',
          sql<number>`1`.as('count'),
          'given.ends',
          sql<string>`${now}::timestamptz`.as('now'),
        ]),
    )
    .onConflict(conflict =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when rate_limits.resets_at <= excluded.created_at then 1 else rate_limits.count + 1 end`,
        resets_at: sql<Date>`case when rate_limits.resets_at <= excluded.created_at then excluded.resets_at else rate_limits.resets_at end`,
      }),
    )
    .returning(['key', 'count', 'resets_at'])

/** What was taken does not count after all. */
export const refundRateLimits = (db: Records, limits: RateLimitRule[]) =>
  db.run(decrementCounters, { keys: limits.map(({ key }) => key) })
const decrementCounters = (db: Db, { keys }: { keys: string[] }) =>
  db
    .updateTable('rate_limits')
    .set(e => ({ count: e('count', '-', 1) }))
    .where(e => e('key', '=', e.fn.any(e.val(keys))))
    .where('count', '>', 0)

// Re-exported until every caller imports it from its own file.
export { DAY_MS, HOUR_MS } from '../domain/durations'
export { getClientAddress, toNetworkPrefix, toSubscriberPrefix } from './client-ip'
