import type { Server } from 'elysia/universal'
import ipaddr from 'ipaddr.js'
import { sql } from 'kysely'
import type { Db } from '../../db/orm'
import type { Records } from '../../db/records'
import { tooManyRequests } from '../faults'

/** At most `most` times within `windowMs`, counted under `key`. */
export type RateLimitRule = { key: string; max: number; windowMs: number }

export const FIFTEEN_MINUTES_MS = 15 * 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

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

/** An attacker has a whole network as easily as one address of it: an IPv4 /24, an IPv6 /64. */
export const toNetworkPrefix = (address: string) => toPrefix(address, 24)
/** What one subscriber has: an IPv4 address, an IPv6 /64. */
export const toSubscriberPrefix = (address: string) => toPrefix(address, 32)

function toPrefix(address: string, bitsOfIpv4: number) {
  const text = address.split('%')[0]!
  if (!ipaddr.isValid(text)) return address
  const parsed = ipaddr.process(text) // ::ffff:192.0.2.1 is 192.0.2.1
  const [kind, bits] =
    parsed.kind() === 'ipv4' ? ([ipaddr.IPv4, bitsOfIpv4] as const) : ([ipaddr.IPv6, 64] as const)
  return `${kind.networkAddressFromCIDR(`${parsed}/${bits}`)}/${bits}`
}

/**
 * The client's address. Each proxy appends whom it heard to `X-Forwarded-For`; beyond the `trusted` ones of ours,
 * counted from the end, anybody may have written anything.
 */
export function getClientAddress(request: Request, server: Server | null, trusted: number) {
  const peer = server?.requestIP(request)?.address ?? 'unknown'
  if (!trusted) return peer
  const heard =
    request.headers
      .get('x-forwarded-for')
      ?.split(',')
      .map(part => part.trim()) ?? []
  const told = heard.at(-Math.min(trusted, heard.length || 1))
  return told && ipaddr.isValid(told) ? told : peer
}
