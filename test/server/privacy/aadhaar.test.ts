import { afterAll, expect, test } from 'bun:test'
import { redactAadhaar } from '../../../server/domain/redact-aadhaar'
import { createLog } from '../../../server/observability/log'
import { reconcileKyc } from '../../../server/jobs/reconcile'
import { sendRequest, createDraft, freshPhone, toTestUser, type TestResponse } from '../../support/users'
import { testServer } from '../../support/server'
import { startWhatsAppStub } from '../auth/whatsapp'
import { signingProvider } from '../agreements/signing/provider'
import { dump } from './dump'

const NUMBER = '734512908867'
const aadhaar = {
  name: `Asha Rao ${NUMBER}`,
  dateOfBirth: '17-03-1971',
  gender: 'F',
  address: { pin: '560048', house: 'HOUSECANARY' },
  photo: 'PHOTOCANARYbase64',
  aadhaarNumber: '7345 1290 8867',
  generatedAt: '2026-01-01',
}
const xml = `<KycCanary uid="${NUMBER}"><Pht>PHOTOCANARYbase64</Pht></KycCanary>`
const sought = {
  'the number': [NUMBER, '7345 1290 8867', '7345-1290-8867', '73451290', '7345 1290'],
  'the photo': ['PHOTOCANARY'],
  'the XML': ['KycCanary'],
  'the birthday': ['17-03-1971'],
  'the address': ['HOUSECANARY'],
}

/** How an identity check comes out; each answer carries all that the provider knows. */
const outcomes: Record<string, () => Response> = {
  success: () =>
    Response.json({ id: 'x', status: 'SUCCESS', kycURL: 'https://kyc.example.com', data: { aadhaar, xml } }),
  error: () =>
    Response.json({
      id: 'x',
      status: 'ERROR',
      kycURL: 'https://kyc.example.com',
      data: { aadhaar, xml },
      errorCode: `bad_${NUMBER} ${NUMBER}`,
      errorMsg: `The holder of ${NUMBER}, or 7345-1290-8867, was not found`,
    }),
  'still open': () =>
    Response.json({
      id: 'x',
      status: 'KYC_REQUESTED',
      kycURL: 'https://kyc.example.com',
      data: { aadhaar, xml },
    }),
  malformed: () => Response.json({ [NUMBER]: aadhaar, status: NUMBER, data: xml }),
  'no JSON': () =>
    new Response(`${xml}{"aadhaarNumber":"${NUMBER}`, { headers: { 'content-type': 'application/json' } }),
  refused: () => Response.json({ errorCode: NUMBER, errorMsg: xml }, { status: 400 }),
  failed: () => new Response(xml, { status: 500 }),
}
let outcome = outcomes.success!
const kyc = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: request =>
    request.method === 'POST'
      ? Response.json(
          { id: crypto.randomUUID(), status: 'CREATED', kycURL: 'https://kyc.example.com' },
          { status: 201 },
        )
      : outcome(),
})
afterAll(() => kyc.stop(true))
const chat = startWhatsAppStub()
const esign = signingProvider()
const lines: string[] = []
const answers: string[] = []
const it = testServer({
  env: {
    ...chat.env,
    ...esign.env,
    EKYC_API_URL: `http://127.0.0.1:${kyc.port}`,
    EKYC_CLIENT_ID: 'i',
    EKYC_CLIENT_SECRET: 's',
    EKYC_PRODUCT_INSTANCE_ID: 'p',
    PROVIDER_RETRIES: '0',
    RUN_JOBS: 'true',
    OTP_LIMIT_PER_ADDRESS: '1000',
    OPS_TOKEN: 'o',
  },
  overrides: { log: createLog('debug', false, { write: line => void lines.push(line) }) },
})
const ask = async (
  method: string,
  path: string,
  more: Parameters<typeof sendRequest>[3] = {},
): Promise<TestResponse> => {
  const answer = await sendRequest(it.url, method, path, more)
  answers.push(JSON.stringify([answer.body, [...answer.headers]]))
  return answer
}

test('of an Aadhaar number no more than four digits are anywhere: no table, no log, no answer', async () => {
  for (const [name, made] of Object.entries(outcomes)) {
    outcome = made
    const phone = freshPhone()
    await ask('POST', '/auth/send-otp', { body: { phone_number: phone } })
    const { body } = await ask('POST', '/auth/verify', {
      body: { phone_number: phone, otp: chat.otpOf(phone) },
    })
    const token: string = body.data.access_token
    const as = (method: string, path: string, body?: unknown) => ask(method, path, { token, body })
    await as('PUT', '/profile/complete', { first_name: 'Asha', last_name: 'Rao', email: 'a@example.com' })
    const {
      body: {
        data: { verification_id },
      },
    } = await as('POST', '/profile/ekyc', {})
    await ask('POST', '/webhooks/ekyc', {
      body: { event: 'EKYC_DATA', data: { id: verification_id, status: 'SUCCESS', aadhaar, xml } },
    })
    expect((await as('POST', '/profile/ekyc/complete', { verification_id })).status, name).toBe(
      name === 'success' ? 200 : name === 'error' || name === 'still open' ? 400 : 503,
    )
    await reconcileKyc({ ...it.deps, now: () => new Date(Date.now() + 3_600_000) })
    for (const path of ['/auth/me', '/dashboard', '/auth/me/export']) await as('GET', path)

    // A provider of signatures that tells more than it should.
    const person = toTestUser({ id: body.data.user.id, user_id: '', phone, token, call: as })
    const tenant = (await as('POST', '/tenants', { phone_number: freshPhone() })).body.data
    const { agreement } = await createDraft(person, [tenant])
    const {
      body: {
        data: { signature_id },
      },
    } = await as('POST', `/agreements/${agreement.id}/sign`, { signer_id: person.id })
    const request = esign.of(signature_id)
    for (const [nonce, event, errCode] of [
      [1, 'ESIGN_OTP_FAILED', `otp of ${NUMBER}`],
      [2, 'ESIGN_FAILED', 'signer_declined'],
      [3, 'ESIGN_FAILED', null],
    ] as const) {
      const news = esign.news(event, request, { nonce, errCode })
      Object.assign(news.data.esign.signers[0]!, {
        identifier: NUMBER,
        displayName: `Asha 7345 1290 8867`,
        aadhaarNumber: NUMBER,
      })
      answers.push(JSON.stringify((await esign.webhook(it.url, news)).body))
    }
    for (const path of ['signatures', 'timeline']) await as('GET', `/agreements/${agreement.id}/${path}`)
  }
  for (const path of ['/operations/webhooks', '/operations/jobs', '/metrics'])
    await ask('GET', path, { token: 'o' })
  const all = await dump(it.em())
  const told = lines.join('\n')
  const answered = answers.join('\n')
  expect(all.where('8867')).toContain('kyc_requests.masked_aadhaar')
  expect(all.where('reconcile-kyc').some(column => column.startsWith('jobs.'))).toBe(true)
  // The photo, the XML, the birthday and the address are in no webhook that is kept either: those of identity checks are not.
  for (const texts of Object.values(sought))
    expect([
      all.where(...texts),
      texts.filter(text => told.includes(text)),
      texts.filter(text => answered.includes(text)),
    ]).toEqual([[], [], []])
  console.log(
    JSON.stringify({
      promise: 'personal data: Aadhaar',
      outcomes: Object.keys(outcomes).length,
      texts: Object.values(sought).flat().length,
      tables: all.tables,
      values: all.values,
      log_lines: lines.length,
      answers: answers.length,
      found: 0,
    }),
  )
}, 60_000)

test.each([
  ['734512908867', 'XXXXXXXX8867'],
  ['7345 1290 8867', 'XXXXXXXX8867'],
  ['7345-1290-8867.', 'XXXXXXXX8867.'],
  ['of "734512908867"', 'of "XXXXXXXX8867"'],
  ['f47ac10b-58cc-4372-a567-734512908867', 'f47ac10b-58cc-4372-a567-734512908867'],
  ['f47ac10b-5812-4372-8567-0e02b2c3d479', 'f47ac10b-5812-4372-8567-0e02b2c3d479'],
  ['84567890-5812-4372-8567-734512908867', '84567890-5812-4372-8567-734512908867'],
  ['ref-2026-734512908867', 'ref-2026-XXXXXXXX8867'],
  ['bad_734512908867', 'bad_XXXXXXXX8867'],
  ['1734512908867', '1734512908867'],
  ['9876543210', '9876543210'],
])('%s is kept as %s', (given, kept) => expect(redactAadhaar(given)).toBe(kept))
