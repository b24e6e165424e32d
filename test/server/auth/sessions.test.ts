import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, createLandlord, signInUser, type TestUser } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { enveloped, plain, userInA, userInB } from '../http/forms'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
const findSessions = (userId: number) =>
  getKysely(server.em())
    .selectFrom('auth_sessions')
    .where('user_id', '=', userId)
    .orderBy('id')
    .select(['is_active', 'sid'])
    .execute()
const getStatus = async ({ token }: TestUser) =>
  (await sendRequest(server, 'GET', '/auth/me', { token })).status
const signInAgain = ({ phone }: TestUser) => signInUser(server, phone)

describe('a sign-in', () => {
  test('deactivates the older session records; their tokens stay valid', async () => {
    const first = await signInUser(server)
    const second = await signInAgain(first)
    const third = await signInAgain(first)
    expect((await findSessions(first.id)).map(({ is_active }) => is_active)).toEqual([false, false, true])
    expect([await getStatus(first), await getStatus(second), await getStatus(third)]).toEqual([200, 200, 200])
  })

  test('200: the token stays valid after the hour of the session record', async () => {
    const person = await createLandlord(server)
    time.advance(3_600_001)
    expect(await getStatus(person)).toBe(200)
    expect((await person.call('GET', '/dashboard')).status).toBe(200)
  })
})

describe('POST /auth/logout', () => {
  test('200: deletes the session; every route rejects its token afterwards', async () => {
    const person = await createLandlord(server)
    const response = await person.call('POST', '/auth/logout')
    expect([response.status, response.body]).toEqual([
      200,
      { success: true, data: { message: expect.any(String) } },
    ])
    expect(await findSessions(person.id)).toEqual([])
    for (const [method, path, body] of [
      ['GET', '/auth/me'],
      ['POST', '/auth/logout', {}],
      ['GET', '/dashboard'],
      ['PUT', '/profile/complete', { first_name: 'A', last_name: 'B', email: 'a@b.co' }],
      ['POST', '/profile/ekyc', {}],
      ['POST', '/profile/ekyc/complete', { verification_id: 'x' }],
    ] as const) {
      const refused = await person.call(method, path, body)
      expect([path, refused.status, refused.body]).toEqual([path, 401, enveloped(401)])
    }
  })

  test('ends only the session of an older token; the newer one stays active', async () => {
    const older = await signInUser(server)
    const newer = await signInAgain(older)
    await older.call('POST', '/auth/logout')
    expect([await getStatus(older), await getStatus(newer)]).toEqual([401, 200])
    expect(await findSessions(older.id)).toMatchObject([{ is_active: true }])
  })

  test('ends only the session of a newer token', async () => {
    const older = await signInUser(server)
    const newer = await signInAgain(older)
    await newer.call('POST', '/auth/logout', {})
    expect([await getStatus(older), await getStatus(newer)]).toEqual([200, 401])
  })

  test('with all: true ends every session of the user, and no session of other users', async () => {
    const first = await signInUser(server)
    const second = await signInAgain(first)
    const stranger = await signInUser(server)
    expect((await second.call('POST', '/auth/logout', { all: true })).status).toBe(200)
    expect([await getStatus(first), await getStatus(second), await getStatus(stranger)]).toEqual([
      401, 401, 200,
    ])
    expect(await findSessions(first.id)).toEqual([])
  })

  test('with all: false ends one session', async () => {
    const first = await signInUser(server)
    const second = await signInAgain(first)
    await second.call('POST', '/auth/logout', { all: false })
    expect([await getStatus(first), await getStatus(second)]).toEqual([200, 401])
  })

  test('is followed by a new sign-in', async () => {
    const person = await signInUser(server)
    await person.call('POST', '/auth/logout')
    expect(await getStatus(await signInAgain(person))).toBe(200)
  })
})

describe('an invalid POST /auth/logout', () => {
  for (const all of ['true', 1, null, [], {}]) {
    test(`400: all is ${JSON.stringify(all)}, not a boolean; the session stays`, async () => {
      const person = await signInUser(server)
      expect((await person.call('POST', '/auth/logout', { all })).body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ property: 'all' }],
      })
      expect(await getStatus(person)).toBe(200)
    })
  }

  test('401: without a token, in the envelope', async () => {
    const response = await sendRequest(server, 'POST', '/auth/logout', { body: {} })
    expect([response.status, response.body]).toEqual([401, enveloped(401)])
  })
})

describe('a change of password', () => {
  test("ends the user's other sessions and keeps the current one", async () => {
    const older = await signInUser(server)
    const newer = await signInAgain(older)
    const stranger = await signInUser(server)
    const changed = await older.call('PUT', '/profile/complete', {
      first_name: 'Asha',
      last_name: 'Rao',
      email: 'asha@example.com',
      password: 'longer than eight',
    })
    expect(changed.status).toBe(200)
    expect([await getStatus(older), await getStatus(newer), await getStatus(stranger)]).toEqual([
      200, 401, 200,
    ])
  })

  test('is not a profile without a password: all sessions stay', async () => {
    const older = await signInUser(server)
    const newer = await signInAgain(older)
    await newer.call('PUT', '/profile/complete', {
      first_name: 'Asha',
      last_name: 'Rao',
      email: 'asha@example.com',
    })
    expect(await getStatus(older)).toBe(200)
  })
})

test('401: every route rejects the tokens of an inactive user; they are valid again after the reactivation', async () => {
  const person = await createLandlord(server)
  const set = (is_active: boolean) =>
    getKysely(server.em()).updateTable('users').set({ is_active }).where('id', '=', person.id).execute()
  await set(false)
  for (const [method, path] of [
    ['GET', '/auth/me'],
    ['POST', '/auth/logout'],
    ['GET', '/dashboard'],
    ['GET', '/properties'],
    ['GET', '/properties/search?name=White%20House&pin_code=560048'],
    ['GET', '/agreements'],
    ['GET', '/tenants'],
  ] as const) {
    const response = await person.call(method, path)
    expect([path, response.status, response.body]).toEqual([path, 401, enveloped(401)])
  }
  await set(true)
  expect(await getStatus(person)).toBe(200)
})

describe('GET /auth/me', () => {
  test('200: the user and the status, in the variant of the token', async () => {
    const person = await signInUser(server)
    const inB = await person.call('GET', '/auth/me')
    expect([inB.status, inB.body]).toEqual([
      200,
      { success: true, data: { user: userInB(person.phone), status: 'NEEDS_PROFILE_COMPLETION' } },
    ])
    await sendRequest(server, 'POST', '/auth', { body: { phoneNumber: person.phone } })
    const {
      body: { access_token: token },
    } = await sendRequest(server, 'POST', '/auth/verify', {
      body: { phoneNumber: person.phone, otp: '123456' },
    })
    const inA = await sendRequest(server, 'GET', '/auth/me', { token })
    expect([inA.status, inA.body]).toEqual([
      200,
      { user: userInA(person.phone), status: 'NEEDS_PROFILE_COMPLETION' },
    ])
    await person.call('POST', '/auth/logout', { all: true })
    const gone = await sendRequest(server, 'GET', '/auth/me', { token })
    expect([gone.status, gone.body]).toEqual([401, plain(401)])
  })

  test('401: without a token, in the envelope', async () => {
    const response = await sendRequest(server, 'GET', '/auth/me')
    expect([response.status, response.body]).toEqual([401, enveloped(401)])
  })
})
