import { expect, test } from 'bun:test'
import { redactAadhaar } from '../../../server/domain/redact-aadhaar'
import { createLog } from '../../../server/observability/log'
import { reconcileKyc } from '../../../server/accounts/profile/reconciliation'
import {
  requireSuccess,
  sendRequest,
  createDraft,
  freshPhone,
  toTestUser,
  type TestResponse,
  type TestUser,
} from '../../support/users'
import { testServer } from '../../support/server'
import { startWhatsAppStub } from '../accounts/auth/whatsapp'
import { signingProvider } from '../leases/signing/provider'
import { createKycProvider } from '../accounts/profile/kyc-provider'
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
const secrets = {
  'the number': [NUMBER, '7345 1290 8867', '7345-1290-8867', '73451290', '7345 1290'],
  'the photo': ['PHOTOCANARY'],
  'the XML': ['KycCanary'],
  'the birthday': ['17-03-1971'],
  'the address': ['HOUSECANARY'],
}

type Outcome = { respond: () => Response; status: number }
const toResult = (status: string, more: Record<string, unknown> = {}) =>
  Response.json({ id: 'x', status, kycURL: 'https://kyc.example.com', data: { aadhaar, xml }, ...more })

/** The responses of the provider, which contain all data that it has, and the status of our response. */
const outcomes: Record<string, Outcome> = {
  success: { respond: () => toResult('SUCCESS'), status: 200 },
  error: {
    respond: () =>
      toResult('ERROR', {
        errorCode: `bad_${NUMBER} ${NUMBER}`,
        errorMsg: `The holder of ${NUMBER}, or 7345-1290-8867, was not found`,
      }),
    status: 400,
  },
  'still open': { respond: () => toResult('KYC_REQUESTED'), status: 400 },
  malformed: { respond: () => Response.json({ [NUMBER]: aadhaar, status: NUMBER, data: xml }), status: 503 },
  'invalid JSON': {
    respond: () =>
      new Response(`${xml}{"aadhaarNumber":"${NUMBER}`, { headers: { 'content-type': 'application/json' } }),
    status: 503,
  },
  rejected: {
    respond: () => Response.json({ errorCode: NUMBER, errorMsg: xml }, { status: 400 }),
    status: 503,
  },
  failed: { respond: () => new Response(xml, { status: 500 }), status: 503 },
}
const kyc = createKycProvider()
const chat = startWhatsAppStub()
const esign = signingProvider()
const logLines: string[] = []
const responses: string[] = []
const server = testServer({
  env: { ...chat.env, ...esign.env, ...kyc.env, RUN_JOBS: 'true', OPS_TOKEN: 'o' },
  constants: {
    PROVIDER_RETRIES: 0,
    SIGN_IN_LIMIT_PER_NETWORK: 1000,
  },
  overrides: { log: createLog('debug', false, { write: line => void logLines.push(line) }) },
})
async function send(
  method: string,
  path: string,
  options: Parameters<typeof sendRequest>[3] = {},
): Promise<TestResponse> {
  const response = await sendRequest(server, method, path, options)
  responses.push(JSON.stringify([response.body, [...response.headers]]))
  return response
}

async function signIn() {
  const phone = freshPhone()
  requireSuccess(await send('POST', '/auth/send-otp', { body: { phone_number: phone } }), 'Sending an OTP')
  const verified = await send('POST', '/auth/verify', {
    body: { phone_number: phone, otp: chat.otpOf(phone) },
  })
  const { data } = requireSuccess(verified, 'The sign-in')
  const token: string = data.access_token
  const call: TestUser['call'] = (method, path, body) => send(method, path, { token, body })
  return toTestUser({ id: data.user.id, user_id: '', phone, token, call })
}

async function verifyIdentity(user: TestUser, expectedStatus: number, name: string) {
  await user.put('/profile/complete', { first_name: 'Asha', last_name: 'Rao', email: 'a@example.com' })
  const { data } = await user.post('/profile/ekyc')
  const { verification_id } = data
  await send('POST', '/webhooks/ekyc', {
    body: { event: 'EKYC_DATA', data: { id: verification_id, status: 'SUCCESS', aadhaar, xml } },
  })
  const completed = await user.post('/profile/ekyc/complete', { verification_id })
  expect(completed.status, name).toBe(expectedStatus)
  await reconcileKyc({ ...server.deps, now: () => new Date(Date.now() + 3_600_000) })
  for (const path of ['/auth/me', '/dashboard', '/auth/me/export']) await user.get(path)
}

/** A signing whose provider sends Aadhaar numbers in fields where they do not belong. */
async function startSigning(user: TestUser) {
  const { data: tenant } = await user.post('/tenants', { phone_number: freshPhone() })
  const { agreement } = await createDraft(user, [tenant])
  const { data } = await user.post(`/agreements/${agreement.id}/sign`, { signer_id: user.id })
  const request = esign.of(data.signature_id)
  for (const [nonce, event, errCode] of [
    [1, 'ESIGN_OTP_FAILED', `otp of ${NUMBER}`],
    [2, 'ESIGN_FAILED', 'signer_declined'],
    [3, 'ESIGN_FAILED', null],
  ] as const) {
    const webhook = esign.news(event, request, { nonce, errCode })
    Object.assign(webhook.data.esign.signers[0]!, {
      identifier: NUMBER,
      displayName: 'Asha 7345 1290 8867',
      aadhaarNumber: NUMBER,
    })
    responses.push(JSON.stringify((await esign.webhook(server.url, webhook)).body))
  }
  const unknown = esign.news('ESIGN_COMPLETE', { id: crypto.randomUUID(), documentId: `lease ${NUMBER}` })
  responses.push(JSON.stringify((await esign.webhook(server.url, unknown)).body))
  for (const path of ['signatures', 'timeline']) await user.get(`/agreements/${agreement.id}/${path}`)
}

test('tables, logs and responses have at most four digits of an Aadhaar number', async () => {
  for (const [name, { respond, status }] of Object.entries(outcomes)) {
    kyc.replies.status = respond
    const user = await signIn()
    await verifyIdentity(user, status, name)
    await startSigning(user)
  }
  for (const path of ['/operations/webhooks', '/operations/jobs', '/metrics'])
    await send('GET', path, { token: 'o' })
  const stored = await dump(server.em())
  const logged = logLines.join('\n')
  const sent = responses.join('\n')
  expect(stored.where('8867')).toContain('kyc_requests.masked_aadhaar')
  expect(stored.where('reconcile-kyc').some(column => column.startsWith('jobs.'))).toBe(true)
  // Webhooks of identity checks are not stored, so these texts are in no stored webhook either.
  for (const texts of Object.values(secrets))
    expect([
      stored.where(...texts),
      texts.filter(text => logged.includes(text)),
      texts.filter(text => sent.includes(text)),
    ]).toEqual([[], [], []])
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
  ...['.', '_', '/', '  ', '\t', '\u00a0', '\u200b', '–', String.raw`\u0020`, String.raw`\t`].map(
    separator => [`of 7345${separator}1290${separator}8867`, 'of XXXXXXXX8867'],
  ),
  ['७३४५ १२९० ८८६७', 'XXXXXXXX८८६७'],
  ['７３４５１２９０８８６７', 'XXXXXXXX８８６７'],
  ['[7345,1290,8867]', '[7345,1290,8867]'],
])('%s is redacted to %s', (text, redacted) => expect(redactAadhaar(text)).toBe(redacted))
