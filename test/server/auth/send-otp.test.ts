import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, freshPhone, createLandlord, signInUser } from '../../support/users'
import { testServer } from '../../support/server'
import { broken, brokenInA, UUID } from '../http/forms'

const server = testServer()
const undisclosing = testServer({ env: { DISCLOSE_ACCOUNTS: 'none' } })
const masking = testServer({ env: { DISCLOSE_ACCOUNTS: 'masked' } })
const requestOtp = (phone: unknown, path = '/auth/send-otp') =>
  sendRequest(server, 'POST', path, { body: { phone_number: phone } })
const deactivate = (phone: string) =>
  getKysely(server.em()).updateTable('users').set({ is_active: false }).where('phone', '=', phone).execute()
const findOtps = (phone: string) =>
  getKysely(server.em())
    .selectFrom('otp_sessions')
    .where('phone_number', '=', phone)
    .select(['otp', 'attempts', 'is_active', 'expire_at', 'created_at'])
    .execute()

describe('the response', () => {
  test('200: Variant A gets only a message, whether the number is known or not', async () => {
    const { phone } = await signInUser(server)
    for (const phoneNumber of [phone, freshPhone()]) {
      const response = await sendRequest(server, 'POST', '/auth', { body: { phoneNumber } })
      expect([response.status, response.body]).toEqual([200, { message: expect.any(String) }])
    }
  })

  for (const path of ['/auth', '/auth/send-otp']) {
    test(`200: ${path} returns a null user for an unknown number in Variant B`, async () => {
      const response = await requestOtp(freshPhone(), path)
      expect([response.status, response.body]).toEqual([
        200,
        { success: true, data: { message: expect.any(String), is_existing_user: false, user: null } },
      ])
    })

    test(`200: ${path} returns exactly five fields of a known user in Variant B`, async () => {
      const { phone, user_id } = await createLandlord(server)
      const response = await requestOtp(phone, path)
      expect([response.status, response.body]).toEqual([
        200,
        {
          success: true,
          data: {
            message: expect.any(String),
            is_existing_user: true,
            user: {
              user_id,
              first_name: 'Asha',
              last_name: 'Rao',
              email: 'asha@example.com',
              phone_number: phone,
            },
          },
        },
      ])
    })
  }
})

describe('a user', () => {
  test('has null names before the profile is complete', async () => {
    const { phone, user_id } = await signInUser(server)
    expect((await requestOtp(phone)).body.data.user).toEqual({
      user_id,
      first_name: null,
      last_name: null,
      email: null,
      phone_number: phone,
    })
  })

  test('who was only named by a landlord exists for the client after the first sign-in', async () => {
    const owner = await signInUser(server)
    const phone = freshPhone()
    await owner.call('POST', '/tenants', { phone_number: phone, first_name: 'Ravi' })
    expect((await requestOtp(phone)).body.data).toMatchObject({
      is_existing_user: false,
      user: { user_id: UUID, phone_number: phone },
    })
    await signInUser(server, phone)
    expect((await requestOtp(phone)).body.data.is_existing_user).toBe(true)
  })

  test('is not created by a request for an OTP', async () => {
    const phone = freshPhone()
    await requestOtp(phone)
    expect(
      await getKysely(server.em()).selectFrom('users').where('phone', '=', phone).select('id').execute(),
    ).toEqual([])
  })
})

describe('an inactive user', () => {
  test('gets the response for an unknown number after the same work, and no OTP is sent', async () => {
    const { phone } = await createLandlord(server)
    await deactivate(phone)
    const sent = async () =>
      (await sendRequest(server, 'GET', `/sandbox/messages?phone=${phone}`)).body.data.length
    const before = await sent()
    expect((await requestOtp(phone)).body).toEqual((await requestOtp(freshPhone())).body)
    expect((await sendRequest(server, 'POST', '/auth', { body: { phoneNumber: phone } })).body).toEqual({
      message: expect.any(String),
    })
    expect(await sent()).toBe(before)
    expect(await findOtps(phone)).toHaveLength(1)
  })

  test('401: an earlier OTP is not valid; the response is the one for a wrong OTP', async () => {
    const { phone } = await signInUser(server)
    await requestOtp(phone)
    await deactivate(phone)
    const verify = (phone_number: string) =>
      sendRequest(server, 'POST', '/auth/verify', { body: { phone_number, otp: '123456' } })
    const [inactive, never] = [await verify(phone), await verify(freshPhone())]
    expect(inactive.status).toBe(401)
    expect(inactive.body).toEqual(never.body)
  })
})

describe('DISCLOSE_ACCOUNTS=masked', () => {
  const ask = (phone_number: string) =>
    sendRequest(masking, 'POST', '/auth/send-otp', { body: { phone_number } })

  test.each([
    [
      { first_name: 'Asha', last_name: 'Rao', email: 'asha.rao@example.com' },
      { first_name: 'A•••', last_name: 'R•••', email: 'a•••@…' },
    ],
    [
      { first_name: '𝒜sha', last_name: 'R', email: 'A@example.com' },
      { first_name: '𝒜•••', last_name: 'R•••', email: 'A•••@…' },
    ],
  ])('shows of %o only first letters, in the same shape', async (profile, masked) => {
    const { phone, user_id, put } = await signInUser(masking)
    await put('/profile/complete', profile)
    expect((await ask(phone)).body).toEqual({
      success: true,
      data: {
        message: expect.any(String),
        is_existing_user: true,
        user: { user_id, phone_number: phone, ...masked },
      },
    })
  })

  test('does not tell that a landlord has named a number', async () => {
    const landlord = await signInUser(masking)
    const phone_number = freshPhone()
    await landlord.post('/tenants', { phone_number, first_name: 'Zed' })
    expect((await ask(phone_number)).data).toMatchObject({ is_existing_user: false, user: null })
  })

  test('leaves null what is null, and the answer for an unknown number as it is', async () => {
    const { phone } = await signInUser(masking)
    expect((await ask(phone)).data.user).toMatchObject({ first_name: null, last_name: null, email: null })
    expect((await ask(freshPhone())).data).toEqual({
      message: expect.any(String),
      is_existing_user: false,
      user: null,
    })
  })
})

test('DISCLOSE_ACCOUNTS=none: user is always null, without is_existing_user', async () => {
  const known = await createLandlord(undisclosing)
  const asked = (phone_number: string) =>
    sendRequest(undisclosing, 'POST', '/auth/send-otp', { body: { phone_number } })
  const responses = [await asked(known.phone), await asked(freshPhone())]
  for (const { status, body } of responses)
    expect([status, body]).toEqual([
      200,
      { success: true, data: { message: expect.any(String), user: null } },
    ])
  expect(responses[0]!.body).toEqual(responses[1]!.body)
})

describe('the mobile number', () => {
  const invalid: unknown[] = [
    undefined,
    null,
    '',
    ' ',
    '987654321',
    '98765432100',
    '5876543210',
    '0987654321',
    '+919876543210',
    '98765 43210',
    ' 9876543210',
    '9876543210\n',
    '९८७६५४३२१०',
    9876543210,
    ['9876543210'],
    { $ne: null },
    {},
    true,
  ]
  for (const number of invalid) {
    test(`400: ${JSON.stringify(number) ?? 'no number'}, both variants`, async () => {
      for (const path of ['/auth', '/auth/send-otp']) {
        const inB = await sendRequest(server, 'POST', path, {
          body: { phone_number: number, first_name: 'selects Variant B' },
        })
        expect([inB.status, inB.body]).toEqual([400, broken('phone_number')])
      }
      const inA = await sendRequest(server, 'POST', '/auth', { body: { phoneNumber: number } })
      expect([inA.status, inA.body]).toEqual([400, brokenInA('phoneNumber')])
    })
  }

  for (const first of ['6', '7', '8', '9']) {
    test(`200: may start with ${first}`, async () =>
      expect((await requestOtp(first + freshPhone().slice(1))).status).toBe(200))
  }
})

describe('the stored OTP', () => {
  test('is a keyed hash that depends on the phone', async () => {
    const phones = [freshPhone(), freshPhone()]
    for (const phone of phones) await requestOtp(phone)
    const [[one], [other]] = [await findOtps(phones[0]!), await findOtps(phones[1]!)]
    expect(one).toMatchObject({ otp: expect.stringMatching(/^[0-9a-f]{64}$/), attempts: 0, is_active: true })
    expect(one!.otp).not.toBe(other!.otp)
    const hashWithoutKey = new Bun.CryptoHasher('sha256').update('123456').digest('hex')
    const hashOfPhoneAndOtp = new Bun.CryptoHasher('sha256').update(`${phones[0]}:123456`).digest('hex')
    expect([hashWithoutKey, hashOfPhoneAndOtp]).not.toContain(one!.otp)
  })

  test('is replaced by a new OTP for the same phone', async () => {
    const phone = freshPhone()
    await requestOtp(phone)
    const [first] = await findOtps(phone)
    await sendRequest(server, 'POST', '/auth', { body: { phoneNumber: phone } })
    const [second, ...others] = await findOtps(phone)
    expect(others).toEqual([])
    expect(new Date(second!.created_at).getTime()).toBeGreaterThan(new Date(first!.created_at).getTime())
  })
})
