import { expect, test } from 'bun:test'
import type { ApiError } from '../../../server/errors'
import {
  consumeRateLimits,
  refundRateLimits,
  type RateLimitRule,
} from '../../../server/http/limits/rate-limits'
import { waitForLocks } from '../../support/locks'
import { testServer } from '../../support/server'

const server = testServer()
const NOW = new Date('2026-11-01T00:00:00Z')
const after = (ms: number) => new Date(NOW.getTime() + ms)

/** Rules under keys of their own: each is its limit and its window. */
const createRules = (...rules: [max: number, windowMs: number][]): RateLimitRule[] =>
  rules.map(([max, windowMs]) => ({ key: crypto.randomUUID(), max, windowMs }))

const consume = (rules: RateLimitRule[], now = NOW) =>
  consumeRateLimits(server.deps.db, now, rules, 'too_many_invitations').then(
    () => 'allowed' as const,
    (error: ApiError) => error,
  )

async function getCounts(rules: RateLimitRule[]) {
  const keys = rules.map(({ key }) => key)
  const counters = await server.db
    .selectFrom('rate_limits')
    .where('key', 'in', keys)
    .select(['key', 'count'])
    .execute()
  return keys.map(key => counters.find(counter => counter.key === key)?.count)
}

test('a use that one rule refuses counts against none', async () => {
  const rules = createRules([5, 60_000], [2, 60_000])
  expect(await consume(rules)).toBe('allowed')
  expect(await consume(rules)).toBe('allowed')

  expect(await consume(rules)).toMatchObject({ status: 429, reason: 'too_many_invitations' })

  expect(await getCounts(rules)).toEqual([2, 2])
})

test('the wait is that of the exceeded rule whose window ends last', async () => {
  const rules = createRules([1, 60_000], [1, 90_000], [5, 3_600_000])
  expect(await consume(rules)).toBe('allowed')
  expect(await consume(rules, after(30_000))).toMatchObject({ status: 429, retryAfterS: 60 })
})

test('a window ends exactly after its time', async () => {
  const rules = createRules([1, 60_000])
  expect(await consume(rules)).toBe('allowed')
  expect(await consume(rules, after(59_999))).toMatchObject({ status: 429, retryAfterS: 0.001 })
  expect(await consume(rules, after(60_000))).toBe('allowed')
  expect(await consume(rules, after(119_999))).toMatchObject({ status: 429 })
})

test('a use that is taken back can be made again; a counter never goes below zero', async () => {
  const rules = createRules([1, 60_000])
  expect(await consume(rules)).toBe('allowed')
  await refundRateLimits(server.deps.db, rules)
  await refundRateLimits(server.deps.db, rules)
  expect(await getCounts(rules)).toEqual([0])
  expect(await consume(rules)).toBe('allowed')
  expect(await consume(rules)).toMatchObject({ status: 429 })
})

test('a refund locks counters in the order of their keys, as counting does: they cannot deadlock', async () => {
  const db = server.db
  const resets_at = new Date(Date.now() + 3_600_000)
  const rules = ['shared:b', 'shared:a'].map(key => ({ key, max: 5, windowMs: 1000 }))
  // In the table the later key comes first.
  for (const { key } of rules)
    await db.insertInto('rate_limits').values({ key, count: 2, resets_at, created_at: new Date() }).execute()

  const { refund, free } = await db.transaction().execute(async tx => {
    await tx.selectFrom('rate_limits').where('key', '=', 'shared:a').select('key').forUpdate().execute()
    const refund = refundRateLimits(server.deps.db, rules)
    await waitForLocks(server)
    const later = db.selectFrom('rate_limits').where('key', '=', 'shared:b').select('key')
    return { refund, free: await later.forUpdate().skipLocked().execute() }
  })
  await refund

  expect(free).toEqual([{ key: 'shared:b' }])
  const counters = db.selectFrom('rate_limits').where('key', 'like', 'shared:%').select('count')
  expect(await counters.execute()).toEqual([{ count: 1 }, { count: 1 }])
})

test('counting locks counters in the order of their keys, in whichever order the rules are', async () => {
  const db = server.db
  const now = new Date()
  const resets_at = new Date(now.getTime() + 3_600_000)
  const rules = ['counted:b', 'counted:B'].map(key => ({ key, max: 5, windowMs: 1000 }))
  for (const { key } of rules)
    await db.insertInto('rate_limits').values({ key, count: 2, resets_at, created_at: now }).execute()
  const later = db.selectFrom('rate_limits').where('key', '=', 'counted:b').select('key').forUpdate()

  const { counting, free } = await db.transaction().execute(async tx => {
    await tx.selectFrom('rate_limits').where('key', '=', 'counted:B').select('key').forUpdate().execute()
    const counting = consumeRateLimits(server.deps.db, now, rules, 'too_many_otps')
    await waitForLocks(server)
    return { counting, free: await later.skipLocked().execute() }
  })
  await counting

  expect(free).toEqual([{ key: 'counted:b' }])
})
