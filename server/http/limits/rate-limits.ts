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
  /** How many uses are counted, by default one. */
  uses?: number
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
    uses: sorted.map(({ uses = 1 }) => uses),
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

/** Takes back the use of every rule. */
export function refundRateLimits(of: EntityManager | Database, rules: RateLimitRule[]) {
  const given = rules.map(({ key, uses = 1 }) => ({ key, uses }))
  return executeCompiled(of, decrementCounters, {
    keys: given.map(({ key }) => key),
    uses: given.map(({ uses }) => uses),
  })
}

type NewCounters = { now: Date; keys: string[]; uses: number[]; windowEnds: string[] }

function incrementCounters(db: Db, { now, keys, uses, windowEnds }: NewCounters) {
  const given = sql<{ key: string; uses: number; window_end: string }>`
    unnest(${keys}::text[], ${uses}::int[], ${windowEnds}::timestamptz[])`.as<'given'>(
    sql`given (key, uses, window_end)`,
  )
  const isWindowOver = sql`rate_limits.resets_at <= excluded.created_at`
  return db
    .insertInto('rate_limits')
    .columns(['key', 'count', 'resets_at', 'created_at'])
    .expression(
      db
        .selectFrom(given)
        .select([
          'given.key',
          'given.uses as count',
          'given.window_end',
          sql<string>`${now}::timestamptz`.as('now'),
        ]),
    )
    .onConflict(conflict =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`excluded.count + case when ${isWindowOver} then 0 else rate_limits.count end`,
        resets_at: sql<Date>`case when ${isWindowOver} then excluded.resets_at else rate_limits.resets_at end`,
      }),
    )
    .returning(['key', 'count', 'resets_at'])
}

type Uses = { keys: string[]; uses: number[] }

function decrementCounters(db: Db, { keys, uses }: Uses) {
  const taken = sql<number>`(${uses}::int[])[array_position(${keys}::text[], rate_limits.key::text)]`
  return db
    .updateTable('rate_limits')
    .set({ count: sql<number>`greatest(count - ${taken}, 0)` })
    .where('key', 'in', selectLockedKeys(db, keys))
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
