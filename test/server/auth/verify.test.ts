import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, freshPhone, signInUser, type TestResponse } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { broken, brokenInA, enveloped, plain, userInA, userInB } from '../http/forms'

const time = clock()
const server = testServer({ overrides: { now: time.now } })

const variants = {
  a: {
    requestOtp: (phone: string) => sendRequest(server, 'POST', '/auth', { body: { phoneNumber: phone } }),
    verify: (phone: unknown, otp: unknown = '123456') =>
      sendRequest(server, 'POST', '/auth/verify', { body: { phoneNumber: phone, otp } }),
    data: ({ body }: TestResponse) => body,
    refused: plain(401),
  },
  b: {
    requestOtp: (phone: string) =>
      sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } }),
    verify: (phone: unknown, otp: unknown = '123456') =>
      sendRequest(server, 'POST', '/auth/verify', { body: { phone_number: phone, otp } }),
    data: ({ body }: TestResponse) => body.data,
    refused: enveloped(401),
  },
}
const { a, b } = variants
const findUsers = (phone: string) =>
  getKysely(server.em()).selectFrom('users').where('phone', '=', phone).selectAll().execute()

describe('200: the response', () => {
  test('has exactly the specified shape in Variant A', async () => {
    const phone = freshPhone()
    await a.requestOtp(phone)
    const response = await a.verify(phone)
    expect([response.status, response.body]).toEqual([
      200,
      { access_token: expect.any(String), user: userInA(phone), status: 'NEEDS_PROFILE_COMPLETION' },
    ])
  })

  test('has exactly the specified shape in the envelope of Variant B', async () => {
    const phone = freshPhone()
    await b.requestOtp(phone)
    const response = await b.verify(phone)
    expect([response.status, response.body]).toEqual([
      200,
      {
        success: true,
        data: { access_token: expect.any(String), user: userInB(phone), status: 'NEEDS_PROFILE_COMPLETION' },
      },
    ])
  })
})

describe('200: a sign-in', () => {
  test('creates a landlord, in upper case in the database, with last_login_at', async () => {
    const { phone } = await signInUser(server)
    expect(await findUsers(phone)).toMatchObject([
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

  test('keeps an existing account and updates last_login_at', async () => {
    const first = await signInUser(server)
    time.advance(1000)
    const second = await signInUser(server, first.phone)
    expect(second.id).toBe(first.id)
    expect(await findUsers(first.phone)).toMatchObject([{ last_login_at: time.now().toISOString() }])
  })

  test('deletes the OTP', async () => {
    const { phone } = await signInUser(server)
    expect(
      await getKysely(server.em())
        .selectFrom('otp_sessions')
        .where('phone_number', '=', phone)
        .select('id')
        .execute(),
    ).toEqual([])
  })

  test('accepts an OTP of the other variant', async () => {
    const phone = freshPhone()
    await a.requestOtp(phone)
    expect((await b.verify(phone)).body.success).toBe(true)
    await b.requestOtp(phone)
    expect((await a.verify(phone)).body.access_token).toBeString()
  })

  for (const [role, shown] of [
    ['TENANT', 'tenant'],
    ['MANAGER', 'manager'],
    ['ADMIN', 'admin'],
  ] as const) {
    test(`returns the role ${shown} in lower case in both variants`, async () => {
      const { phone } = await signInUser(server)
      await getKysely(server.em()).updateTable('users').set({ role }).where('phone', '=', phone).execute()
      for (const variant of [a, b]) {
        await variant.requestOtp(phone)
        expect(variant.data(await variant.verify(phone)).user.role).toBe(shown)
      }
    })
  }
})

describe('the sign-in status depends on profile and identity', () => {
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
      const { phone } = await signInUser(server)
      await getKysely(server.em())
        .updateTable('users')
        .set({ ...profile, kyc_verified })
        .where('phone', '=', phone)
        .execute()
      await a.requestOtp(phone)
      const inA = await a.verify(phone)
      expect(inA.body).toMatchObject({
        status,
        user: {
          firstName: profile.first_name,
          hasCompletedProfile: complete,
          hasVerifiedProfile: kyc_verified,
        },
      })
      await b.requestOtp(phone)
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
        expect(statusOf(await sendRequest(server, 'GET', path, { token }))).toBe(status)
    })
  }
})

for (const [name, { requestOtp, verify, refused }] of Object.entries(variants)) {
  describe(`401, Variant ${name.toUpperCase()}`, () => {
    test('wrong, expired, used and unknown OTPs get the same response', async () => {
      const phones = { wrong: freshPhone(), expired: freshPhone(), used: freshPhone() }
      await requestOtp(phones.expired)
      time.advance(10 * 60_000)
      await requestOtp(phones.wrong)
      await requestOtp(phones.used)
      await verify(phones.used)
      const responses = [
        await verify(phones.wrong, '654321'),
        await verify(phones.expired),
        await verify(phones.used),
        await verify(freshPhone()),
      ]
      for (const { status, body } of responses) expect([status, body]).toEqual([401, refused])
      expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    })

    test('the right OTP is invalid after five wrong attempts', async () => {
      const phone = freshPhone()
      await requestOtp(phone)
      for (let attempts = 0; attempts < 5; attempts++)
        expect((await verify(phone, `00000${attempts}`)).status).toBe(401)
      expect([(await verify(phone)).status, await findUsers(phone)]).toEqual([401, []])
    })

    test('200: the right OTP after four wrong attempts', async () => {
      const phone = freshPhone()
      await requestOtp(phone)
      for (let attempts = 0; attempts < 4; attempts++) await verify(phone, '000000')
      expect((await verify(phone)).status).toBe(200)
    })

    test('200: a new OTP replaces an invalid one', async () => {
      const phone = freshPhone()
      await requestOtp(phone)
      for (let attempts = 0; attempts < 6; attempts++) await verify(phone, '000000')
      await requestOtp(phone)
      expect((await verify(phone)).status).toBe(200)
    })

    test('the OTP of another phone', async () => {
      const [phone, otherPhone] = [freshPhone(), freshPhone()]
      await requestOtp(phone)
      expect((await verify(otherPhone)).status).toBe(401)
    })
  })
}

describe('the lifetime of an OTP depends on the variant of its request', () => {
  const toMs = (count: number) => count * 60_000
  for (const [requested, lifetime] of [
    ['a', toMs(10)],
    ['b', toMs(5)],
  ] as const) {
    for (const verified of ['a', 'b'] as const) {
      test(`requested in ${requested.toUpperCase()}, verified in ${verified.toUpperCase()}: ${lifetime / 60_000} minutes`, async () => {
        const phone = freshPhone()
        await variants[requested].requestOtp(phone)
        time.advance(lifetime - 1)
        expect((await variants[verified].verify(phone)).status).toBe(200)
        await variants[requested].requestOtp(phone)
        time.advance(lifetime)
        expect((await variants[verified].verify(phone)).status).toBe(401)
      })
    }
  }

  test('POST /auth with snake_case fields is Variant B, five minutes', async () => {
    const phone = freshPhone()
    await sendRequest(server, 'POST', '/auth', { body: { phone_number: phone } })
    time.advance(toMs(5))
    expect((await b.verify(phone)).status).toBe(401)
  })
})

describe('400: an invalid field', () => {
  const phone = '9876543210'
  const invalid: [phone: unknown, otp: unknown, ...which: ('phone' | 'otp')[]][] = [
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
  for (const [number, otp, ...which] of invalid) {
    test(`${JSON.stringify([number, otp])} in both variants`, async () => {
      const inA = await sendRequest(server, 'POST', '/auth/verify', { body: { phoneNumber: number, otp } })
      expect([inA.status, inA.body]).toEqual([
        400,
        brokenInA(...which.map(field => (field === 'phone' ? 'phoneNumber' : 'otp'))),
      ])
      const inB = await sendRequest(server, 'POST', '/auth/verify', {
        body: { phone_number: number, otp, first_name: 'selects Variant B' },
      })
      expect([inB.status, inB.body]).toEqual([
        400,
        broken(...which.map(field => (field === 'phone' ? 'phone_number' : 'otp'))),
      ])
    })
  }

  test('does not count as an attempt', async () => {
    const phone = freshPhone()
    await b.requestOtp(phone)
    for (let attempts = 0; attempts < 6; attempts++) await b.verify(phone, '12345')
    expect((await b.verify(phone)).status).toBe(200)
  })

  test('is not repeated in the response', async () => {
    const { body } = await b.verify('9876543210', '12345x')
    expect(JSON.stringify(body)).not.toContain('12345x')
  })
})
