import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { AuthSession, IdempotencyKey, KnownNetwork, OtpSession, RateLimit } from '../../../db/entities'
import { purgeExpired } from '../../../server/jobs/purge-expired'
import { interrupt } from '../../support/locks'
import { freshPhone, sendRequest, signInUser } from '../../support/users'
import { DAY_MS, withServer } from './with-server'

test(
  'sessions and limits are purged when they have expired, and not before',
  withServer(async server => {
    const person = await signInUser(server.url)
    server.advance(6 * DAY_MS)
    const later = await signInUser(server.url)
    await purgeExpired(server.deps)
    expect((await person.call('GET', '/auth/me')).status).toBe(200)
    expect(await server.em().count(RateLimit)).toBeGreaterThan(0)
    server.advance(2 * DAY_MS)
    await purgeExpired(server.deps)
    expect({
      sessions: await server.em().count(AuthSession),
      limits: await server.em().count(RateLimit),
    }).toEqual({ sessions: 1, limits: 0 })
    expect((await later.call('GET', '/auth/me')).status).toBe(200)
  }),
)

test(
  'a one-time password that has not expired survives the purge and signs in',
  withServer(async server => {
    const phone_number = freshPhone()
    await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number } })
    await purgeExpired(server.deps)

    const body = { phone_number, otp: '123456' }
    expect((await sendRequest(server, 'POST', '/auth/verify', { body })).status).toBe(200)
  }),
)

test(
  'a one-time password is purged a day after it has expired',
  withServer(async server => {
    await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: freshPhone() } })
    const { expire_at } = await server.em().findOneOrFail(OtpSession, { attempts: 0 })
    const untilPurgeMs = expire_at.getTime() + DAY_MS - server.deps.now().getTime()
    const countAfter = async (ms: number) => {
      server.advance(ms)
      await purgeExpired(server.deps)
      return server.em().count(OtpSession)
    }
    expect(await countAfter(untilPurgeMs - 1)).toBe(1)
    expect(await countAfter(1)).toBe(0)
  }),
)

test(
  'a known network is purged 90 days after its last sign-in',
  withServer(async server => {
    const { phone } = await signInUser(server)
    const countAfter = async (ms: number) => {
      server.advance(ms)
      await purgeExpired(server.deps)
      return server.em().count(KnownNetwork)
    }
    expect(await countAfter(89 * DAY_MS)).toBe(1)
    await signInUser(server, phone)
    const { last_seen_at } = await server.em().findOneOrFail(KnownNetwork, { network_hash: { $ne: '' } })
    const untilPurgeMs = last_seen_at.getTime() + 90 * DAY_MS - server.deps.now().getTime()
    expect(await countAfter(untilPurgeMs - 1)).toBe(1)
    expect(await countAfter(1)).toBe(0)
  }),
)

test(
  'a session is purged in the millisecond in which its token expires',
  withServer(async server => {
    await signInUser(server.url)
    const { token_expires_at } = await server
      .em()
      .findOneOrFail(AuthSession, { token_expires_at: { $ne: null } })
    const countAfter = async (ms: number) => {
      server.advance(ms)
      await purgeExpired(server.deps)
      return server.em().count(AuthSession)
    }
    expect(await countAfter(token_expires_at.getTime() - server.deps.now().getTime() - 1)).toBe(1)
    expect(await countAfter(1)).toBe(0)
  }),
)

test(
  'a request can be repeated for a day, and its key is purged then',
  withServer(async server => {
    const user = await signInUser(server)
    const name = () =>
      sendRequest(server, 'POST', '/tenants', {
        token: user.token,
        headers: { 'idempotency-key': 'once' },
        body: { phone_number: '9876543210', first_name: 'Tara' },
      })
    const first = await name()
    const countAfter = async (ms: number) => {
      server.advance(ms)
      await purgeExpired(server.deps)
      return server.em().count(IdempotencyKey)
    }
    expect(await countAfter(DAY_MS - 1)).toBe(1)
    expect(await name()).toMatchObject({ status: 201, data: first.data })
    expect(await countAfter(1)).toBe(0)
  }),
)

test(
  'all that has expired is purged, however much it is',
  withServer(async server => {
    await sql`
      insert into rate_limits (key, count, created_at, resets_at)
      select 'many ' || n, 1, now(), ${server.deps.now()} from generate_series(1, 50001) n`.execute(
      getKysely(server.em()),
    )
    await purgeExpired(server.deps)
    expect(await server.em().count(RateLimit)).toBe(0)
  }),
)

test(
  'a limit that is used again while it is purged stays',
  withServer(async server => {
    const resets_at = server.deps.now()
    const later = new Date(resets_at.getTime() + DAY_MS)
    const limit = { key: 'used again', count: 1, created_at: resets_at, resets_at }
    await getKysely(server.em()).insertInto('rate_limits').values(limit).execute()
    await interrupt(server, {
      lock: db =>
        db.selectFrom('rate_limits').where('key', '=', limit.key).forUpdate().select('key').execute(),
      start: () => purgeExpired(server.deps),
      meanwhile: db =>
        db.updateTable('rate_limits').set({ resets_at: later }).where('key', '=', limit.key).execute(),
    })
    expect(await server.em().count(RateLimit)).toBe(1)
  }),
)
