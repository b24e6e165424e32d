import { expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { signWebhook } from '../../../../server/providers/signing/setu/signature'
import { fill, type Records } from '../../../operations/fill'
import { recordedExamples } from '../../../support/examples'
import { requireSuccess, sendRequest } from '../../../support/requests'
import { waitUntil } from '../../../support/round'
import { clock, testServer } from '../../../support/server'
import { toExamples, toUuid, writeExamples, type Exchange } from './recorded-examples'
import { prepareRecords, signIn, type Call } from './records'
import { listExampleRequests, toTarget } from './requests'

const OPS_TOKEN = 'o'.repeat(32)
const OTP = '123456'
const MINUTE_MS = 60_000
// What is posted depends on the day of the month. A request that prepares takes a minute, so that lists have an order;
// an example takes no time, so that a further one moves no other.
const [MORNING, NOON] = [new Date('2026-11-27T03:30:00Z'), new Date('2026-11-27T06:30:00Z')]
/** When what providers and operators know begins, so that a further record moves no time of theirs. */
const ELEVEN = new Date('2026-11-27T05:30:00Z')
const time = clock(MORNING)
const server = testServer({ own: true, env: { OPS_TOKEN }, overrides: { now: time.now } })

/** A webhook is processed after its response: the next request waits for that, so that all runs are alike. */
const settle = () =>
  waitUntil(async () => {
    const open = getKysely(server.em()).selectFrom('received_webhooks').where('processed_at', 'is', null)
    return (await open.select('id').execute()).length === 0
  }, 'the processing of webhooks')

/** Sends requests with the token of the last sign-in. */
function createClient() {
  let token: string | undefined
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const isForOperators = /^\/(operations|metrics)/.test(path)
    const options = { token: isForOperators ? OPS_TOKEN : token, body, headers }
    const response = await sendRequest(server, method, path, options)
    token = response.data?.access_token ?? token
    await settle()
    return requireSuccess(response, `${method} ${path}`)
  }
  const call: Call = async (method, path, body) => {
    time.advance(MINUTE_MS)
    return (await send(method, path, body)).data
  }
  return { send, call }
}
const { send, call } = createClient()
const { call: otherCall } = createClient()

/** What only the provider and the operators know. */
async function prepareForeignRecords({ signing }: Records): Promise<Records> {
  const webhook = { event: 'ESIGN_REQUEST_CREATED', data: { esign: { id: signing } } }
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

/** An account with agreements that are open cannot be erased. */
async function endAgreements() {
  for (const status of ['PENDING', 'ACTIVE'])
    for (const { id } of await call('GET', `/agreements?status=${status}`))
      await call('POST', `/agreements/${id}/terminate`, {})
}

/** Nor can one whose deposits are held. */
async function settleDeposits({ rented, rentedOnPaper, rentedEnded, ended }: Records) {
  await otherCall('POST', `/agreements/${rentedEnded}/deposit/settlement/post`, {})
  const { settlement } = await otherCall('GET', `/agreements/${ended}/deposit`)
  const { settlement_id } = settlement
  await otherCall('POST', `/agreements/${ended}/deposit/settlement/accept`, { settlement_id })
  await call('POST', `/agreements/${ended}/deposit/settlement/post`, {})
  for (const lease of [rented, rentedOnPaper]) {
    const { status } = await otherCall('GET', `/agreements/${lease}`)
    if (status === 'ACTIVE') await otherCall('POST', `/agreements/${lease}/terminate`, {})
  }
}

const PHONES = { phone: '9876543210', tenantPhone: '9123456789' }

const before: Record<string, (records: Records) => Promise<unknown>> = {
  'GET /auth/me/export': async records => {
    await settleDeposits(records)
    await endAgreements()
  },
  'DELETE /auth/me': async () => {
    await signIn(call, PHONES.phone, OTP)
    await call('POST', '/auth/send-otp', { phone_number: PHONES.phone })
  },
}

/** Sends the example of each operation. */
async function exchange() {
  const lease = `${server.url}/sandbox/files/sample-lease.pdf`
  const own = await prepareRecords({ call, otherCall, otp: OTP, lease, now: time.now() }, PHONES)
  time.set(ELEVEN)
  const records = { ...own, ...(await prepareForeignRecords(own)) }
  time.set(NOON)
  const exchanges: Exchange[] = []
  for (const [operation, example] of await listExampleRequests(server.url)) {
    const [method = '', path = ''] = operation.split(' ')
    await before[operation]?.(records)
    const request = fill(example, { ...records, key: toUuid(operation) })
    const { body } = await send(method, toTarget(path, request), request.body, request.headers)
    exchanges.push({ operation, request, answer: body })
  }
  return exchanges
}

/** Some hundred requests, certificates and hashed passwords among them. */
const TIMEOUT_MS = 180_000

test(
  'every call can be tried with its example, in their order, and answers as recorded, by the clock of the server',
  async () => {
    const examples = toExamples(await exchange(), server.url)

    // The machine's clock shows no whole minute.
    const times = JSON.stringify(examples).match(/\d{4}-\d\d-\d\dT[^"\\]+/g)!
    expect(times.filter(each => !each.endsWith(':00.000Z') && !each.endsWith(':00+05:30'))).toEqual([])
    if (process.env.RECORD === 'examples') await writeExamples(examples, server.deps)
    else expect(examples).toEqual(recordedExamples)
  },
  TIMEOUT_MS,
)
