import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, freshPhone, signInUser, type TestResponse } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { broken, brokenInA, enveloped, plain, userInA, userInB } from '../http/forms'

const time = clock()
const it = testServer({ overrides: { now: time.now } })

const variants = {
  a: {
    ask: (phone: string) => sendRequest(it.url, 'POST', '/auth', { body: { phoneNumber: phone } }),
    verify: (phone: unknown, otp: unknown = '123456') =>
      sendRequest(it.url, 'POST', '/auth/verify', { body: { phoneNumber: phone, otp } }),
    data: ({ body }: TestResponse) => body,
    refused: plain(401),
  },
  b: {
    ask: (phone: string) => sendRequest(it.url, 'POST', '/auth/send-otp', { body: { phone_number: phone } }),
    verify: (phone: unknown, otp: unknown = '123456') =>
      sendRequest(it.url, 'POST', '/auth/verify', { body: { phone_number: phone, otp } }),
    data: ({ body }: TestResponse) => body.data,
    refused: enveloped(401),
  },
}
const { a, b } = variants
const usersOf = (phone: string) =>
  getKysely(it.em()).selectFrom('users').where('phone', '=', phone).selectAll().execute()

describe('200', () => {
  test('Variant A: a new account in exactly the specified shape', async () => {
    const phone = freshPhone()
    await a.ask(phone)
    const answer = await a.verify(phone)
    expect([answer.status, answer.body]).toEqual([
      200,
      { access_token: expect.any(String), user: userInA(phone), status: 'NEEDS_PROFILE_COMPLETION' },
    ])
  })

  test('Variant B: the same in the envelope', async () => {
    const phone = freshPhone()
    await b.ask(phone)
    const answer = await b.verify(phone)
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        data: { access_token: expect.any(String), user: userInB(phone), status: 'NEEDS_PROFILE_COMPLETION' },
      },
    ])
  })

  test('the account is a landlord, upper case in the database, with last_login_at set', async () => {
    const { phone } = await signInUser(it.url)
    expect(await usersOf(phone)).toMatchObject([
      {
        role: 'LANDLORD',
        is_active: true,
        kyc_verified: false,
        first_name: null,
        password: null,
        last_login_at: time.now().toISOString(),
      },
    ])
  })

  test('an account that is known stays the same, and last_login_at moves', async () => {
    const first = await signInUser(it.url)
    time.advance(1000)
    const second = await signInUser(it.url, first.phone)
    expect(second.id).toBe(first.id)
    expect(await usersOf(first.phone)).toMatchObject([{ last_login_at: time.now().toISOString() }])
  })

  test('the OTP record is gone after use', async () => {
    const { phone } = await signInUser(it.url)
    expect(
      await getKysely(it.em())
        .selectFrom('otp_sessions')
        .where('phone_number', '=', phone)
        .select('id')
        .execute(),
    ).toEqual([])
  })

  test('an OTP asked for in one variant is verified in the other', async () => {
    const phone = freshPhone()
    await a.ask(phone)
    expect((await b.verify(phone)).body.success).toBe(true)
    await b.ask(phone)
    expect((await a.verify(phone)).body.access_token).toBeString()
  })

  for (const [role, shown] of [
    ['TENANT', 'tenant'],
    ['MANAGER', 'manager'],
    ['ADMIN', 'admin'],
  ] as const) {
    test(`a ${shown}'s role is shown in lower case in both variants`, async () => {
      const { phone } = await signInUser(it.url)
      await getKysely(it.em()).updateTable('users').set({ role }).where('phone', '=', phone).execute()
      for (const variant of [a, b]) {
        await variant.ask(phone)
        expect(variant.data(await variant.verify(phone)).user.role).toBe(shown)
      }
    })
  }
})

describe('the sign-in status follows from the two flags', () => {
  const table = [
    [{ first_name: null, last_name: null, email: null }, false, 'NEEDS_PROFILE_COMPLETION', false],
    [{ first_name: 'Asha', last_name: null, email: null }, false, 'NEEDS_PROFILE_COMPLETION', false],
    [{ first_name: 'Asha', last_name: 'Rao', email: null }, false, 'NEEDS_PROFILE_COMPLETION', false],
    [
      { first_name: null, last_name: 'Rao', email: 'asha@example.com' },
      false,
      'NEEDS_PROFILE_COMPLETION',
      false,
    ],
    [{ first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }, false, 'NEEDS_VERIFICATION', true],
    [{ first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }, true, 'LOGIN_SUCCESSFUL', true],
  ] as const
  for (const [profile, kyc_verified, status, complete] of table) {
    test(`${Object.values(profile).filter(Boolean).length} profile fields, ${kyc_verified ? 'verified' : 'not verified'}: ${status}`, async () => {
      const { phone } = await signInUser(it.url)
      await getKysely(it.em())
        .updateTable('users')
        .set({ ...profile, kyc_verified })
        .where('phone', '=', phone)
        .execute()
      await a.ask(phone)
      const inA = await a.verify(phone)
      expect(inA.body).toMatchObject({
        status,
        user: {
          firstName: profile.first_name,
          hasCompletedProfile: complete,
          hasVerifiedProfile: kyc_verified,
        },
      })
      await b.ask(phone)
      const inB = await b.verify(phone)
      expect(inB.body.data).toMatchObject({
        status,
        user: {
          first_name: profile.first_name,
          has_completed_profile: complete,
          has_verified_profile: kyc_verified,
        },
      })
      for (const [path, token, statusOf] of [
        ['/auth/me', inB.body.data.access_token, ({ body }: TestResponse) => body.data.status],
        ['/auth/me', inA.body.access_token, ({ body }: TestResponse) => body.status],
      ] as const)
        expect(statusOf(await sendRequest(it.url, 'GET', path, { token }))).toBe(status)
    })
  }
})

for (const [name, { ask, verify, refused }] of Object.entries(variants)) {
  describe(`401, Variant ${name.toUpperCase()}`, () => {
    test('wrong, expired, used, outdated and never-sent OTPs are refused alike', async () => {
      const phones = { wrong: freshPhone(), expired: freshPhone(), used: freshPhone() }
      await ask(phones.expired)
      time.advance(10 * 60_000)
      await ask(phones.wrong)
      await ask(phones.used)
      await verify(phones.used)
      const answers = [
        await verify(phones.wrong, '654321'),
        await verify(phones.expired),
        await verify(phones.used),
        await verify(freshPhone()),
      ]
      for (const { status, body } of answers) expect([status, body]).toEqual([401, refused])
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    })

    test('the right OTP is dead after five wrong tries', async () => {
      const phone = freshPhone()
      await ask(phone)
      for (let tries = 0; tries < 5; tries++) expect((await verify(phone, `00000${tries}`)).status).toBe(401)
      expect([(await verify(phone)).status, await usersOf(phone)]).toEqual([401, []])
    })

    test('200: it lives through four wrong tries', async () => {
      const phone = freshPhone()
      await ask(phone)
      for (let tries = 0; tries < 4; tries++) await verify(phone, '000000')
      expect((await verify(phone)).status).toBe(200)
    })

    test('200: a new OTP takes the place of a dead one', async () => {
      const phone = freshPhone()
      await ask(phone)
      for (let tries = 0; tries < 6; tries++) await verify(phone, '000000')
      await ask(phone)
      expect((await verify(phone)).status).toBe(200)
    })

    test("one phone's OTP is nothing to another", async () => {
      const [mine, yours] = [freshPhone(), freshPhone()]
      await ask(mine)
      expect((await verify(yours)).status).toBe(401)
    })
  })
}

describe('the lifetime is that of the variant that asked', () => {
  const minutes = (count: number) => count * 60_000
  for (const [asked, lifetime] of [
    ['a', minutes(10)],
    ['b', minutes(5)],
  ] as const) {
    for (const verified of ['a', 'b'] as const) {
      test(`asked in ${asked.toUpperCase()}, verified in ${verified.toUpperCase()}: ${lifetime / 60_000} minutes`, async () => {
        const phone = freshPhone()
        await variants[asked].ask(phone)
        time.advance(lifetime - 1)
        expect((await variants[verified].verify(phone)).status).toBe(200)
        await variants[asked].ask(phone)
        time.advance(lifetime)
        expect((await variants[verified].verify(phone)).status).toBe(401)
      })
    }
  }

  test('POST /auth with snake_case fields is Variant B, five minutes', async () => {
    const phone = freshPhone()
    await sendRequest(it.url, 'POST', '/auth', { body: { phone_number: phone } })
    time.advance(minutes(5))
    expect((await b.verify(phone)).status).toBe(401)
  })
})

describe('400', () => {
  const phone = '9876543210'
  const wrong: [phone: unknown, otp: unknown, ...which: ('phone' | 'otp')[]][] = [
    [undefined, undefined, 'phone', 'otp'],
    [phone, undefined, 'otp'],
    [undefined, '123456', 'phone'],
    [phone, '12345', 'otp'],
    [phone, '1234567', 'otp'],
    [phone, '12345a', 'otp'],
    [phone, ' 123456', 'otp'],
    [phone, '123456\n', 'otp'],
    [phone, 123456, 'otp'],
    [phone, null, 'otp'],
    [phone, ['123456'], 'otp'],
    [phone, { $ne: 1 }, 'otp'],
    [phone, true, 'otp'],
    [phone, '', 'otp'],
    [phone, '१२३४५६', 'otp'],
    ['123', '123', 'phone', 'otp'],
  ]
  for (const [number, otp, ...which] of wrong) {
    test(`${JSON.stringify([number, otp])} in both variants`, async () => {
      const inA = await sendRequest(it.url, 'POST', '/auth/verify', { body: { phoneNumber: number, otp } })
      expect([inA.status, inA.body]).toEqual([
        400,
        brokenInA(...which.map(field => (field === 'phone' ? 'phoneNumber' : 'otp'))),
      ])
      const inB = await sendRequest(it.url, 'POST', '/auth/verify', {
        body: { phone_number: number, otp, first_name: 'so that the body tells' },
      })
      expect([inB.status, inB.body]).toEqual([
        400,
        broken(...which.map(field => (field === 'phone' ? 'phone_number' : 'otp'))),
      ])
    })
  }

  test('a malformed OTP is not counted as a try', async () => {
    const phone = freshPhone()
    await b.ask(phone)
    for (let tries = 0; tries < 6; tries++) await b.verify(phone, '12345')
    expect((await b.verify(phone)).status).toBe(200)
  })

  test('what was sent is not echoed', async () => {
    const { body } = await b.verify('9876543210', '12345x')
    expect(JSON.stringify(body)).not.toContain('12345x')
  })
})
