import { describe, expect, test } from 'bun:test'
import { createMovableClock } from '../../../server/domain/movable-clock'
import { clock, startSecondInstance, startTestServer, testServer } from '../../support/server'
import { createLease } from '../../support/books/lease-fixture'
import { createProperty, onboardLandlord, signInByOtp } from '../../support/users'
import { enveloped } from '../http/forms'
import { getState, moveClock, type TestServer } from './provider'

const HOUR_MS = 3_600_000
const server = testServer()

/** A server whose own time stands still at 10:00 UTC. */
async function withStoppedServerTime(run: (server: TestServer) => Promise<void>) {
  const time = clock(new Date('2026-11-21T10:00:00.000Z'))
  const stopped = await startTestServer({ overrides: { now: time.now } })
  await run(stopped).finally(stopped.end)
}

describe('POST /sandbox/control/clock', () => {
  const moves: [change: Record<string, unknown>, now: string, offsetMs: number][] = [
    [{ advance_ms: HOUR_MS }, '2026-11-21T11:00:00.000Z', HOUR_MS],
    [{ advance_ms: -2 * HOUR_MS }, '2026-11-21T09:00:00.000Z', -HOUR_MS],
    [{ at: '2026-11-22T15:30:00+05:30' }, '2026-11-22T10:00:00.000Z', 24 * HOUR_MS],
    [{ reset: true }, '2026-11-21T10:00:00.000Z', 0],
  ]
  test('200: moves by a time, to a time, and back to the server’s', () =>
    withStoppedServerTime(async stopped => {
      expect((await getState(stopped)).clock).toEqual({ now: '2026-11-21T10:00:00.000Z', offset_ms: 0 })
      for (const [change, now, offset_ms] of moves)
        expect((await moveClock(stopped, change)).body.data).toEqual({ now, offset_ms })
    }))

  test('200: two moves may add up to the limit, and not to more', () =>
    withStoppedServerTime(async stopped => {
      const halfMs = 1826 * 24 * HOUR_MS
      for (const sign of [1, -1]) {
        await moveClock(stopped, { reset: true })
        await moveClock(stopped, { advance_ms: sign * halfMs })
        const { status, body } = await moveClock(stopped, { advance_ms: sign * halfMs })
        expect([status, body.data?.offset_ms]).toEqual([200, sign * 2 * halfMs])
        expect((await moveClock(stopped, { advance_ms: sign })).status).toBe(400)
      }
    }))
})

test('rents fall due and leases end with the clock before the response, and sessions end', () =>
  withStoppedServerTime(async stopped => {
    const { agreement, asLandlord, landlord } = await createLease(stopped)
    await moveClock(stopped, { at: '2027-01-20T10:00:00+05:30' })

    expect((await landlord.get('/charges')).status).toBe(401)
    const { data } = await (await asLandlord()).get(`/charges?agreement_id=${agreement.id}&sort=due_date`)
    expect(data.map(({ due_date, status }: Record<string, string>) => [due_date, status])).toEqual([
      ['2026-12-15', 'overdue'],
      ['2027-01-05', 'overdue'],
    ])

    await moveClock(stopped, { at: '2029-01-01T10:00:00+05:30' })
    expect((await (await asLandlord()).get(`/agreements/${agreement.id}`)).data.status).toBe('TERMINATED')
  }))

test('a property that is created once the clock is 60 days ahead, and its activity, are 60 days in the future', () =>
  withStoppedServerTime(async stopped => {
    await moveClock(stopped, { advance_ms: 60 * 24 * HOUR_MS })
    const landlord = await onboardLandlord(await signInByOtp(stopped))
    const { property, path } = await createProperty(landlord)
    const changed = await landlord.patch(path, { landmark: 'Near the lake' })
    const [activity] = (await landlord.get('/dashboard')).data.recent_activity

    const { created_at, updated_at } = changed.data
    expect([property.created_at, created_at, updated_at, activity.occurred_at]).toEqual(
      Array(4).fill('2027-01-20T10:00:00.000Z'),
    )
  }))

test('another instance starts with the moved time', () =>
  withStoppedServerTime(async stopped => {
    await moveClock(stopped, { advance_ms: HOUR_MS })
    const second = await startSecondInstance(stopped)
    expect([stopped, second].map(({ deps }) => deps.now().toISOString())).toEqual(
      Array(2).fill('2026-11-21T11:00:00.000Z'),
    )
    await second.stop()
  }))

test('in production the server keeps its own time', () => {
  const time = clock()
  const [moved, kept] = [false, true].map(isProduction => createMovableClock(time.now, isProduction))
  for (const each of [moved!, kept!]) each.setOffset(HOUR_MS)
  expect(moved!.now().getTime() - time.now().getTime()).toBe(HOUR_MS)
  expect(kept!.now()).toEqual(time.now())
})

test('in production a move posts nothing in the books', () =>
  withStoppedServerTime(async stopped => {
    const lease = await createLease(stopped)
    Object.assign(stopped.deps.config, { isProduction: true })
    const { body } = await moveClock(stopped, { advance_ms: 30 * 24 * HOUR_MS })
    expect(body.data.offset_ms).toBe(30 * 24 * HOUR_MS)
    const landlord = await lease.asLandlord()
    expect((await landlord.get(`/charges?agreement_id=${lease.agreement.id}`)).data).toEqual([])
  }))

test.each<[change: Record<string, unknown>]>([
  [{}],
  [{ advance_ms: 1, reset: true }],
  [{ advance_ms: null }],
  [{ at: '2027-01-01T00:00:00Z', advance_ms: 5 }],
])('400: %j does not name exactly one change', async change => {
  expect((await moveClock(server, change)).body).toEqual(enveloped(400))
})
