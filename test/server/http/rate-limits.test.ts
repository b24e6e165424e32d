import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import type { Fault } from '../../../server/faults'
import { consumeRateLimits, refundRateLimits, type RateLimitRule } from '../../../server/http/rate-limits'
import { testServer } from '../../support/server'

const server = testServer()
const NOW = new Date('2026-11-01T00:00:00Z')
const after = (ms: number) => new Date(NOW.getTime() + ms)

/** Rules under keys of their own: each is its limit and its window. */
const createRules = (...rules: [max: number, windowMs: number][]): RateLimitRule[] =>
  rules.map(([max, windowMs]) => ({ key: crypto.randomUUID(), max, windowMs }))

const consume = (rules: RateLimitRule[], now = NOW) =>
  consumeRateLimits(server.deps.db, now, rules, 'too_many_tenants').then(
    () => 'allowed' as const,
    (fault: Fault) => fault,
  )

async function getCounts(rules: RateLimitRule[]) {
  const keys = rules.map(({ key }) => key)
  const counters = await getKysely(server.em())
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

  expect(await consume(rules)).toMatchObject({ status: 429, reason: 'too_many_tenants' })

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

const createOptional = (max: number): RateLimitRule => ({
  ...createRules([max, 60_000])[0]!,
  isOptional: true,
})

test('an optional rule that is exceeded is left out, and the use counts against the others', async () => {
  const [required] = createRules([5, 60_000])
  const optional = createOptional(1)
  for (let used = 0; used < 3; used++) expect(await consume([required!, optional])).toBe('allowed')
  expect(await getCounts([required!, optional])).toEqual([3, 1])
})

test('an optional rule that is exceeded does not save a use that another rule refuses', async () => {
  const rules = [...createRules([1, 60_000]), createOptional(1)]
  expect(await consume(rules)).toBe('allowed')

  expect(await consume(rules)).toMatchObject({ status: 429 })

  expect(await getCounts(rules)).toEqual([1, 1])
})

test('a reserve takes the place of a rule that is exceeded, until it is exceeded too', async () => {
  const [first, reserve, other] = createRules([1, 60_000], [1, 90_000], [5, 60_000])
  const rules = [{ ...first!, findReserve: async () => reserve }, other!]
  expect(await consume(rules)).toBe('allowed')
  expect(await consume(rules)).toBe('allowed')

  expect(await consume(rules)).toMatchObject({ status: 429, retryAfterS: 90 })

  expect(await getCounts([first!, reserve!, other!])).toEqual([1, 1, 2])
})
