import { expect, test } from 'bun:test'
import { createLog } from '../../../server/observability/log'
import { sendRequest, createDraft, freshPhone, createLandlord, signInUser } from '../../support/users'
import { testServer } from '../../support/server'
import { signingProvider, signs, start } from '../agreements/signing/provider'

const provider = signingProvider()
const lines: Record<string, unknown>[] = []
const OPS_TOKEN = 'the token of operations'
// The audit log does not depend on the level.
const server = testServer({
  env: { ...provider.env, OPS_TOKEN, OTP_LIMIT_PER_NETWORK: '1' },
  overrides: { log: createLog('error', false, { write: line => void lines.push(JSON.parse(line)) }) },
})

/** Returns the audit events of some work, without times. Each event has a request id. */
async function recordAudit(work: () => Promise<unknown>) {
  lines.length = 0
  await work()
  return lines
    .filter(({ audit }) => audit)
    .map(({ time: _, level: __, msg: ___, request_id, ...line }) => {
      expect(request_id).toEqual(expect.stringMatching(/^[\da-f-]{36}$/))
      return line
    })
}
const network = '127.0.0.0/24'
const password = 'a password that is long enough'

function sendOtp(phone: string) {
  return sendRequest(server.url, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
}
function verifyOtp(phone: string, otp: string) {
  return sendRequest(server.url, 'POST', '/auth/verify', { body: { phone_number: phone, otp } })
}
function logIn(phone: string, password: string) {
  return sendRequest(server.url, 'POST', '/auth/login', { body: { phone_number: phone, password } })
}
function completeProfile(token: string, body: Record<string, unknown>) {
  return sendRequest(server.url, 'PUT', '/profile/complete', { token, body })
}

async function expectOtpEvents(phone: string) {
  expect(await recordAudit(() => sendOtp(phone))).toEqual([{ audit: 'otp_requested', network }])
  expect(await recordAudit(() => verifyOtp(phone, '000000'))).toEqual([
    { audit: 'sign_in_failed', by: 'otp', network },
  ])
  let signedIn: { user: number; token: string } | undefined
  const events = await recordAudit(async () => {
    const { body } = await verifyOtp(phone, '123456')
    signedIn = { user: body.data.user.id, token: body.data.access_token }
  })
  const { user, token } = signedIn!
  expect(events).toEqual([{ audit: 'signed_in', by: 'otp', network, user }])
  expect(await recordAudit(() => verifyOtp(phone, '123456'))).toEqual([
    { audit: 'sign_in_failed', by: 'otp', network, user },
  ])
  return { user, token }
}

async function expectProfileEvents(user: number, token: string) {
  const name = { first_name: 'Asha', last_name: 'Rao' }
  const created = await recordAudit(() =>
    completeProfile(token, { ...name, email: 'a@example.com', password }),
  )
  expect(created).toEqual([
    { audit: 'profile_changed', user, fields: ['first_name', 'last_name', 'email'] },
    { audit: 'password_changed', user },
  ])
  const changed = await recordAudit(() => completeProfile(token, { ...name, email: 'b@example.com' }))
  expect(changed).toEqual([{ audit: 'profile_changed', user, fields: ['email'] }])

  const profile = { ...name, email: 'b@example.com', password: 'another long password' }
  const refused = await recordAudit(async () => {
    await completeProfile(token, { ...profile, current_password: 'wrong' })
    await completeProfile(token, { ...profile, otp: '000000' })
  })
  expect(refused).toEqual([
    { audit: 'password_refused', user, by: 'password', network },
    { audit: 'password_refused', user, by: 'otp', network },
  ])
}

async function expectPasswordEvents(user: number, phone: string) {
  expect(await recordAudit(() => logIn(phone, password))).toEqual([
    { audit: 'signed_in', by: 'password', network, user },
  ])
  expect(await recordAudit(() => logIn(phone, 'wrong'))).toEqual([
    { audit: 'sign_in_failed', by: 'password', network, user },
  ])
  expect(await recordAudit(() => logIn(freshPhone(), 'wrong'))).toEqual([
    { audit: 'sign_in_failed', by: 'password', network },
  ])
}

async function expectLimitEvents(user: number, phone: string) {
  const events = await recordAudit(async () => {
    for (let sent = 0; sent < 20; sent++) await sendOtp(phone)
  })
  expect(events).toEqual([
    ...Array.from({ length: 19 }, () => ({ audit: 'otp_requested', network, user })),
    { audit: 'limit_reached', route: '/auth/send-otp', network },
  ])
}

test('sign-ins, failures, limits, changes and sign-outs are logged', async () => {
  const phone = freshPhone()
  const { user, token } = await expectOtpEvents(phone)
  await expectProfileEvents(user, token)
  await expectPasswordEvents(user, phone)
  await expectLimitEvents(user, phone)

  const call = (method: string, path: string, body?: unknown) =>
    sendRequest(server.url, method, path, { token, body })
  expect(await recordAudit(() => call('GET', '/auth/me/export'))).toEqual([{ audit: 'data_exported', user }])
  expect(await recordAudit(() => call('DELETE', '/auth/me', { otp: '000000' }))).toEqual([
    { audit: 'erasure_refused', user, network },
  ])
  expect(await recordAudit(() => call('POST', '/auth/logout', {}))).toEqual([
    { audit: 'signed_out', user, everywhere: false },
  ])
})

test('identity checks and signing are logged with record ids only', async () => {
  const started = await recordAudit(() => createLandlord(server.url))
  const { user, kyc_request } = started.find(({ audit }) => audit === 'kyc_started')!
  expect(started.filter(({ audit }) => String(audit).startsWith('kyc'))).toEqual([
    { audit: 'kyc_started', user, kyc_request },
    { audit: 'kyc_succeeded', user, kyc_request },
  ])

  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const {
    agreement: { id: agreement },
  } = await createDraft(owner, [tenant])
  const of = { agreement, signature: expect.any(Number) }
  expect(await recordAudit(() => start(owner, { id: agreement }, tenant))).toEqual([
    { audit: 'signing_started', ...of, signer: tenant.id, user: owner.id },
  ])
  expect(
    await recordAudit(async () => {
      const {
        body: {
          data: {
            signatures: [{ id }],
          },
        },
      } = await owner.call('GET', `/agreements/${agreement}/signatures`)
      await owner.call('POST', `/agreements/${agreement}/signatures/${id}/cancel`)
    }),
  ).toEqual([{ audit: 'signing_cancelled', ...of, signer: tenant.id, user: owner.id }])
  expect(
    await recordAudit(async () => {
      const {
        body: {
          data: { signature_id },
        },
      } = await start(owner, { id: agreement }, tenant)
      await provider.webhook(
        server.url,
        provider.news('ESIGN_FAILED', provider.becomes(signature_id, { errCode: 'signer_declined' }), {
          errCode: 'signer_declined',
        }),
      )
    }),
  ).toEqual([
    { audit: 'signing_started', ...of, signer: tenant.id, user: owner.id },
    { audit: 'signing_declined', ...of, signer: tenant.id },
  ])
  const signed = await recordAudit(async () => {
    for (const signer of [owner, tenant]) await signs(provider, server.url, owner, { id: agreement }, signer)
  })
  expect(signed.filter(({ audit }) => audit !== 'signing_started')).toEqual([
    { audit: 'signing_signed', ...of, signer: owner.id },
    { audit: 'signing_signed', ...of, signer: tenant.id },
    { audit: 'agreement_active', agreement },
  ])
  expect(await recordAudit(() => owner.call('POST', `/agreements/${agreement}/terminate`, {}))).toEqual([
    { audit: 'agreement_terminated', agreement, user: owner.id },
  ])
})

test('a revision is logged as a withdrawal', async () => {
  const [owner, tenant] = [await signInUser(server.url), await signInUser(server.url)]
  const { agreement, path } = await createDraft(owner, [tenant])
  await start(owner, agreement, tenant)

  expect(await recordAudit(() => owner.post(`${path}/revise`, {}))).toEqual([
    { audit: 'agreement_withdrawn', agreement: agreement.id, user: owner.id },
  ])
})

test('a refusal is logged once, without its reason', async () => {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement, path } = await createDraft(owner, [tenant])
  const refuse = () => tenant.call('POST', `${path}/decline`, { reason: 'I know the landlord' })
  expect(await recordAudit(refuse)).toEqual([
    { audit: 'signing_declined', agreement: agreement.id, signature: expect.any(Number), signer: tenant.id },
  ])
  expect(await recordAudit(refuse)).toEqual([])
})

test('operations and forged webhooks are logged', async () => {
  expect(
    await recordAudit(() => sendRequest(server.url, 'GET', '/operations/jobs', { token: OPS_TOKEN })),
  ).toEqual([{ audit: 'operations_used', method: 'GET', route: '/operations/jobs', network }])
  expect(
    await recordAudit(() => sendRequest(server.url, 'POST', '/operations/webhooks/7/replay', { token: 'x' })),
  ).toEqual([
    { audit: 'operations_refused', method: 'POST', route: '/operations/webhooks/:id/replay', network },
  ])
  const phone_number = freshPhone()
  const invitation = { phone_number, first_name: 'Asha', last_name: 'Rao', email: 'a@example.com' }
  const path = '/operations/invitations'
  const invited = await recordAudit(() =>
    sendRequest(server.url, 'POST', path, { token: OPS_TOKEN, body: invitation }),
  )
  expect(invited).toEqual([
    { audit: 'operations_used', method: 'POST', route: path, network },
    { audit: 'landlord_invited', id: expect.any(Number) },
  ])
  expect(await recordAudit(() => provider.webhook(server.url, '{"event":"x"}', { signature: 'x' }))).toEqual([
    { audit: 'webhook_forged', provider: 'setu', bytes: 13, network },
  ])
})

test('level silent: nothing is logged', () => {
  const written: string[] = []
  createLog('silent', false, { write: line => void written.push(line) }).audit('signed_in', { user: 1 })
  expect(written).toEqual([])
})

test('fields that are not listed, or have an unexpected format, are omitted', () => {
  const written: string[] = []
  const secret = '9871203465'
  const log = createLog('info', false, { write: line => void written.push(line) })
  const fields = {
    phone: secret,
    body: { otp: secret },
    route: `/auth?x=${secret}`,
    user: Number(secret),
    provider: secret,
    network: secret,
    fields: ['e-mail', secret],
    method: secret,
    id: 7,
    err: Object.assign(new Error(secret), {
      detail: secret,
      code: '23505',
      constraint: 'users_phone_unique',
      table: secret,
    }),
  }
  log.warn(fields, 'a message')
  log.audit('signed_in', fields)
  expect(written.map(line => JSON.parse(line))).toMatchObject([
    { id: 7, msg: 'a message', err: { type: 'Error', code: '23505', constraint: 'users_phone_unique' } },
    { id: 7, audit: 'signed_in' },
  ])
  expect(written.join('')).not.toContain(secret)
})
