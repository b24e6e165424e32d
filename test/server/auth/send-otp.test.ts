import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { sendRequest, freshPhone, createLandlord, signInUser } from '../../support/users'
import { testServer } from '../../support/server'
import { broken, brokenInA, UUID } from '../http/forms'

const it = testServer()
const discreet = testServer({ env: { DISCLOSE_ACCOUNTS: 'false' } })
const ask = (phone: unknown, path = '/auth/send-otp') =>
  sendRequest(it.url, 'POST', path, { body: { phone_number: phone } })
const deactivate = (phone: string) =>
  getKysely(it.em()).updateTable('users').set({ is_active: false }).where('phone', '=', phone).execute()
const otpOf = (phone: string) =>
  getKysely(it.em())
    .selectFrom('otp_sessions')
    .where('phone_number', '=', phone)
    .select(['otp', 'attempts', 'is_active', 'expire_at'])
    .execute()

describe('200', () => {
  test('Variant A reads a message and nothing else, known number or not', async () => {
    const { phone } = await signInUser(it.url)
    for (const phoneNumber of [phone, freshPhone()]) {
      const answer = await sendRequest(it.url, 'POST', '/auth', { body: { phoneNumber } })
      expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String) }])
    }
  })

  for (const path of ['/auth', '/auth/send-otp']) {
    test(`${path}: Variant B reads user null for an unknown number`, async () => {
      const answer = await ask(freshPhone(), path)
      expect([answer.status, answer.body]).toEqual([
        200,
        { success: true, data: { message: expect.any(String), is_existing_user: false, user: null } },
      ])
    })

    test(`${path}: Variant B reads exactly five fields of a known user`, async () => {
      const { phone, user_id } = await createLandlord(it.url)
      const answer = await ask(phone, path)
      expect([answer.status, answer.body]).toEqual([
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

  test('names are null before the profile is complete', async () => {
    const { phone, user_id } = await signInUser(it.url)
    expect((await ask(phone)).body.data.user).toEqual({
      user_id,
      first_name: null,
      last_name: null,
      email: null,
      phone_number: phone,
    })
  })

  test('whoever was only named by a landlord has an account but is no existing user until the first sign-in', async () => {
    const owner = await signInUser(it.url)
    const phone = freshPhone()
    await owner.call('POST', '/tenants', { phone_number: phone, first_name: 'Ravi' })
    expect((await ask(phone)).body.data).toMatchObject({
      is_existing_user: false,
      user: { user_id: UUID, phone_number: phone },
    })
    await signInUser(it.url, phone)
    expect((await ask(phone)).body.data.is_existing_user).toBe(true)
  })

  test('asking does not make an account', async () => {
    const phone = freshPhone()
    await ask(phone)
    expect(
      await getKysely(it.em()).selectFrom('users').where('phone', '=', phone).select('id').execute(),
    ).toEqual([])
  })
})

describe('an inactive user', () => {
  test('reads what an unknown number reads, and nothing is sent or kept', async () => {
    const { phone } = await createLandlord(it.url)
    await deactivate(phone)
    const sent = async () =>
      (await sendRequest(it.url, 'GET', `/sandbox/messages?phone=${phone}`)).body.data.length
    const before = await sent()
    expect((await ask(phone)).body).toEqual((await ask(freshPhone())).body)
    expect((await sendRequest(it.url, 'POST', '/auth', { body: { phoneNumber: phone } })).body).toEqual({
      message: expect.any(String),
    })
    expect(await sent()).toBe(before)
    expect(await otpOf(phone)).toEqual([])
  })

  test('401: an OTP that was sent before is worth nothing, in the words of a wrong one', async () => {
    const { phone } = await signInUser(it.url)
    await ask(phone)
    await deactivate(phone)
    const verify = (phone_number: string) =>
      sendRequest(it.url, 'POST', '/auth/verify', { body: { phone_number, otp: '123456' } })
    const [inactive, never] = [await verify(phone), await verify(freshPhone())]
    expect(inactive.status).toBe(401)
    expect(inactive.body).toEqual(never.body)
  })
})

describe('DISCLOSE_ACCOUNTS=false', () => {
  test('user is always null and the flag is left out', async () => {
    const known = await createLandlord(discreet.url)
    const asked = (phone_number: string) =>
      sendRequest(discreet.url, 'POST', '/auth/send-otp', { body: { phone_number } })
    const answers = [await asked(known.phone), await asked(freshPhone())]
    for (const { status, body } of answers)
      expect([status, body]).toEqual([
        200,
        { success: true, data: { message: expect.any(String), user: null } },
      ])
    expect(answers[0]!.body).toEqual(answers[1]!.body)
  })
})

describe('400: not a mobile number', () => {
  const wrong: unknown[] = [
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
  for (const number of wrong) {
    test(`${JSON.stringify(number) ?? 'nothing'}, both variants`, async () => {
      for (const path of ['/auth', '/auth/send-otp']) {
        const inB = await sendRequest(it.url, 'POST', path, {
          body: { phone_number: number, first_name: 'so that the body tells' },
        })
        expect([inB.status, inB.body]).toEqual([400, broken('phone_number')])
      }
      const inA = await sendRequest(it.url, 'POST', '/auth', { body: { phoneNumber: number } })
      expect([inA.status, inA.body]).toEqual([400, brokenInA('phoneNumber')])
    })
  }

  for (const first of ['6', '7', '8', '9']) {
    test(`200: a number may start with ${first}`, async () =>
      expect((await ask(first + freshPhone().slice(1))).status).toBe(200))
  }
})

describe('at rest', () => {
  test('the OTP is kept as a keyed hash that tells neither digits nor equality of two phones', async () => {
    const phones = [freshPhone(), freshPhone()]
    for (const phone of phones) await ask(phone)
    const [[one], [other]] = [await otpOf(phones[0]!), await otpOf(phones[1]!)]
    expect(one).toMatchObject({ otp: expect.stringMatching(/^[0-9a-f]{64}$/), attempts: 0, is_active: true })
    expect(one!.otp).not.toBe(other!.otp)
    const plainly = new Bun.CryptoHasher('sha256').update('123456').digest('hex')
    const withPhone = new Bun.CryptoHasher('sha256').update(`${phones[0]}:123456`).digest('hex')
    expect([plainly, withPhone]).not.toContain(one!.otp)
  })

  test('a phone has one OTP: a new one takes the place of the older', async () => {
    const phone = freshPhone()
    await ask(phone)
    await sendRequest(it.url, 'POST', '/auth', { body: { phoneNumber: phone } })
    expect(await otpOf(phone)).toHaveLength(1)
  })
})
