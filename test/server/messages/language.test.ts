import { describe, expect, test } from 'bun:test'
import { signInWithVariantA } from '../accounts/profile/fixtures'
import { enveloped, plain } from '../http/forms'
import { testServer } from '../../support/server'
import { createLandlord, createTenant, createUnit, agreementTerms, sendRequest } from '../../support/users'

const server = testServer()

const HINDI = { 'accept-language': 'hi-IN,hi;q=0.9,en;q=0.8' }
const WRONG = { phone_number: '9876543210', otp: '000000' }
const wrongOtp = {
  en: 'The one-time password is wrong or has expired',
  hi: 'ओटीपी गलत है या उसका समय बीत चुका है',
}

describe('the language of an error', () => {
  test.each<[accepted: string | undefined, language: 'en' | 'hi']>([
    [undefined, 'en'],
    ['*', 'en'],
    ['hi', 'hi'],
    ['hi-IN', 'hi'],
    ['HI-in', 'hi'],
    ['hi-IN,hi;q=0.9,en;q=0.8', 'hi'],
    ['fr, hi;q=0.1', 'hi'],
    ['en-IN, hi;q=0.5', 'en'],
    ['ta-IN, en;q=0.5, hi;q=0.4', 'en'],
    ['hi;q=0, en', 'en'],
    ['fr', 'en'],
    ['hi;q=x,;;,', 'en'],
    ['chi', 'en'],
  ])('%p is answered in %s', async (accepted, language) => {
    const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-language': accepted }
    const refused = await sendRequest(server, 'POST', '/auth/verify', { body: WRONG, headers })

    expect([refused.status, refused.error]).toEqual([
      401,
      { code: 'UNAUTHORIZED', reason: 'wrong_otp', message: wrongOtp[language] },
    ])
    expect(refused.headers.get('content-language')).toBe(language)
    expect(refused.headers.get('vary')).toContain('Accept-Language')
  })

  test('Variant A: the shape stays exact, without a reason', async () => {
    const body = { phoneNumber: '9876543210', otp: '000000' }
    const refused = await sendRequest(server, 'POST', '/auth/verify', { body, headers: HINDI })
    expect(refused.body).toEqual(plain(401, wrongOtp.hi))
  })

  test('Variant A: the next step of the onboarding stays readable', async () => {
    const { token } = await signInWithVariantA(server)
    const refused = await sendRequest(server, 'GET', '/dashboard', { token, headers: HINDI })
    expect(refused.body).toEqual(plain(403, 'पहले अपनी शुरुआती प्रक्रिया पूरी करें: NEEDS_PROFILE_COMPLETION'))
  })

  test('an unknown path and a body that is not JSON', async () => {
    const lost = await sendRequest(server, 'GET', '/nothing', { headers: HINDI })
    expect(lost.body).toEqual(enveloped(404, 'यह पता मौजूद नहीं है'))
    const broken = await sendRequest(server, 'POST', '/auth/login', {
      body: '{',
      headers: { ...HINDI, 'content-type': 'application/json' },
    })
    expect(broken.body).toEqual(enveloped(400, 'अनुरोध का JSON सही नहीं है'))
  })
})

describe('invalid fields', () => {
  test('keep their names and the words of their rules', async () => {
    const headers = HINDI
    const body = { phone_number: '12', otp: 7 }
    const refused = await sendRequest(server, 'POST', '/auth/verify', { body, headers })
    expect(refused.error).toEqual({
      code: 'VALIDATION_ERROR',
      reason: 'invalid_fields',
      message: 'phone_number में सही भारतीय मोबाइल नंबर (10 अंक, पहला अंक 6 से 9) दें; otp में ठीक 6 अंक दें',
      details: [
        {
          property: 'phone_number',
          constraints: { phone_number: 'सही भारतीय मोबाइल नंबर (10 अंक, पहला अंक 6 से 9) दें' },
          rule: 'phone_number',
          params: {},
          label: 'फ़ोन नंबर',
        },
        { property: 'otp', constraints: { otp: 'ठीक 6 अंक दें' }, rule: 'otp', params: {}, label: 'ओटीपी' },
      ],
    })
  })

  test('Variant A: a line for each, which begins with the name', async () => {
    const refused = await sendRequest(server, 'POST', '/auth', { body: {}, headers: HINDI })
    expect(refused.body).toEqual(
      plain(400, ['phoneNumber देना ज़रूरी है: सही भारतीय मोबाइल नंबर (10 अंक, पहला अंक 6 से 9)']),
    )
  })

  test('a rule of the records is told as well', async () => {
    const landlord = await createLandlord(server)
    const refused = await sendRequest(server, 'POST', '/properties', {
      token: landlord.token,
      body: { pin_code: 999_999, property_type: 'pg' },
      headers: HINDI,
    })
    expect(refused.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      reason: 'pin_code_unknown',
      details: [
        {
          property: 'city',
          constraints: { pin_code_unknown: 'देना ज़रूरी है: पिन कोड 999999 हमारी सूची में नहीं है' },
          rule: 'pin_code_unknown',
          params: { pin_code: 999_999 },
          label: 'शहर',
        },
        { property: 'district' },
        { property: 'state' },
      ],
    })
  })
})

describe('the message of a result', () => {
  test('is in the language of the request', async () => {
    const body = { phone_number: '9876543212' }
    const sent = await sendRequest(server, 'POST', '/auth/send-otp', { body, headers: HINDI })
    expect(sent.data.message).toBe('ओटीपी भेजा जा रहा है')
    expect(sent.headers.get('content-language')).toBe('hi')
    const again = await sendRequest(server, 'POST', '/auth/send-otp', { body })
    expect(again.data.message).toBe('A one-time password is on its way')
    expect(again.headers.get('content-language')).toBe('en')
  })

  test('is in the language of the repeated request, not of the first one', async () => {
    const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
    const { unit } = await createUnit(landlord)
    const terms = agreementTerms(unit.id, [tenant.id], { deposit_amount: 50_000 })
    const create = (headers: Record<string, string>) =>
      sendRequest(server, 'POST', '/agreements', {
        token: landlord.token,
        body: terms,
        headers: { ...headers, 'idempotency-key': 'lease-1' },
      })

    const first = await create({})
    const second = await create(HINDI)

    expect(first.body.message).toBe('The agreement was created')
    expect(second.body).toEqual({ ...first.body, message: 'समझौता बना दिया गया है' })
    expect((await create({})).body).toEqual(first.body)
  })

  test('a result without one has no language', async () => {
    const { headers } = await sendRequest(server, 'GET', '/health/live', { headers: HINDI })
    expect(headers.get('content-language')).toBeNull()
  })
})
