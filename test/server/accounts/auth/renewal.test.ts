import { expect, test } from 'bun:test'
import { AuthSession } from '../../../../db/entities'
import { DAY_MS } from '../../../../server/domain/durations'
import { TOKEN_LIFETIME_MS } from '../../../../server/http/tokens'
import { clock, testServer } from '../../../support/server'
import { atServer, sendRequest, signInUser, type TestUser } from '../../../support/users'
import { userInA } from '../../http/forms'
import { signInWithVariantA } from '../profile/fixtures'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
const getStatuses = (...users: TestUser[]) =>
  Promise.all(users.map(async user => (await user.get('/auth/me')).status))
async function listActive({ id }: TestUser) {
  const sessions = await server.em().find(AuthSession, { user_id: id }, { orderBy: { id: 1 } })
  return sessions.map(({ is_active }) => is_active)
}

const renew = async (user: TestUser) => {
  const { status, data } = await user.post('/auth/renew')
  expect(status).toBe(200)
  const token: string = data.access_token
  return { ...atServer(server, { ...user, token }), expires_at: data.expires_at as string }
}
const after = (days: number, since: number) => new Date(since + days * DAY_MS).toISOString()

test('200: another token of seven days; the older one is valid until its own end', async () => {
  const user = await signInUser(server)
  time.advance(DAY_MS)
  const renewed = await renew(user)
  expect(renewed.expires_at).toBe(after(7, time.now().getTime()))
  expect(await listActive(user)).toEqual([false, true])
  expect(await getStatuses(user, renewed)).toEqual([200, 200])
  time.advance(6 * DAY_MS)
  expect(await getStatuses(user, renewed)).toEqual([401, 200])
  time.advance(DAY_MS)
  expect(await getStatuses(renewed)).toEqual([401])
})

test.each([0, 1])(
  'a logout with token %d of a session ends all of them, and no other session',
  async index => {
    const older = await signInUser(server)
    const other = await signInUser(server, older.phone)
    time.advance(1000)
    const newer = await renew(older)
    expect(await listActive(older)).toEqual([false, true, false])
    await [older, newer][index]!.post('/auth/logout')
    expect(await getStatuses(older, newer, other)).toEqual([401, 401, 200])
  },
)

test('a session lives for 90 days after its sign-in', async () => {
  let user = await signInUser(server)
  const signedInAt = time.now().getTime()
  for (let day = 6; day <= 90; day += 6) {
    time.set(new Date(signedInAt + day * DAY_MS - 1000))
    const renewed = await renew(user)
    const days = [after(7, time.now().getTime()), after(90, signedInAt)]
    expect(renewed.expires_at).toBe(days.toSorted()[0]!)
    user = renewed
  }
  time.advance(1000)
  const { status, body } = await user.post('/auth/renew')
  expect([status, body.error.reason]).toEqual([401, 'token_expired'])
})

test('a key is ignored, and no token is stored; two renewals at once work', async () => {
  const user = await signInUser(server)
  const headers = { 'idempotency-key': 'one' }
  const send = () => sendRequest(server, 'POST', '/auth/renew', { token: user.token, headers })
  const responses = await Promise.all([send(), send(), send()])
  expect(responses.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual(
    [1, 2, 3].map(() => [200, null]),
  )
  const keys = server.db.selectFrom('idempotency_keys').where('user_id', '=', user.id).selectAll()
  expect(await keys.execute()).toEqual([])
  expect((await listActive(user)).filter(Boolean)).toHaveLength(1)
})

test('the token keeps the variant', async () => {
  const user = await signInWithVariantA(server)
  const { body } = await (await renew(user)).get('/auth/me')
  expect(body).toMatchObject({ user: userInA(user.phone) })
})

test('401: a token that is missing, has expired or whose session has ended has a reason of its own', async () => {
  const [user, ended] = [await signInUser(server), await signInUser(server)]
  await ended.post('/auth/logout')
  const getReasons = async (token = '') => {
    const given = [
      await sendRequest(server, 'GET', '/properties', { token }),
      await sendRequest(server, 'POST', '/auth/renew', { token }),
    ]
    return new Set(given.map(({ body }) => body.error.reason))
  }
  expect(await getReasons(ended.token)).toEqual(new Set(['session_ended']))
  time.advance(TOKEN_LIFETIME_MS)
  expect(await getReasons(user.token)).toEqual(new Set(['token_expired']))
  for (const unreadable of ['', 'a.b.c', `${user.token.slice(0, -5)}AAAAA`])
    expect(await getReasons(unreadable)).toEqual(new Set(['sign_in_required']))
})
