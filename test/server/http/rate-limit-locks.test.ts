import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { consumeRateLimits, refundRateLimits } from '../../../server/http/rate-limits'
import { waitForLocks } from '../../support/locks'
import { testServer } from '../../support/server'

const server = testServer()

test('a refund locks counters in the order of their keys, as counting does: they cannot deadlock', async () => {
  const db = getKysely(server.em())
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
  const db = getKysely(server.em())
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
