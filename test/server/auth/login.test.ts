import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, freshPhone, createLandlord, signInUser, type TestResponse } from '../../support/users'
import { testServer } from '../../support/server'
import { broken, enveloped, userInB } from '../http/forms'

const it = testServer()
const PASSWORD = 'a5f0c9 the client has hashed this already'
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const login = (phone_number: unknown, password: unknown) =>
  sendRequest(it.url, 'POST', '/auth/login', { body: { phone_number, password } })
const withPassword = async (password = PASSWORD) => {
  const person = await signInUser(it.url)
  await person.call('PUT', '/profile/complete', { ...profile, password })
  return person
}
const row = (phone: string) =>
  getKysely(it.em()).selectFrom('users').where('phone', '=', phone).selectAll().executeTakeFirstOrThrow()

describe('200', () => {
  test('the auth response, a session and last_login_at, as an OTP gives them', async () => {
    const person = await withPassword()
    const before = await row(person.phone)
    const answer = await login(person.phone, PASSWORD)
    expect([answer.status, answer.body]).toEqual([
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
      (await sendRequest(it.url, 'GET', '/auth/me', { token: answer.body.data.access_token })).status,
    ).toBe(200)
    expect(Date.parse((await row(person.phone)).last_login_at!)).toBeGreaterThan(
      Date.parse(before.last_login_at!),
    )
    expect(
      await getKysely(it.em())
        .selectFrom('auth_sessions')
        .where('user_id', '=', person.id)
        .orderBy('id')
        .select('is_active')
        .execute(),
    ).toEqual([{ is_active: false }, { is_active: true }])
  })

  test('the status follows from the flags', async () => {
    const person = await createLandlord(it.url)
    await person.call('PUT', '/profile/complete', { ...profile, password: PASSWORD })
    expect((await login(person.phone, PASSWORD)).body.data.status).toBe('LOGIN_SUCCESSFUL')
  })

  for (const [name, password] of Object.entries({
    'of 8 characters': '12345678',
    'of 255 characters': 'é'.repeat(255),
    'with blanks at its ends': '  मेरा 🔑  ',
  })) {
    test(`a password ${name}`, async () => {
      const { phone } = await withPassword(password)
      expect((await login(phone, password)).status).toBe(200)
      expect((await login(phone, `${password.slice(0, -1)}!`)).status).toBe(401)
    })
  }

  test('a new password takes the place of the old one', async () => {
    const person = await withPassword()
    await person.call('PUT', '/profile/complete', { ...profile, password: 'another password' })
    expect([
      (await login(person.phone, PASSWORD)).status,
      (await login(person.phone, 'another password')).status,
    ]).toEqual([401, 200])
  })

  test('a profile without a password keeps it', async () => {
    const person = await withPassword()
    await person.call('PUT', '/profile/complete', profile)
    await person.call('PUT', '/profile/complete', { ...profile, password: null })
    expect((await login(person.phone, PASSWORD)).status).toBe(200)
  })
})

test('401: unknown number, no password, wrong password, inactive user: one answer, no session', async () => {
  const [right, inactive, without] = [await withPassword(), await withPassword(), await signInUser(it.url)]
  await getKysely(it.em())
    .updateTable('users')
    .set({ is_active: false })
    .where('id', '=', inactive.id)
    .execute()
  const answers: TestResponse[] = [
    await login(freshPhone(), PASSWORD),
    await login(without.phone, PASSWORD),
    await login(right.phone, `${PASSWORD}.`),
    await login(inactive.phone, PASSWORD),
    await login(right.phone, (await row(right.phone)).password),
  ]
  for (const { status, body } of answers) expect([status, body]).toEqual([401, enveloped(401)])
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(
    await getKysely(it.em())
      .selectFrom('auth_sessions')
      .where('user_id', 'in', [right.id, inactive.id, without.id])
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
      const answer = await login(number, password)
      expect([answer.status, answer.body]).toEqual([400, broken(...which)])
    })
  }

  test("camelCase is not this endpoint's", async () => {
    const answer = await sendRequest(it.url, 'POST', '/auth/login', {
      body: { phoneNumber: phone, password: PASSWORD },
    })
    expect([answer.status, answer.body]).toEqual([400, broken('phone_number')])
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
      const person = await signInUser(it.url)
      const answer = await person.call('PUT', '/profile/complete', { ...profile, password })
      expect([answer.status, answer.body]).toEqual([400, broken('password')])
      expect(await row(person.phone)).toMatchObject({ first_name: null, password: null })
    })
  }
})

test('the password is kept as argon2id of what was sent, salted for each user, and no answer shows it', async () => {
  const [one, other] = [await withPassword(), await withPassword()]
  const hashes = [(await row(one.phone)).password!, (await row(other.phone)).password!]
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
