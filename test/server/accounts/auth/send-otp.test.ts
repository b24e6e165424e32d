import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { refuse } from '../../../../server/errors'
import { RecipientError } from '../../../../server/providers/messaging/port'
import { maskUser } from '../../../../server/accounts/auth/queries'
import { testServer, type TestServer } from '../../../support/server'
import { completeProfile, freshPhone, sendRequest, signInUser } from '../../../support/users'
import { enveloped, plain, UUID } from '../../http/forms'

const sent: string[] = []
let sendingError: Error | undefined
const overrides = {
  sendMessage: async (phone: string) => {
    if (sendingError) throw sendingError
    sent.push(phone)
  },
}
const server = testServer({ overrides })
const undisclosing = testServer({ env: { DISCLOSE_ACCOUNTS: 'none' } })
const masking = testServer({ env: { DISCLOSE_ACCOUNTS: 'masked' } })
afterEach(() => void (sendingError = undefined))

const requestOtp = (phone_number: unknown, at: TestServer = server, path = '/auth/send-otp') =>
  sendRequest(at, 'POST', path, { body: { phone_number } })
const requestOtpInA = (phoneNumber: unknown) =>
  sendRequest(server, 'POST', '/auth', { body: { phoneNumber } })
const deactivate = (phone: string) =>
  server.db.updateTable('users').set({ is_active: false }).where('phone', '=', phone).execute()
const findOtps = (phone: string) =>
  server.db.selectFrom('otp_sessions').where('phone_number', '=', phone).selectAll().execute()
async function createNamedUser(at: TestServer = server) {
  const user = await signInUser(at)
  await completeProfile(user)
  return user
}
const unknown = { message: expect.any(String), is_existing_user: false, user: null }

describe('the response', () => {
  test('200: Variant A gets only a message, whether the number is known or not', async () => {
    for (const phone of [(await createNamedUser()).phone, freshPhone()]) {
      const { status, body } = await requestOtpInA(phone)
      expect([status, body]).toEqual([200, { message: expect.any(String) }])
    }
  })

  test.each(['/auth', '/auth/send-otp'])(
    '200: %s in Variant B has five fields of a known user',
    async path => {
      const { phone, user_id } = await createNamedUser()
      const user = {
        user_id,
        first_name: 'Asha',
        last_name: 'Rao',
        email: 'asha@example.com',
        phone_number: phone,
      }
      const known = await requestOtp(phone, server, path)
      expect([known.status, known.body]).toEqual([
        200,
        { success: true, data: { message: expect.any(String), is_existing_user: true, user } },
      ])
      const other = await requestOtp(freshPhone(), server, path)
      expect([other.status, other.body]).toEqual([200, { success: true, data: unknown }])
    },
  )

  test('200: a user whom a landlord named exists for the client after the first sign-in', async () => {
    const [owner, phone] = [await signInUser(server), freshPhone()]
    await owner.post('/tenants', { phone_number: phone, first_name: 'Ravi' })
    expect((await requestOtp(phone)).data).toMatchObject({
      is_existing_user: false,
      user: { user_id: UUID, first_name: null, phone_number: phone },
    })
    await signInUser(server, phone)
    expect((await requestOtp(phone)).data.is_existing_user).toBe(true)
  })

  test('no user is created by a request for an OTP', async () => {
    const phone = freshPhone()
    await requestOtp(phone)
    const users = server.db.selectFrom('users').where('phone', '=', phone)
    expect(await users.selectAll().execute()).toEqual([])
  })
})

describe('DISCLOSE_ACCOUNTS=masked', () => {
  test.each([
    [
      { first_name: 'Asha', last_name: 'Rao', email: 'asha.rao@example.com' },
      { first_name: 'A•••', last_name: 'R•••', email: 'a•••@…' },
    ],
    [
      { first_name: '𝒜sha', last_name: 'R', email: null },
      { first_name: '𝒜•••', last_name: 'R•••', email: null },
    ],
  ])('shows of %j only first letters', (names, masked) => {
    expect(maskUser(names)).toEqual(masked)
  })

  test('masks the names in the usual response, and leaves null what is null', async () => {
    const [known, unnamed] = [await createNamedUser(masking), await signInUser(masking)]
    const names = { first_name: 'A•••', last_name: 'R•••', email: 'a•••@…' }
    const user = { user_id: known.user_id, phone_number: known.phone, ...names }
    expect((await requestOtp(known.phone, masking)).data).toEqual({
      message: expect.any(String),
      is_existing_user: true,
      user,
    })
    expect((await requestOtp(unnamed.phone, masking)).data.user).toMatchObject({
      first_name: null,
      last_name: null,
      email: null,
    })
  })

  test('does not tell that a landlord has named a number', async () => {
    const [landlord, phone_number] = [await signInUser(masking), freshPhone()]
    await landlord.post('/tenants', { phone_number, first_name: 'Zed' })
    for (const phone of [phone_number, freshPhone()])
      expect((await requestOtp(phone, masking)).data).toEqual(unknown)
  })
})

test('DISCLOSE_ACCOUNTS=none: the user is always null, without is_existing_user', async () => {
  const known = await createNamedUser(undisclosing)
  for (const phone of [known.phone, freshPhone()]) {
    const { status, body } = await requestOtp(phone, undisclosing)
    expect([status, body]).toEqual([
      200,
      { success: true, data: { message: expect.any(String), user: null } },
    ])
  }
})

describe('an inactive user', () => {
  test('gets the response for an unknown number in both variants, and no OTP', async () => {
    const { phone } = await createNamedUser()
    await deactivate(phone)
    sent.length = 0

    expect((await requestOtp(phone)).body).toEqual((await requestOtp(freshPhone())).body)
    expect((await requestOtpInA(phone)).body).toEqual({ message: expect.any(String) })

    expect(sent).not.toContain(phone)
    expect(await findOtps(phone)).toHaveLength(1)
  })

  test('is answered after as long as the last sending took', async () => {
    const { phone } = await createNamedUser()
    await deactivate(phone)
    await requestOtp(freshPhone())
    const [before] = await findOtps(phone)
    const [asleep, awake] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
    using _ = spyOn(Bun, 'sleep').mockImplementation(ms => {
      asleep.resolve(Number(ms))
      return awake.promise
    })

    let isAnswered = false
    const answer = requestOtp(phone).finally(() => (isAnswered = true))
    const ms = await asleep.promise
    const [during] = await findOtps(phone)
    const wasAnswered = isAnswered
    awake.resolve()

    expect([ms > 0, wasAnswered, during]).toEqual([true, false, before])
    expect((await answer).status).toBe(200)
    expect((await findOtps(phone))[0]!.otp).not.toBe(before?.otp)
  })

  test('401: cannot use an earlier OTP; the response is that of a wrong one', async () => {
    const { phone } = await signInUser(server)
    await requestOtp(phone)
    await deactivate(phone)
    const verify = (phone_number: string) =>
      sendRequest(server, 'POST', '/auth/verify', { body: { phone_number, otp: '123456' } })
    const [inactive, never] = [await verify(phone), await verify(freshPhone())]
    expect([inactive.status, inactive.body]).toEqual([401, never.body])
  })
})

const secret = new Error('secret: the access token 123456')
const message = 'The messaging provider cannot be reached'
test.each<[status: number, error: Error, message: unknown]>([
  [400, new RecipientError('phone_number_unreachable', ['Check it', 'इसे जाँचें']), 'Check it'],
  [503, refuse('provider_unreachable', { provider: 'messaging' }, { cause: secret }), message],
  [500, secret, expect.not.stringContaining('secret')],
])(
  '%d: an OTP that cannot be sent is not stored, and neither variant has a secret',
  async (status, error, text) => {
    sendingError = error
    const phone = freshPhone()
    const [inB, inA] = [await requestOtp(phone), await requestOtpInA(phone)]
    expect([inB.status, inB.body]).toEqual([status, enveloped(status, text)])
    expect([inA.status, inA.body]).toEqual([status, plain(status, text)])
    expect(await findOtps(phone)).toEqual([])
  },
)

test('the OTP is stored as a keyed hash that depends on the phone', async () => {
  const [phone, other] = [freshPhone(), freshPhone()]
  await requestOtp(phone)
  await requestOtp(other)
  const [[stored], [another]] = [await findOtps(phone), await findOtps(other)]
  expect(stored).toMatchObject({ otp: expect.stringMatching(/^[0-9a-f]{64}$/), attempts: 0, is_active: true })
  expect(stored!.otp).not.toBe(another!.otp)
})
