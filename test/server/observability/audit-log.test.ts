import { expect, test } from 'bun:test'
import { createLog } from '../../../server/observability/log'
import { sendRequest, createDraft, freshPhone, createLandlord, signInUser } from '../../support/users'
import { testServer } from '../../support/server'
import { signingProvider, signs, start } from '../agreements/signing/provider'

const provider = signingProvider()
const lines: Record<string, unknown>[] = []
const OPS_TOKEN = 'the token of operations'
// The audit log is written whatever the level is.
const it = testServer({
  env: { ...provider.env, OPS_TOKEN, OTP_LIMIT_PER_NETWORK: '1' },
  overrides: { log: createLog('error', false, { write: line => void lines.push(JSON.parse(line)) }) },
})

/** What the audit log tells of some work, without the times; each line names the request that it belongs to. */
async function audited(work: () => Promise<unknown>) {
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

test('tells of sign-ins, failed ones, limits, changes and sign-outs', async () => {
  const phone = freshPhone()
  const send = () => sendRequest(it.url, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
  const verify = (otp: string) =>
    sendRequest(it.url, 'POST', '/auth/verify', { body: { phone_number: phone, otp } })
  expect(await audited(send)).toEqual([{ audit: 'otp_requested', network }])
  expect(await audited(() => verify('000000'))).toEqual([{ audit: 'sign_in_failed', by: 'otp', network }])
  let person: { id: number; token: string } | undefined
  expect(
    await audited(async () => {
      const { body } = await verify('123456')
      person = { id: body.data.user.id, token: body.data.access_token }
    }),
  ).toEqual([{ audit: 'signed_in', by: 'otp', network, user: person!.id }])
  const { id: user, token } = person!
  const as = (method: string, path: string, body?: unknown) =>
    sendRequest(it.url, method, path, { token, body })
  expect(await audited(() => verify('123456'))).toEqual([
    { audit: 'sign_in_failed', by: 'otp', network, user },
  ])
  expect(
    await audited(() =>
      as('PUT', '/profile/complete', {
        first_name: 'Asha',
        last_name: 'Rao',
        email: 'a@example.com',
        password,
      }),
    ),
  ).toEqual([
    { audit: 'profile_changed', user, fields: ['first_name', 'last_name', 'email'] },
    { audit: 'password_changed', user },
  ])
  expect(
    await audited(() =>
      as('PUT', '/profile/complete', { first_name: 'Asha', last_name: 'Rao', email: 'b@example.com' }),
    ),
  ).toEqual([{ audit: 'profile_changed', user, fields: ['email'] }])
  expect(
    await audited(() =>
      sendRequest(it.url, 'POST', '/auth/login', { body: { phone_number: phone, password } }),
    ),
  ).toEqual([{ audit: 'signed_in', by: 'password', network, user }])
  expect(
    await audited(() =>
      sendRequest(it.url, 'POST', '/auth/login', { body: { phone_number: phone, password: 'wrong' } }),
    ),
  ).toEqual([{ audit: 'sign_in_failed', by: 'password', network, user }])
  expect(
    await audited(() =>
      sendRequest(it.url, 'POST', '/auth/login', { body: { phone_number: freshPhone(), password: 'wrong' } }),
    ),
  ).toEqual([{ audit: 'sign_in_failed', by: 'password', network }])
  expect(
    await audited(async () => {
      for (let sent = 0; sent < 20; sent++) await send()
    }),
  ).toEqual([
    ...Array.from({ length: 19 }, () => ({ audit: 'otp_requested', network, user })),
    { audit: 'limit_reached', route: '/auth/send-otp', network },
  ])
  expect(await audited(() => as('GET', '/auth/me/export'))).toEqual([{ audit: 'data_exported', user }])
  expect(await audited(() => as('DELETE', '/auth/me', { otp: '000000' }))).toEqual([
    { audit: 'erasure_refused', user, network },
  ])
  expect(await audited(() => as('POST', '/auth/logout', {}))).toEqual([
    { audit: 'signed_out', user, everywhere: false },
  ])
})

test('tells of identity checks and signing, by the numbers of our records', async () => {
  const started = await audited(() => createLandlord(it.url))
  const { user, kyc_request } = started.find(({ audit }) => audit === 'kyc_started')!
  expect(started.filter(({ audit }) => String(audit).startsWith('kyc'))).toEqual([
    { audit: 'kyc_started', user, kyc_request },
    { audit: 'kyc_succeeded', user, kyc_request },
  ])

  const owner = await signInUser(it.url)
  const tenant = await signInUser(it.url)
  const {
    agreement: { id: agreement },
  } = await createDraft(owner, [tenant])
  const of = { agreement, signature: expect.any(Number) }
  expect(await audited(() => start(owner, { id: agreement }, tenant))).toEqual([
    { audit: 'signing_started', ...of, signer: tenant.id, user: owner.id },
  ])
  expect(
    await audited(async () => {
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
    await audited(async () => {
      const {
        body: {
          data: { signature_id },
        },
      } = await start(owner, { id: agreement }, tenant)
      await provider.webhook(
        it.url,
        provider.news('ESIGN_FAILED', provider.becomes(signature_id, { errCode: 'signer_declined' }), {
          errCode: 'signer_declined',
        }),
      )
    }),
  ).toEqual([
    { audit: 'signing_started', ...of, signer: tenant.id, user: owner.id },
    { audit: 'signing_declined', ...of, signer: tenant.id },
  ])
  const signed = await audited(async () => {
    for (const signer of [owner, tenant]) await signs(provider, it.url, owner, { id: agreement }, signer)
  })
  expect(signed.filter(({ audit }) => audit !== 'signing_started')).toEqual([
    { audit: 'signing_signed', ...of, signer: owner.id },
    { audit: 'signing_signed', ...of, signer: tenant.id },
    { audit: 'agreement_active', agreement },
  ])
  expect(await audited(() => owner.call('POST', `/agreements/${agreement}/terminate`, {}))).toEqual([
    { audit: 'agreement_terminated', agreement, user: owner.id },
  ])
})

test('tells of those who operate it, and of forged webhooks', async () => {
  expect(await audited(() => sendRequest(it.url, 'GET', '/operations/jobs', { token: OPS_TOKEN }))).toEqual([
    { audit: 'operations_used', method: 'GET', route: '/operations/jobs', network },
  ])
  expect(
    await audited(() => sendRequest(it.url, 'POST', '/operations/webhooks/7/replay', { token: 'x' })),
  ).toEqual([
    { audit: 'operations_refused', method: 'POST', route: '/operations/webhooks/:id/replay', network },
  ])
  expect(await audited(() => provider.webhook(it.url, '{"event":"x"}', { signature: 'x' }))).toEqual([
    { audit: 'webhook_forged', provider: 'setu', bytes: 13, network },
  ])
})

test('a log that is silent is silent', () => {
  const written: string[] = []
  createLog('silent', false, { write: line => void written.push(line) }).audit('signed_in', { user: 1 })
  expect(written).toEqual([])
})

test('a field that is not listed, or does not look as its kind does, is left out of a line', () => {
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
  log.warn(fields, 'told')
  log.audit('signed_in', fields)
  expect(written.map(line => JSON.parse(line))).toMatchObject([
    { id: 7, msg: 'told', err: { type: 'Error', code: '23505', constraint: 'users_phone_unique' } },
    { id: 7, audit: 'signed_in' },
  ])
  expect(written.join('')).not.toContain(secret)
})
