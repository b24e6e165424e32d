import { describe, expect, test } from 'bun:test'
import { AuthSession } from '../../../../db/entities'
import { TOKEN_LIFETIME_MS } from '../../../../server/http/tokens'
import { clock, startSecondInstance, testServer } from '../../../support/server'
import { sendRequest, signInUser, type TestUser } from '../../../support/users'
import { signInWithVariantA } from '../profile/fixtures'
import { plain, userInA, userInB } from '../../http/forms'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
const findSessions = (userId: number) =>
  server.em().find(AuthSession, { user_id: userId }, { orderBy: { id: 1 } })
const listActive = async ({ id }: TestUser) => (await findSessions(id)).map(({ is_active }) => is_active)
const getStatus = async (user: TestUser) => (await user.get('/auth/me')).status
const getStatuses = (...users: TestUser[]) => Promise.all(users.map(getStatus))
/** A user who has signed in twice. */
async function signInTwice() {
  const older = await signInUser(server)
  return [older, await signInUser(server, older.phone)] as const
}

describe('a sign-in', () => {
  test('deactivates the older session records; their tokens stay valid', async () => {
    const [first, second] = await signInTwice()
    const third = await signInUser(server, first.phone)
    expect(await listActive(first)).toEqual([false, false, true])
    expect(await getStatuses(first, second, third)).toEqual([200, 200, 200])
  })

  test('deletes sessions from the moment at which their tokens expire', async () => {
    const { id, phone } = await signInUser(server)
    time.advance(TOKEN_LIFETIME_MS - 1)
    await signInUser(server, phone)
    expect(await findSessions(id)).toHaveLength(2)

    time.advance(1)
    await signInUser(server, phone)
    expect(await findSessions(id)).toHaveLength(2)
  })
})

describe('POST /auth/logout', () => {
  test('200: deletes the session; its token is rejected, and a new sign-in works', async () => {
    const user = await signInUser(server)
    const { status, body } = await user.post('/auth/logout')
    expect([status, body]).toEqual([200, { success: true, data: { message: expect.any(String) } }])
    expect(await findSessions(user.id)).toEqual([])
    expect(await getStatus(user)).toBe(401)
    expect(await getStatus(await signInUser(server, user.phone))).toBe(200)
  })

  test.each([
    ['no body', undefined, 200],
    ['an empty body', {}, 200],
    ['all: false', { all: false }, 200],
    ['all: true', { all: true }, 401],
  ])(
    'with %s ends the session of the token, and the other one only with all: true',
    async (_, body, otherStatus) => {
      for (const index of [0, 1]) {
        const users = await signInTwice()
        const [own, other] = [users[index]!, users[1 - index]!]
        const stranger = await signInUser(server)
        expect((await own.call('POST', '/auth/logout', body)).status).toBe(200)
        expect(await getStatuses(own, other, stranger)).toEqual([401, otherStatus, 200])
        expect(await findSessions(own.id)).toHaveLength(otherStatus === 200 ? 1 : 0)
      }
    },
  )
})

test('a logout at one instance ends the token at another one at once', async () => {
  const user = await signInUser(server)
  const another = await startSecondInstance(server, {})
  const readThere = async () => (await sendRequest(another, 'GET', '/auth/me', { token: user.token })).status
  expect(await readThere()).toBe(200)
  await user.post('/auth/logout')
  expect(await readThere()).toBe(401)
  await another.stop()
})

test('200: GET /auth/me has the user and the status, in the variant of the token', async () => {
  const user = await signInUser(server)
  const status = 'NEEDS_PROFILE_COMPLETION'
  const inB = await user.get('/auth/me')
  expect([inB.status, inB.body]).toEqual([
    200,
    { success: true, data: { user: userInB(user.phone), status } },
  ])

  const userOfA = await signInWithVariantA(server, user.phone)
  const inA = await userOfA.get('/auth/me')
  expect([inA.status, inA.body]).toEqual([200, { user: userInA(user.phone), status }])
  await user.post('/auth/logout', { all: true })
  const gone = await userOfA.get('/auth/me')
  expect([gone.status, gone.body]).toEqual([401, plain(401)])
})
