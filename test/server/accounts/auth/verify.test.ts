import { describe, expect, test } from 'bun:test'
import { clock, testServer } from '../../../support/server'
import { freshPhone, sendRequest, signInUser, type TestResponse } from '../../../support/users'
import { enveloped, plain, userInA, userInB } from '../../http/forms'

const MINUTE_MS = 60_000
const OTP = '123456'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
const post = (path: string, body: object) => sendRequest(server, 'POST', path, { body })

const variants = {
  A: {
    requestOtp: (phone: string) => post('/auth', { phoneNumber: phone }),
    verify: (phone: unknown, otp: unknown = OTP) => post('/auth/verify', { phoneNumber: phone, otp }),
    getData: ({ body }: TestResponse) => body,
    toUser: userInA,
    refused: plain(401),
  },
  B: {
    requestOtp: (phone: string) => post('/auth/send-otp', { phone_number: phone }),
    verify: (phone: unknown, otp: unknown = OTP) => post('/auth/verify', { phone_number: phone, otp }),
    getData: ({ data }: TestResponse) => data,
    toUser: userInB,
    refused: enveloped(401),
  },
}
const { A, B } = variants
const each = Object.entries(variants)
const findUsers = (phone: string) =>
  server.db.selectFrom('users').where('phone', '=', phone).selectAll().execute()
const changeUser = (phone: string, change: Record<string, unknown>) =>
  server.db.updateTable('users').set(change).where('phone', '=', phone).execute()

describe('200: a sign-in', () => {
  test.each(each)('in Variant %s has exactly the specified shape', async (name, variant) => {
    const phone = freshPhone()
    await variant.requestOtp(phone)
    const response = await variant.verify(phone)
    const data = {
      access_token: expect.any(String),
      user: variant.toUser(phone),
      status: 'NEEDS_PROFILE_COMPLETION',
    }
    expect([response.status, response.body]).toEqual([200, name === 'A' ? data : { success: true, data }])
  })

  test('creates a landlord, in upper case in the database, with last_login_at, and deletes the OTP', async () => {
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
    const otps = server.db.selectFrom('otp_sessions').where('phone_number', '=', phone)
    expect(await otps.selectAll().execute()).toEqual([])
  })

  test('keeps an existing account and updates last_login_at', async () => {
    const first = await signInUser(server)
    time.advance(1000)
    const second = await signInUser(server, first.phone)
    expect(second.id).toBe(first.id)
    expect(await findUsers(first.phone)).toMatchObject([{ last_login_at: time.now().toISOString() }])
  })

  test.each(['TENANT', 'MANAGER', 'ADMIN'])(
    'has the role %s in lower case, in both variants, after an OTP of the other one',
    async role => {
      const { phone } = await signInUser(server)
      await changeUser(phone, { role })
      for (const [requested, verified] of [
        [A, B],
        [B, A],
      ] as const) {
        await requested.requestOtp(phone)
        expect(verified.getData(await verified.verify(phone)).user.role).toBe(role.toLowerCase())
      }
    },
  )
})

test.each([
  ['NEEDS_PROFILE_COMPLETION', null, null, null, false],
  ['NEEDS_PROFILE_COMPLETION', 'Asha', null, null, false],
  ['NEEDS_PROFILE_COMPLETION', 'Asha', 'Rao', null, false],
  ['NEEDS_PROFILE_COMPLETION', null, 'Rao', 'asha@example.com', false],
  ['NEEDS_VERIFICATION', 'Asha', 'Rao', 'asha@example.com', false],
  ['LOGIN_SUCCESSFUL', 'Asha', 'Rao', 'asha@example.com', true],
])(
  'the status is %s with the names %s, %s and %s',
  async (status, first_name, last_name, email, isVerified) => {
    const { phone } = await signInUser(server)
    await changeUser(phone, { first_name, last_name, email, kyc_verified: isVerified })
    const isComplete = status !== 'NEEDS_PROFILE_COMPLETION'

    await A.requestOtp(phone)
    const inA = await A.verify(phone)
    const flagsInA = { hasCompletedProfile: isComplete, hasVerifiedProfile: isVerified }
    expect(inA.body).toMatchObject({ status, user: { firstName: first_name, ...flagsInA } })
    await B.requestOtp(phone)
    const inB = await B.verify(phone)
    const flagsInB = { has_completed_profile: isComplete, has_verified_profile: isVerified }
    expect(inB.data).toMatchObject({ status, user: { first_name, ...flagsInB } })

    const token: string = inB.data.access_token
    expect((await sendRequest(server, 'GET', '/auth/me', { token })).data.status).toBe(status)
  },
)

describe.each(each)('401, Variant %s', (_, { requestOtp, verify, refused }) => {
  test('wrong, expired, used, unknown and foreign OTPs get the same response', async () => {
    const phones = { wrong: freshPhone(), expired: freshPhone(), used: freshPhone() }
    await requestOtp(phones.expired)
    time.advance(10 * MINUTE_MS)
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
})

test.each([
  ['A', 'A', 10],
  ['A', 'B', 10],
  ['B', 'A', 5],
  ['B', 'B', 5],
] as const)(
  'an OTP requested in Variant %s and verified in %s is valid for %d minutes',
  async (requested, verified, minutes) => {
    const phone = freshPhone()
    await variants[requested].requestOtp(phone)
    time.advance(minutes * MINUTE_MS - 1)
    expect((await variants[verified].verify(phone)).status).toBe(200)
    await variants[requested].requestOtp(phone)
    time.advance(minutes * MINUTE_MS)
    expect((await variants[verified].verify(phone)).status).toBe(401)
  },
)

describe('400: an invalid field', () => {
  test('does not count as an attempt, and is not repeated in the response', async () => {
    const number = freshPhone()
    await B.requestOtp(number)
    for (let attempts = 0; attempts < 6; attempts++) {
      const { body } = await B.verify(number, '98765x')
      expect(JSON.stringify(body)).not.toContain('98765x')
    }
    expect((await B.verify(number)).status).toBe(200)
  })
})
