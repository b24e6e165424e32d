import { describe, expect, spyOn, test } from 'bun:test'
import { interrupt } from '../../../support/locks'
import { testServer } from '../../../support/server'
import { completeProfile, freshPhone, sendRequest, signInUser } from '../../../support/users'
import { enveloped, userInB } from '../../http/forms'

const server = testServer()
const PASSWORD = 'a5f0c9 the client has hashed this already'
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const logIn = (phone_number: unknown, password: unknown = PASSWORD) =>
  sendRequest(server, 'POST', '/auth/login', { body: { phone_number, password } })
async function createUserWithPassword(password = PASSWORD) {
  const user = await signInUser(server)
  await completeProfile(user, { password })
  return user
}
const getUser = (id: number) =>
  server.db.selectFrom('users').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
const changeUser = (id: number, change: Record<string, unknown>) =>
  server.db.updateTable('users').set(change).where('id', '=', id).execute()
const findSessions = (userId: number) =>
  server.db
    .selectFrom('auth_sessions')
    .where('user_id', '=', userId)
    .orderBy('id')
    .select('is_active')
    .execute()

test('200: a login returns the user, creates a session and sets last_login_at, like a sign-in with an OTP', async () => {
  const { id, user_id, phone } = await createUserWithPassword()
  const before = await getUser(id)

  const response = await logIn(phone)

  const user = userInB(phone, { id, user_id, ...profile, has_completed_profile: true })
  const data = { access_token: expect.any(String), user, status: 'NEEDS_VERIFICATION' }
  expect([response.status, response.body]).toEqual([200, { success: true, data }])
  const token: string = response.data.access_token
  expect((await sendRequest(server, 'GET', '/auth/me', { token })).status).toBe(200)
  expect(Date.parse((await getUser(id)).last_login_at!)).toBeGreaterThan(Date.parse(before.last_login_at!))
  expect(await findSessions(id)).toEqual([{ is_active: false }, { is_active: true }])
})

test.each([
  ['eight characters long', '12345678'],
  ['255 characters long', 'é'.repeat(255)],
  ['surrounded by blanks', '  मेरा 🔑  '],
])('a password may be %s; no character of it is ignored', async (_, password) => {
  const { phone } = await createUserWithPassword(password)
  expect((await logIn(phone, password)).status).toBe(200)
  expect((await logIn(phone, `${password.slice(0, -1)}!`)).status).toBe(401)
  expect((await logIn(phone, password.trim())).status).toBe(password.trim() === password ? 200 : 401)
})

describe('401: a failed login', () => {
  const reasons: Record<string, () => Promise<{ phone: string; password?: string; sessions: number }>> = {
    'an unknown number': async () => ({ phone: freshPhone(), sessions: 0 }),
    'a user without a password': async () => ({ ...(await signInUser(server)), sessions: 1 }),
    'a wrong password': async () => {
      const { phone } = await createUserWithPassword()
      return { phone, password: `${PASSWORD}.`, sessions: 1 }
    },
    'an inactive user': async () => {
      const { id, phone } = await createUserWithPassword()
      await changeUser(id, { is_active: false })
      return { phone, sessions: 1 }
    },
    'the hash of the password': async () => {
      const { id, phone } = await createUserWithPassword()
      return { phone, password: (await getUser(id)).password!, sessions: 1 }
    },
  }

  test('has one body, no session, and compares one hash of one cost, whatever the reason', async () => {
    const stored = (await getUser((await createUserWithPassword()).id)).password!
    const toCost = (hash: string) => /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$/.exec(hash)?.[0]
    for (const [reason, prepare] of Object.entries(reasons)) {
      const { phone, password, sessions } = await prepare()
      using comparing = spyOn(Bun.password, 'verify')

      const { status, body } = await logIn(phone, password)

      expect([reason, status, body]).toEqual([
        reason,
        401,
        enveloped(401, 'The phone number or the password is wrong'),
      ])
      const costs = comparing.mock.calls.map(([, hash]) => toCost(String(hash)))
      expect([reason, ...costs]).toEqual([reason, toCost(stored)])
      const rows = server.db
        .selectFrom('auth_sessions as s')
        .innerJoin('users as u', 'u.id', 's.user_id')
        .where('u.phone', '=', phone)
      expect(await rows.select('s.id').execute()).toHaveLength(sessions)
    }
  })

  test.each([
    ['is changed', { password: 'the hash of another password' }],
    ['is removed', { password: null }],
    ['belongs to a user who is deactivated', { is_active: false }],
  ])('with a password that %s while it is compared', async (_, change) => {
    const { id, phone } = await createUserWithPassword()

    const response = await interrupt(server, {
      lock: tx => tx.updateTable('users').set(change).where('id', '=', id).execute(),
      start: () => logIn(phone),
    })

    expect([response.status, response.data]).toEqual([401, null])
    expect(await findSessions(id)).toEqual([{ is_active: true }])
  })
})
