import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, freshPhone, createLandlord, signInUser, type TestResponse } from '../../support/users'
import { testServer } from '../../support/server'
import { broken, enveloped, userInB } from '../http/forms'

const server = testServer()
const PASSWORD = 'a5f0c9 the client has hashed this already'
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const login = (phone_number: unknown, password: unknown) =>
  sendRequest(server, 'POST', '/auth/login', { body: { phone_number, password } })
async function createUserWithPassword(password = PASSWORD) {
  const person = await signInUser(server)
  await person.call('PUT', '/profile/complete', { ...profile, password })
  return person
}
const getUser = (phone: string) =>
  getKysely(server.em()).selectFrom('users').where('phone', '=', phone).selectAll().executeTakeFirstOrThrow()

describe('a login', () => {
  test('200: returns the user, creates a session and sets last_login_at, like a sign-in with an OTP', async () => {
    const person = await createUserWithPassword()
    const before = await getUser(person.phone)
    const response = await login(person.phone, PASSWORD)
    expect([response.status, response.body]).toEqual([
      200,
      {
        success: true,
        data: {
          access_token: expect.any(String),
          user: userInB(person.phone, {
            id: person.id,
            user_id: person.user_id,
            ...profile,
            has_completed_profile: true,
          }),
          status: 'NEEDS_VERIFICATION',
        },
      },
    ])
    expect(
      (await sendRequest(server, 'GET', '/auth/me', { token: response.body.data.access_token })).status,
    ).toBe(200)
    expect(Date.parse((await getUser(person.phone)).last_login_at!)).toBeGreaterThan(
      Date.parse(before.last_login_at!),
    )
    expect(
      await getKysely(server.em())
        .selectFrom('auth_sessions')
        .where('user_id', '=', person.id)
        .orderBy('id')
        .select('is_active')
        .execute(),
    ).toEqual([{ is_active: false }, { is_active: true }])
  })

  test('200: the status depends on the profile and identity flags', async () => {
    const person = await createLandlord(server)
    await person.call('PUT', '/profile/complete', { ...profile, password: PASSWORD })
    expect((await login(person.phone, PASSWORD)).body.data.status).toBe('LOGIN_SUCCESSFUL')
  })
})

describe('the password', () => {
  for (const [name, password] of Object.entries({
    '8 characters long': '12345678',
    '255 characters long': 'é'.repeat(255),
    'surrounded by blanks': '  मेरा 🔑  ',
  })) {
    test(`200: may be ${name}`, async () => {
      const { phone } = await createUserWithPassword(password)
      expect((await login(phone, password)).status).toBe(200)
      expect((await login(phone, `${password.slice(0, -1)}!`)).status).toBe(401)
    })
  }

  test('401: a new password replaces the old one', async () => {
    const person = await createUserWithPassword()
    await person.call('PUT', '/profile/complete', {
      ...profile,
      password: 'another password',
      current_password: PASSWORD,
    })
    expect([
      (await login(person.phone, PASSWORD)).status,
      (await login(person.phone, 'another password')).status,
    ]).toEqual([401, 200])
  })

  test('200: a profile without a password does not change it', async () => {
    const person = await createUserWithPassword()
    await person.call('PUT', '/profile/complete', profile)
    await person.call('PUT', '/profile/complete', { ...profile, password: null })
    expect((await login(person.phone, PASSWORD)).status).toBe(200)
  })
})

test('401: unknown number, no password, wrong password and inactive user get the same response and no session', async () => {
  const [user, inactive, withoutPassword] = [
    await createUserWithPassword(),
    await createUserWithPassword(),
    await signInUser(server),
  ]
  await getKysely(server.em())
    .updateTable('users')
    .set({ is_active: false })
    .where('id', '=', inactive.id)
    .execute()
  const responses: TestResponse[] = [
    await login(freshPhone(), PASSWORD),
    await login(withoutPassword.phone, PASSWORD),
    await login(user.phone, `${PASSWORD}.`),
    await login(inactive.phone, PASSWORD),
    await login(user.phone, (await getUser(user.phone)).password),
  ]
  for (const { status, body } of responses) expect([status, body]).toEqual([401, enveloped(401)])
  expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(
    await getKysely(server.em())
      .selectFrom('auth_sessions')
      .where('user_id', 'in', [user.id, inactive.id, withoutPassword.id])
      .select('id')
      .execute(),
  ).toHaveLength(3)
})

describe('400', () => {
  const phone = '9876543210'
  const table: [unknown, unknown, ...string[]][] = [
    [undefined, undefined, 'phone_number', 'password'],
    [phone, undefined, 'password'],
    [phone, '', 'password'],
    [phone, '   ', 'password'],
    [phone, 12345678, 'password'],
    [phone, null, 'password'],
    [phone, ['x'], 'password'],
    [phone, 'x'.repeat(256), 'password'],
    [phone, 'nul\0nul\0', 'password'],
    [phone, { $ne: '' }, 'password'],
    ['12', PASSWORD, 'phone_number'],
    [Number(phone), PASSWORD, 'phone_number'],
  ]
  for (const [number, password, ...which] of table) {
    test(`${JSON.stringify([number, password]).slice(0, 60)}`, async () => {
      const response = await login(number, password)
      expect([response.status, response.body]).toEqual([400, broken(...which)])
    })
  }

  test('camelCase fields', async () => {
    const response = await sendRequest(server, 'POST', '/auth/login', {
      body: { phoneNumber: phone, password: PASSWORD },
    })
    expect([response.status, response.body]).toEqual([400, broken('phone_number')])
  })

  for (const password of [
    '1234567',
    'x'.repeat(256),
    '        ',
    12345678,
    ['12345678'],
    'nul\0inside it',
    '\ud800 a lone surrogate',
  ]) {
    test(`setting the password ${JSON.stringify(password).slice(0, 40)}`, async () => {
      const person = await signInUser(server)
      const response = await person.call('PUT', '/profile/complete', { ...profile, password })
      expect([response.status, response.body]).toEqual([400, broken('password')])
      expect(await getUser(person.phone)).toMatchObject({ first_name: null, password: null })
    })
  }
})

test('the password is stored as a salted argon2id hash, and no response contains it', async () => {
  const [one, other] = [await createUserWithPassword(), await createUserWithPassword()]
  const hashes = [(await getUser(one.phone)).password!, (await getUser(other.phone)).password!]
  for (const hash of hashes) expect(hash).toStartWith('$argon2id$')
  expect(hashes[0]).not.toBe(hashes[1])
  for (const { body } of [
    await one.call('GET', '/auth/me'),
    await login(one.phone, PASSWORD),
    await one.call('PUT', '/profile/complete', { ...profile, password: PASSWORD }),
  ]) {
    expect(JSON.stringify(body)).not.toContain('argon2')
    expect(JSON.stringify(body)).not.toContain(PASSWORD)
  }
})
