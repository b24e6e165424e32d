import { expect, test } from 'bun:test'
import { listExampleRequests, toTarget } from './requests'
import { prepareRecords, type Call } from './records'
import { signWebhook } from '../../../../server/providers/signing/setu/signature'
import { fill, type Records } from '../../../operations/fill'
import { requireSuccess, sendRequest } from '../../../support/requests'
import { clock, testServer } from '../../../support/server'
import { recordExamples, type Exchange } from './recorded-examples'

const OPS_TOKEN = 'o'.repeat(32)
const OTP = '123456'
// What is posted depends on the day of the month.
const time = clock(new Date('2026-11-27T06:30:00Z'))
const server = testServer({ env: { OPS_TOKEN }, overrides: { now: time.now } })

/** Sends requests with the token of the last sign-in. */
function createClient() {
  let token: string | undefined
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const isForOperators = /^\/(operations|metrics)/.test(path)
    const response = await sendRequest(server, method, path, {
      token: isForOperators ? OPS_TOKEN : token,
      body,
      headers,
    })
    token = response.data?.access_token ?? token
    return requireSuccess(response, `${method} ${path}`)
  }
  const call: Call = async (method, path, body) => (await send(method, path, body)).data
  return { send, call }
}
const { send, call } = createClient()
const { call: otherCall } = createClient()

/** What only the provider and the operators know. */
async function prepareForeignRecords({ signing }: Records): Promise<Records> {
  const webhook = { event: 'ESIGN_VIEWED', data: { esign: { id: signing } } }
  const secret = (server.deps.config as unknown as Record<string, string>).ESIGN_WEBHOOK_SECRET!
  const invitation = await call('POST', '/operations/invitations', {
    phone_number: '9812345671',
    first_name: 'Ravi',
    last_name: 'Iyer',
    email: 'ravi.iyer@example.com',
  })
  const [received] = await call('GET', '/operations/webhooks?limit=1')
  return {
    webhook,
    webhookSignature: signWebhook(JSON.stringify(webhook), secret),
    receivedWebhook: String(received.id),
    invitation: String(invitation.id),
  }
}

async function signInAgain({ phone }: Records) {
  await call('POST', '/auth/send-otp', { phone_number: phone })
  await call('POST', '/auth/verify', { phone_number: phone, otp: OTP })
}

/** An account with agreements that are open cannot be erased. */
async function endAgreements() {
  for (const status of ['PENDING', 'ACTIVE'])
    for (const { id } of await call('GET', `/agreements?status=${status}`))
      await call('POST', `/agreements/${id}/terminate`, {})
}

/** Nor can one whose deposits are held. */
async function settleDeposits({ rented, rentedEnded, ended }: Records) {
  await otherCall('POST', `/agreements/${rentedEnded}/deposit/settlement/post`, {})
  const { settlement } = await otherCall('GET', `/agreements/${ended}/deposit`)
  const { settlement_id } = settlement
  await otherCall('POST', `/agreements/${ended}/deposit/settlement/accept`, { settlement_id })
  await call('POST', `/agreements/${ended}/deposit/settlement/post`, {})
  const { status } = await otherCall('GET', `/agreements/${rented}`)
  if (status === 'ACTIVE') await otherCall('POST', `/agreements/${rented}/terminate`, {})
}

const before: Record<string, (records: Records) => Promise<void>> = {
  'GET /auth/me/export': async records => {
    await settleDeposits(records)
    await endAgreements()
  },
  'DELETE /auth/me': signInAgain,
}

/** Some hundred requests, certificates and hashed passwords among them. */
const TIMEOUT_MS = 180_000

test(
  'every call can be tried with its example, in their order, and succeeds',
  async () => {
    const phones = { phone: '9876543210', tenantPhone: '9123456789' }
    const given = { call, otherCall, otp: OTP, origin: server.url, now: time.now() }
    const own = await prepareRecords(given, phones)
    const records = { ...own, ...(await prepareForeignRecords(own)) }
    const exchanges: Exchange[] = []
    for (const [operation, example] of await listExampleRequests(server.url)) {
      const [method = '', path = ''] = operation.split(' ')
      await before[operation]?.(records)
      if (operation === 'DELETE /auth/me')
        await call('POST', '/auth/send-otp', { phone_number: phones.phone })
      const request = fill(example, { ...records, key: crypto.randomUUID() })
      const { body } = await send(method, toTarget(path, request), request.body, request.headers)
      exchanges.push({ operation, request, answer: body })
    }
    expect(exchanges.length).toBeGreaterThan(100)
    if (process.env.RECORD === 'examples') await recordExamples(exchanges, server.url)
  },
  TIMEOUT_MS,
)
