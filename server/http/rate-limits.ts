import { sql } from 'kysely'
import type { Db } from '../../db/database'
import type { Records } from '../../db/records'
import { MINUTE_MS } from '../domain/durations'
import { tooManyRequests } from '../faults'

/** Allows `max` uses of `key` within `windowMs`. */
export type RateLimitRule = { key: string; max: number; windowMs: number }

export const FIFTEEN_MINUTES_MS = 15 * MINUTE_MS

/**
 * Counts one use against every rule, or against none when one is exceeded.
 * One statement counts and reads, so parallel requests on any number of instances never exceed a limit.
 * @throws TOO_MANY_REQUESTS A rule is exceeded; `Retry-After` is when its window ends.
 */
export async function consumeRateLimits(db: Records, now: Date, rules: RateLimitRule[], message: string) {
  // In the order of the keys, to avoid deadlocks.
  const sorted = rules.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const counters = await db.run(incrementCounters, {
    now,
    keys: sorted.map(({ key }) => key),
    windowEnds: sorted.map(({ windowMs }) => new Date(now.getTime() + windowMs).toISOString()),
  })
  const maxByKey = new Map(rules.map(({ key, max }) => [key, max]))
  const exceeded = counters.filter(({ key, count }) => count > maxByKey.get(key)!)
  if (exceeded.length === 0) return

  await refundRateLimits(db, rules)
  const resetTimes = exceeded.map(({ resets_at }) => Date.parse(resets_at))
  throw tooManyRequests(message, (Math.max(...resetTimes) - now.getTime()) / 1000)
}

/** Takes back one use of every rule. */
export function refundRateLimits(db: Records, rules: RateLimitRule[]) {
  return db.run(decrementCounters, { keys: rules.map(({ key }) => key) })
}

type NewCounters = { now: Date; keys: string[]; windowEnds: string[] }

function incrementCounters(db: Db, { now, keys, windowEnds }: NewCounters) {
  const given = sql<{ key: string; window_end: string }>`
    unnest(${keys}::text[], ${windowEnds}::timestamptz[])`.as<'given'>(sql`given (key, window_end)`)
  const isWindowOver = sql`rate_limits.resets_at <= excluded.created_at`
  return db
    .insertInto('rate_limits')
    .columns(['key', 'count', 'resets_at', 'created_at'])
    .expression(
      db
        .selectFrom(given)
        .select([
          'given.key',
          sql<number>`1`.as('count'),
          'given.window_end',
          sql<string>`${now}::timestamptz`.as('now'),
        ]),
    )
    .onConflict(conflict =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when ${isWindowOver} then 1 else rate_limits.count + 1 end`,
        resets_at: sql<Date>`case when ${isWindowOver} then excluded.resets_at else rate_limits.resets_at end`,
      }),
    )
    .returning(['key', 'count', 'resets_at'])
}

function decrementCounters(db: Db, { keys }: { keys: string[] }) {
  return db
    .updateTable('rate_limits')
    .set(e => ({ count: e('count', '-', 1) }))
    .where(e => e('key', '=', e.fn.any(e.val(keys))))
    .where('count', '>', 0)
}
