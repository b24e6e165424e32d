import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, createLandlord, signInUser, type TestUser } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { enveloped, plain, userInA, userInB } from '../http/forms'

const time = clock()
const it = testServer({ overrides: { now: time.now } })
const sessions = (userId: number) =>
  getKysely(it.em())
    .selectFrom('auth_sessions')
    .where('user_id', '=', userId)
    .orderBy('id')
    .select(['is_active', 'sid'])
    .execute()
const status = async ({ token }: TestUser) => (await sendRequest(it.url, 'GET', '/auth/me', { token })).status
const again = ({ phone }: TestUser) => signInUser(it.url, phone)

describe('a sign-in', () => {
  test('deactivates the older session records and leaves their tokens working', async () => {
    const first = await signInUser(it.url)
    const second = await again(first)
    const third = await again(first)
    expect((await sessions(first.id)).map(({ is_active }) => is_active)).toEqual([false, false, true])
    expect([await status(first), await status(second), await status(third)]).toEqual([200, 200, 200])
  })

  test('200: a session past its tracked hour still works', async () => {
    const person = await createLandlord(it.url)
    time.advance(3_600_001)
    expect(await status(person)).toBe(200)
    expect((await person.call('GET', '/dashboard')).status).toBe(200)
  })
})

describe('POST /auth/logout', () => {
  test('200: deletes the session of the presented token, which is 401 from then on everywhere', async () => {
    const person = await createLandlord(it.url)
    const answer = await person.call('POST', '/auth/logout')
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, data: { message: expect.any(String) } },
    ])
    expect(await sessions(person.id)).toEqual([])
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

  test('an older token ends alone: the session of the newer one stays active', async () => {
    const older = await signInUser(it.url)
    const newer = await again(older)
    await older.call('POST', '/auth/logout')
    expect([await status(older), await status(newer)]).toEqual([401, 200])
    expect(await sessions(older.id)).toMatchObject([{ is_active: true }])
  })

  test('a newer token ends alone too', async () => {
    const older = await signInUser(it.url)
    const newer = await again(older)
    await newer.call('POST', '/auth/logout', {})
    expect([await status(older), await status(newer)]).toEqual([200, 401])
  })

  test("all: true ends every session of the user and nobody else's", async () => {
    const first = await signInUser(it.url)
    const second = await again(first)
    const stranger = await signInUser(it.url)
    expect((await second.call('POST', '/auth/logout', { all: true })).status).toBe(200)
    expect([await status(first), await status(second), await status(stranger)]).toEqual([401, 401, 200])
    expect(await sessions(first.id)).toEqual([])
  })

  test('all: false is one session', async () => {
    const first = await signInUser(it.url)
    const second = await again(first)
    await second.call('POST', '/auth/logout', { all: false })
    expect([await status(first), await status(second)]).toEqual([200, 401])
  })

  test('a new sign-in follows', async () => {
    const person = await signInUser(it.url)
    await person.call('POST', '/auth/logout')
    expect(await status(await again(person))).toBe(200)
  })

  for (const all of ['true', 1, null, [], {}]) {
    test(`400: all ${JSON.stringify(all)} is no boolean, and nothing ends`, async () => {
      const person = await signInUser(it.url)
      expect((await person.call('POST', '/auth/logout', { all })).body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ property: 'all' }],
      })
      expect(await status(person)).toBe(200)
    })
  }

  test('401: without a token, in the envelope', async () => {
    const answer = await sendRequest(it.url, 'POST', '/auth/logout', { body: {} })
    expect([answer.status, answer.body]).toEqual([401, enveloped(401)])
  })
})

describe('a change of password', () => {
  test("ends the user's other sessions and keeps the one that asked", async () => {
    const older = await signInUser(it.url)
    const newer = await again(older)
    const stranger = await signInUser(it.url)
    const changed = await older.call('PUT', '/profile/complete', {
      first_name: 'Asha',
      last_name: 'Rao',
      email: 'asha@example.com',
      password: 'longer than eight',
    })
    expect(changed.status).toBe(200)
    expect([await status(older), await status(newer), await status(stranger)]).toEqual([200, 401, 200])
  })

  test('a profile without one ends nothing', async () => {
    const older = await signInUser(it.url)
    const newer = await again(older)
    await newer.call('PUT', '/profile/complete', {
      first_name: 'Asha',
      last_name: 'Rao',
      email: 'asha@example.com',
    })
    expect(await status(older)).toBe(200)
  })
})

describe('a user who is not active', () => {
  test('401: every token ends, and comes back with the user', async () => {
    const person = await createLandlord(it.url)
    const set = (is_active: boolean) =>
      getKysely(it.em()).updateTable('users').set({ is_active }).where('id', '=', person.id).execute()
    await set(false)
    for (const [method, path] of [
      ['GET', '/auth/me'],
      ['POST', '/auth/logout'],
      ['GET', '/dashboard'],
      ['GET', '/properties'],
      ['GET', '/agreements'],
      ['GET', '/tenants'],
    ] as const) {
      const answer = await person.call(method, path)
      expect([path, answer.status, answer.body]).toEqual([path, 401, enveloped(401)])
    }
    await set(true)
    expect(await status(person)).toBe(200)
  })
})

describe('GET /auth/me', () => {
  test('200: the user and the status, in the variant of the token', async () => {
    const person = await signInUser(it.url)
    const inB = await person.call('GET', '/auth/me')
    expect([inB.status, inB.body]).toEqual([
      200,
      { success: true, data: { user: userInB(person.phone), status: 'NEEDS_PROFILE_COMPLETION' } },
    ])
    await sendRequest(it.url, 'POST', '/auth', { body: { phoneNumber: person.phone } })
    const {
      body: { access_token: token },
    } = await sendRequest(it.url, 'POST', '/auth/verify', {
      body: { phoneNumber: person.phone, otp: '123456' },
    })
    const inA = await sendRequest(it.url, 'GET', '/auth/me', { token })
    expect([inA.status, inA.body]).toEqual([
      200,
      { user: userInA(person.phone), status: 'NEEDS_PROFILE_COMPLETION' },
    ])
    await person.call('POST', '/auth/logout', { all: true })
    const gone = await sendRequest(it.url, 'GET', '/auth/me', { token })
    expect([gone.status, gone.body]).toEqual([401, plain(401)])
  })

  test('401: without a token, in the envelope', async () => {
    const answer = await sendRequest(it.url, 'GET', '/auth/me')
    expect([answer.status, answer.body]).toEqual([401, enveloped(401)])
  })
})
