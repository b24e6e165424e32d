import { expect, test } from 'bun:test'
import { createLog } from '../../../server/observability/log'
import { recordLog } from '../../support/log'
import {
  completeProfile,
  createDraft,
  freshPhone,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'
import { start } from '../leases/signing/provider'
import { signingServer } from '../leases/signing/signing-fixtures'

const { lines, log } = recordLog('error')
const OPS_TOKEN = 'the token of operations'
// The audit log does not depend on the level.
const { provider, server, tell, deliver, signs } = signingServer({
  env: { OPS_TOKEN },
  constants: { SIGN_IN_LIMIT: 1 },
  overrides: { log },
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

const post = (path: string, body: object) => sendRequest(server, 'POST', path, { body })
const sendOtp = (phone_number: string) => post('/auth/send-otp', { phone_number })
const verifyOtp = (phone_number: string, otp: string) => post('/auth/verify', { phone_number, otp })
const logIn = (phone_number: string, given: string) => post('/auth/login', { phone_number, password: given })

const name = { first_name: 'Asha', last_name: 'Rao' }
const complete = (user: TestUser, body: object) => user.put('/profile/complete', { ...name, ...body })

test('sign-ins by an OTP are logged', async () => {
  const phone = freshPhone()
  let user: number | undefined
  expect(await recordAudit(() => sendOtp(phone))).toEqual([{ audit: 'otp_requested', network }])
  expect(await recordAudit(() => verifyOtp(phone, '000000'))).toEqual([
    { audit: 'sign_in_failed', by: 'otp', network },
  ])
  const events = await recordAudit(async () => {
    const { data } = await verifyOtp(phone, '123456')
    user = data.user.id
  })
  expect(events).toEqual([{ audit: 'signed_in', by: 'otp', network, user }])
  expect(await recordAudit(() => verifyOtp(phone, '123456'))).toEqual([
    { audit: 'sign_in_failed', by: 'otp', network, user },
  ])
})

test('changes of the profile and the password are logged, and refused ones', async () => {
  const actor = await signInUser(server)
  const user = actor.id
  expect(await recordAudit(() => complete(actor, { email: 'a@example.com', password }))).toEqual([
    { audit: 'profile_changed', user, fields: ['first_name', 'last_name', 'email'] },
    { audit: 'password_changed', user },
  ])
  expect(await recordAudit(() => complete(actor, { email: 'b@example.com' }))).toEqual([
    { audit: 'profile_changed', user, fields: ['email'] },
  ])
  const profile = { email: 'b@example.com', password: 'another long password' }
  const refused = await recordAudit(async () => {
    await complete(actor, { ...profile, current_password: 'wrong' })
    await complete(actor, { ...profile, otp: '000000' })
  })
  expect(refused).toEqual([
    { audit: 'password_refused', user, by: 'password', network },
    { audit: 'password_refused', user, by: 'otp', network },
  ])
})

test('sign-ins by a password are logged', async () => {
  const actor = await signInUser(server)
  const { id: user, phone } = actor
  await complete(actor, { email: 'a@example.com', password })
  const events = await recordAudit(async () => {
    await logIn(phone, password)
    await logIn(phone, 'wrong')
    await logIn(freshPhone(), 'wrong')
  })
  expect(events).toEqual([
    { audit: 'signed_in', by: 'password', network, user },
    { audit: 'sign_in_failed', by: 'password', network, user },
    { audit: 'sign_in_failed', by: 'password', network },
  ])
})

test.each([
  ['an export', 'GET', '/auth/me/export', undefined, (user: number) => ({ audit: 'data_exported', user })],
  [
    'an erasure without the OTP',
    'DELETE',
    '/auth/me',
    { otp: '000000' },
    (user: number) => ({ audit: 'erasure_refused', user, network }),
  ],
  ['a renewal', 'POST', '/auth/renew', undefined, (user: number) => ({ audit: 'session_renewed', user })],
  [
    'a sign-out',
    'POST',
    '/auth/logout',
    {},
    (user: number) => ({ audit: 'signed_out', user, everywhere: false }),
  ],
])('%s is logged', async (_, method, path, body, toEvent) => {
  const user = await signInUser(server)
  expect(await recordAudit(() => user.call(method, path, body))).toEqual([toEvent(user.id)])
})

test('a sign-out everywhere and an erasure are logged with the number of the user', async () => {
  const user = await signInUser(server)
  expect(await recordAudit(() => user.post('/auth/logout', { all: true }))).toEqual([
    { audit: 'signed_out', user: user.id, everywhere: true },
  ])
  const again = await signInUser(server, user.phone)
  await sendOtp(user.phone)
  expect(await recordAudit(() => again.call('DELETE', '/auth/me', { otp: '123456' }))).toEqual([
    { audit: 'user_erased', user: user.id, network },
  ])
})

test('an identity check is logged with the number of its record', async () => {
  const user = await signInUser(server)
  await completeProfile(user)
  const started = await recordAudit(async () => {
    const { data } = await user.post('/profile/ekyc')
    await user.post('/profile/ekyc/complete', { verification_id: data.verification_id })
  })
  const of = { user: user.id, kyc_request: expect.any(Number) }
  expect(started).toEqual([
    { audit: 'kyc_started', ...of },
    { audit: 'kyc_succeeded', ...of },
  ])
})

async function createSignable() {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createDraft(owner, [tenant])
  const of = { agreement: agreement.id, signature: expect.any(Number), signer: tenant.id }
  return { owner, tenant, agreement, path, of }
}

test('signing is logged from start to end, with the numbers of records only', async () => {
  const { owner, tenant, agreement, path, of } = await createSignable()
  const started = { audit: 'signing_started', ...of, user: owner.id }
  let signature = ''
  const startAgain = async () => {
    const { data } = await start(owner, agreement, tenant)
    signature = data.signature_id
  }
  expect(await recordAudit(startAgain)).toEqual([started])

  const cancel = () => owner.post(`${path}/signatures/${signature}/cancel`)
  expect(await recordAudit(cancel)).toEqual([{ audit: 'signing_cancelled', ...of, user: owner.id }])

  const declined = await recordAudit(async () => {
    await startAgain()
    const code = { errCode: 'signer_declined' }
    await tell('ESIGN_FAILED', provider.becomes(signature, code), code)
  })
  expect(declined).toEqual([started, { audit: 'signing_declined', ...of }])

  const expired = await recordAudit(async () => {
    await startAgain()
    await tell('ESIGN_EXPIRED', provider.ends(signature, 'expired'))
  })
  expect(expired).toEqual([started, { audit: 'signing_expired', ...of }])

  const signed = await recordAudit(async () => {
    for (const signer of [owner, tenant]) await signs(owner, agreement, signer)
  })
  expect(signed.filter(({ audit }) => audit !== 'signing_started')).toEqual([
    { audit: 'signing_signed', ...of, signer: owner.id },
    { audit: 'signing_signed', ...of },
    { audit: 'agreement_active', agreement: agreement.id },
  ])
  expect(await recordAudit(() => owner.post(`${path}/terminate`))).toEqual([
    { audit: 'agreement_terminated', agreement: agreement.id, user: owner.id },
  ])
})

test('a revision is logged as a withdrawal', async () => {
  const { owner, tenant, agreement, path } = await createSignable()
  await start(owner, agreement, tenant)

  expect(await recordAudit(() => owner.post(`${path}/revise`))).toEqual([
    { audit: 'agreement_withdrawn', agreement: agreement.id, user: owner.id },
  ])
})

test('a refusal is logged once, without its reason', async () => {
  const { tenant, path, of } = await createSignable()
  const refuse = () => tenant.post(`${path}/decline`, { reason: 'I know the landlord' })
  expect(await recordAudit(refuse)).toEqual([{ audit: 'signing_declined', ...of }])
  expect(await recordAudit(refuse)).toEqual([])
})

test('operations are logged, and forged webhooks', async () => {
  const asOperator = (method: string, path: string, body?: unknown, token = OPS_TOKEN) =>
    sendRequest(server, method, path, { token, body })
  const used = { audit: 'operations_used', network }
  expect(await recordAudit(() => asOperator('GET', '/operations/jobs'))).toEqual([
    { ...used, method: 'GET', route: '/operations/jobs' },
  ])
  const replay = '/operations/webhooks/7/replay'
  expect(await recordAudit(() => asOperator('POST', replay, undefined, 'x'))).toEqual([
    { audit: 'operations_refused', method: 'POST', route: '/operations/webhooks/:id/replay', network },
  ])

  const path = '/operations/invitations'
  const names = { first_name: 'Asha', last_name: 'Rao', email: 'a@example.com' }
  const events = await recordAudit(async () => {
    const { data } = await asOperator('POST', path, { phone_number: freshPhone(), ...names })
    await asOperator('DELETE', `${path}/${data.id}`)
  })
  const id = expect.any(Number)
  expect(events).toEqual([
    { ...used, method: 'POST', route: path },
    { audit: 'landlord_invited', id },
    { ...used, method: 'DELETE', route: `${path}/:id` },
    { audit: 'invitation_cancelled', id },
  ])
  expect(await recordAudit(() => deliver('{"event":"x"}', { signature: 'x' }))).toEqual([
    { audit: 'webhook_forged', provider: 'setu', bytes: 13, network },
  ])
})

test('level silent: nothing is logged', () => {
  const written: string[] = []
  createLog('silent', false, { write: line => void written.push(line) }).audit('signed_in', { user: 1 })
  expect(written).toEqual([])
})
