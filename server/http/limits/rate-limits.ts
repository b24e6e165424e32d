import type { codeByReason } from '@kiraya/sdk/contract'
import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Database, Db, EntityManager } from '../../../db/database'
import type { Config } from '../../config'
import { DAY_MS } from '../../domain/durations'
import { refuse, type ServiceLimit } from '../../errors'
import type { NamedReason } from '../../messages'

/** The reason of the error at a limit. */
export type LimitReason = {
  [R in NamedReason]: (typeof codeByReason)[R] extends 'TOO_MANY_REQUESTS' ? R : never
}[NamedReason]

/** Allows `max` uses of `key` within `windowMs`. */
export type RateLimitRule = {
  key: string
  max: number
  windowMs: number
  /** Set for a limit that all clients share. */
  serviceLimit?: ServiceLimit
}

/**
 * Counts one use against every rule, or against none if one is exceeded. Returns the rules, for a refund.
 * One statement counts and reads, so parallel requests on any number of instances never exceed a limit.
 * @throws TOO_MANY_REQUESTS A rule is exceeded; `Retry-After` is when its window ends.
 */
export async function consumeRateLimits(
  of: EntityManager | Database,
  now: Date,
  rules: RateLimitRule[],
  reason: LimitReason,
): Promise<RateLimitRule[]> {
  const exceeded = await countUse(of, now, rules)
  if (exceeded.length === 0) return rules

  await refundRateLimits(of, rules)
  const resetTimes = exceeded.map(({ resetsAt }) => resetsAt)
  const serviceLimit = exceeded.find(({ rule }) => rule.serviceLimit)?.rule.serviceLimit
  const retryAfterS = (Math.max(...resetTimes) - now.getTime()) / 1000
  throw refuse(reason, {}, { retryAfterS, serviceLimit })
}

/** Allows `max` uses of `key` in a day, in development with the sandbox more. */
export const toDailyLimit = (config: Config, key: string, max: number): RateLimitRule => ({
  key,
  max: max * config.rateLimitMultiplier,
  windowMs: DAY_MS,
})

/** Counts one use against every rule, and returns the exceeded ones with the end of their window. */
async function countUse(of: EntityManager | Database, now: Date, rules: RateLimitRule[]) {
  // In the order of the keys, to avoid deadlocks.
  const sorted = rules.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const counters = await executeCompiled(of, incrementCounters, {
    now,
    keys: sorted.map(({ key }) => key),
    windowEnds: sorted.map(({ windowMs }) => new Date(now.getTime() + windowMs).toISOString()),
  })
  const ruleByKey = new Map(rules.map(rule => [rule.key, rule]))
  return counters
    .map(({ key, count, resets_at }) => ({
      rule: ruleByKey.get(key)!,
      count,
      resetsAt: Date.parse(resets_at),
    }))
    .filter(({ rule, count }) => count > rule.max)
}

/** Takes back one use of every rule. */
export function refundRateLimits(of: EntityManager | Database, rules: RateLimitRule[]) {
  return executeCompiled(of, decrementCounters, { keys: rules.map(({ key }) => key) })
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
    .where('key', 'in', selectLockedKeys(db, keys))
    .where('count', '>', 0)
}

/** Locks the counters in the order in which they are counted, to avoid deadlocks. */
function selectLockedKeys(db: Db, keys: string[]) {
  return db
    .selectFrom('rate_limits')
    .where(e => e('key', '=', e.fn.any(e.val(keys))))
    .orderBy(sql`key collate "C"`)
    .select('key')
    .forUpdate()
}
