import { expect, test } from 'bun:test'
import { createLog } from '../../../server/observability/log'
import { testServer } from '../../support/server'
import { createDraft, freshPhone, sendRequest, signInUser } from '../../support/users'
import { signingProvider, start } from '../agreements/signing/provider'

// What the audit log tells of the end of an account, a session, an invitation and a signature.

const provider = signingProvider()
const OPS_TOKEN = 'the token of operations'
const network = '127.0.0.0/24'
const lines: Record<string, unknown>[] = []
const server = testServer({
  env: { ...provider.env, OPS_TOKEN },
  overrides: { log: createLog('error', false, { write: line => void lines.push(JSON.parse(line)) }) },
})

/** Returns the lines of an event since the start of some work, without times and the request. */
async function recordAudit(event: string, work: () => Promise<unknown>) {
  lines.length = 0
  await work()
  return lines
    .filter(({ audit }) => audit === event)
    .map(({ time: _, level: __, msg: ___, request_id: ____, ...line }) => line)
}

test('an erasure is logged with the number of the erased user', async () => {
  const user = await signInUser(server)
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })

  expect(await recordAudit('user_erased', () => user.call('DELETE', '/auth/me', { otp: '123456' }))).toEqual([
    { audit: 'user_erased', user: user.id, network },
  ])
})

test('a sign-out everywhere is logged as one', async () => {
  const user = await signInUser(server)

  expect(await recordAudit('signed_out', () => user.post('/auth/logout', { all: true }))).toEqual([
    { audit: 'signed_out', user: user.id, everywhere: true },
  ])
})

test('the end of an invitation is logged by its number', async () => {
  const path = '/operations/invitations'
  const names = { first_name: 'Asha', last_name: 'Rao', email: 'a@example.com' }
  const invitation = { phone_number: freshPhone(), ...names }
  const { data } = await sendRequest(server, 'POST', path, { token: OPS_TOKEN, body: invitation })
  const cancel = () => sendRequest(server, 'DELETE', `${path}/${data.id}`, { token: OPS_TOKEN })

  expect(await recordAudit('invitation_cancelled', cancel)).toEqual([
    { audit: 'invitation_cancelled', id: data.id },
  ])
})

test('a signature that expired is logged with its signer', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant])
  const { data } = await start(owner, agreement, tenant)
  const news = provider.news('ESIGN_EXPIRED', provider.ends(data.signature_id, 'expired'))

  expect(await recordAudit('signing_expired', () => provider.webhook(server.url, news))).toEqual([
    {
      audit: 'signing_expired',
      agreement: agreement.id,
      signature: expect.any(Number),
      signer: tenant.id,
    },
  ])
})
