import { expect, test } from 'bun:test'
import { AuthSession, OtpSession, RateLimit } from '../../../db/entities'
import { purgeExpired } from '../../../server/jobs/purge-expired'
import { signInUser } from '../../support/users'
import { DAY_MS, withServer } from './with-server'

test(
  'sessions, OTPs and limits are purged when they have expired, and not before',
  withServer(async server => {
    const person = await signInUser(server.url)
    server.advance(6 * DAY_MS)
    const later = await signInUser(server.url)
    await purgeExpired(server.deps)
    expect((await person.call('GET', '/auth/me')).status).toBe(200)
    server.advance(2 * DAY_MS)
    await purgeExpired(server.deps)
    expect({
      sessions: await server.em().count(AuthSession),
      otps: await server.em().count(OtpSession),
      limits: await server.em().count(RateLimit),
    }).toEqual({ sessions: 1, otps: 0, limits: 0 })
    expect((await later.call('GET', '/auth/me')).status).toBe(200)
  }),
)
