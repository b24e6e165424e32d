import { expect, test } from 'bun:test'
import { clock, testServer } from '../../../support/server'
import { completeProfile, createDraft, createLandlord, sendRequest, signInUser } from '../../../support/users'
import { realProviders } from '../../../support/providers'
import {
  addFaultRule,
  createRequest,
  getCredentials,
  getRequestId,
  getState,
  moveClock,
  postNativeRequest,
  requestSignature,
  uploadDocument,
  type TestServer,
} from '../provider'
import { startTranscript } from './transcript'

const HOUR_MS = 3_600_000
const START = new Date('2026-11-21T10:00:00.000Z')

/** A server whose time stands still until it is moved. */
function stoppedServer(env: Record<string, string> = {}) {
  const time = clock(START)
  return { server: testServer({ env, overrides: { now: time.now } }), time }
}

const asha = { identifier: '9876543210', displayName: 'Asha Rao' }
const tara = { identifier: '9123456789', displayName: 'Tara Iyer' }

async function createCheck(server: TestServer): Promise<string> {
  const { body } = await sendRequest(server, 'POST', '/sandbox/ekyc/api/ekyc/', {
    headers: getCredentials(server),
    body: { redirection_url: 'https://app.example.com/verified' },
  })
  return body.id
}

/** Sends a template as the adapter does; one with a button is a one-time password. */
async function sendMessage(server: TestServer, to: string, texts: string[], name?: string) {
  const parameters = texts.map(text => ({ type: 'text', text }))
  const button = name ? [] : [{ type: 'button', parameters }]
  const template = { name, components: [{ type: 'body', parameters }, ...button] }
  const headers = { authorization: `Bearer ${getCredentials(server)['x-client-secret']}` }
  const { status } = await sendRequest(server, 'POST', '/sandbox/whatsapp/1/messages', {
    headers,
    body: { to: `91${to}`, template },
  })
  expect(status).toBe(200)
}

const overview = stoppedServer({ SANDBOX_EKYC: 'manual' })

test('the overview shows what a person can act on, messages, rules and the clock', async () => {
  const { server, time } = overview
  const { visit, end } = startTranscript(server, 'overview')
  await visit('/sandbox')

  const ids: string[] = []
  for (const displayName of ['Waits', 'Opened', 'Failed', 'Signed']) {
    const { id } = await createRequest(server, { signer: { ...asha, displayName } })
    ids.push(id)
    time.advance(1000)
  }
  await visit(`/sandbox/sign/${ids[1]}`, { isHidden: true })
  await visit(`/sandbox/sign/${ids[2]}/fail-otp`, { form: {}, isHidden: true })
  await addFaultRule(server, { provider: 'esign', behaviour: 'late', delay_ms: 30 * HOUR_MS })
  await visit(`/sandbox/sign/${ids[3]}/sign`, { form: {}, isHidden: true })
  const checks = [await createCheck(server)]
  time.advance(1000)
  checks.push(await createCheck(server))
  await visit(`/sandbox/verify/${checks[0]}`, { isHidden: true })
  for (let number = 1; number <= 6; number++) {
    await sendMessage(server, tara.identifier, [`message ${number}`], 'kiraya_note')
    time.advance(1000)
  }
  await addFaultRule(server, { provider: 'esign', on: 'status', behaviour: 'slow' })
  await addFaultRule(server, { provider: 'messages', behaviour: 'error' })
  await moveClock(server, { advance_ms: 24 * HOUR_MS })
  await visit('/sandbox')
  await end()
})

const control = stoppedServer()

test('the control page shows rules, presets, the clock and the form', async () => {
  const { server } = control
  const { visit, end } = startTranscript(server, 'control')
  await visit('/sandbox/faults')
  const rules: Record<string, string>[] = [
    { provider: 'esign', behaviour: 'error', on: 'create', times: '3', status: '503', retry_after_s: '7' },
    { provider: 'ekyc', behaviour: 'slow', on: 'status', delay_s: '1.5', match: 'a check' },
    { provider: 'esign', behaviour: 'never', on: 'webhook' },
    { provider: 'messages', behaviour: 'lost', delay_ms: '7200000' },
  ]
  for (const form of rules) await visit('/sandbox/faults', { form })
  await visit('/sandbox/faults?done=added', { card: 'Fault rules' })
  const { faults } = await getState(server)
  await visit(`/sandbox/faults/${faults[0].id}/remove`, { form: {} })
  await visit('/sandbox/faults?done=removed', { card: 'Fault rules' })
  await visit('/sandbox/faults/clear', { form: {} })
  const mistakes: Record<string, string>[] = [
    { provider: 'esign', behaviour: 'never', on: 'pdf', times: '2', delay_s: '4', match: 'me' },
    { provider: 'messages', behaviour: 'error', on: 'create', times: '2', status: '200', retry_after_s: '9' },
    { provider: 'elsewhere', behaviour: 'error' },
  ]
  for (const form of mistakes) await visit('/sandbox/faults', { form, card: 'New fault rule' })
  await end()
})

const clocks = stoppedServer()

test('the forms of the clock move it, and say so', async () => {
  const { server } = clocks
  const { visit, end } = startTranscript(server, 'clock')
  const changes: Record<string, string>[] = [
    { advance_ms: String(HOUR_MS) },
    { at: '2026-11-25T15:30' },
    { at: '2026-11-21T15:30:30' },
    { reset: 'true' },
  ]
  for (const form of changes) {
    await visit('/sandbox/clock', { form })
    await visit('/sandbox', { card: 'What happens next' })
  }
  const mistakes: Record<string, string>[] = [{ at: 'noon' }, { advance_ms: '1.5' }, {}]
  for (const form of mistakes) await visit('/sandbox/clock', { form, card: '' })
  await visit('/sandbox/clock', { form: {}, headers: { 'sec-fetch-site': 'cross-site' } })
  for (const done of ['moved', 'cleared', 'toString'])
    await visit(`/sandbox/faults?done=${done}`, { card: '' })
  await end()
})

const inbox = stoppedServer()

test('the inbox shows the messages of all numbers or of one', async () => {
  const { server, time } = inbox
  const { visit, end } = startTranscript(server, 'inbox')
  await visit('/sandbox/inbox')
  const reminder = ['AGR-2026-000001', 'https://sign.example.com/a,b']
  const messages: [to: string, texts: string[], name?: string][] = [
    [asha.identifier, ['482913']],
    [tara.identifier, reminder, server.deps.config.WHATSAPP_REMINDER_TEMPLATE],
    [tara.identifier, ['https://app.example.com'], 'come_and_see'],
  ]
  for (const [to, texts, name] of messages) {
    await sendMessage(server, to, texts, name)
    time.advance(1000)
  }
  await visit('/sandbox/inbox')
  await visit(`/sandbox/inbox?phone=%20${asha.identifier}%20`)
  await visit('/sandbox/inbox?phone=9000000000')
  await visit('/sandbox/inbox?phone=123')
  await end()
})

const signing = stoppedServer()

test('a request without an agreement shows its document, and each outcome has a page', async () => {
  const { server, time } = signing
  const { visit, end } = startTranscript(server, 'signing')
  const create = async (input: Record<string, unknown> = {}) => {
    const { id } = await createRequest(server, input)
    return `/sandbox/sign/${id}`
  }
  for (const outcome of ['sign', 'decline', 'fail-otp', 'expire']) {
    const path = await create()
    await visit(`${path}/${outcome}`, { form: {} })
    await visit(path)
  }
  const signed = await create({ documentUrl: 'file:///lease.pdf' })
  await visit(signed)
  await visit(`${signed}/sign`, { form: {}, isHidden: true })
  await visit(`${signed}/sign`, { form: {} })
  const late = await create()
  time.advance(73 * HOUR_MS)
  await visit(late)
  await visit(`${late}/sign`, { form: {} })
  await visit(`${late}/shout`, { form: {} })
  await visit('/sandbox/sign/x')
  await visit('/signed')
  await end()
})

const several = stoppedServer()

test('a request with several signers shows them all', async () => {
  const { server } = several
  const { visit, end } = startTranscript(server, 'signers')
  const documentId = await uploadDocument(server, '%PDF-1.4\nthe lease')
  const vik = { identifier: '9000000003', displayName: 'Vik' }
  const { body } = await postNativeRequest(server, documentId, [asha, tara, vik])
  const [first, second] = body.signers.map(({ id }: { id: string }) => `/sandbox/sign/${id}`)
  await visit(first)
  await visit(`${first}/decline`, { form: {} })
  await visit(`${second}/sign`, { form: {} })
  await visit(second)
  await end()
})

const leases = stoppedServer()

test('a request of an agreement shows the lease and the other parties', async () => {
  const { server } = leases
  const { visit, end } = startTranscript(server, 'lease')
  const landlord = await createLandlord(server)
  const tenants = [await signInUser(server), await signInUser(server)]
  await completeProfile(tenants[0]!, { first_name: 'Ravi', last_name: 'Iyer' })
  const open = async (terms: Record<string, unknown>, ...parties: typeof tenants) => {
    const { agreement } = await createDraft(landlord, parties, terms)
    const { signing_url } = await requestSignature(landlord, agreement, landlord)
    return `/sandbox/sign/${getRequestId(signing_url)}`
  }
  const terms = { rent_amount: 25_000.5, document_url: 'https://example.com/lease.pdf' }
  await visit(await open({ ...terms, deposit_amount: 100_000 }, tenants[0]!))
  await visit(await open({ ...terms, deposit_amount: 0 }, ...tenants))
  await end()
})

const identity = stoppedServer({ SANDBOX_EKYC: 'manual' })

test('an identity check has a page before, with and after its outcome', async () => {
  const { server } = identity
  const { visit, end } = startTranscript(server, 'identity')
  for (const outcome of ['approve', 'fail']) {
    const path = `/sandbox/verify/${await createCheck(server)}`
    if (outcome === 'approve') await visit(path)
    await visit(`${path}/${outcome}`, { form: {} })
    await visit(path)
    await visit(`${path}/fail`, { form: {} })
  }
  await visit('/sandbox/verify/x')
  await visit('/sandbox/verify/x/fail', { form: {} })
  await visit('/sandbox/verify/x/shout', { form: {} })
  await visit('/verified')
  await end()
})

const { MESSAGE_CHANNELS: _, ...realButMessages } = realProviders
const guarded = stoppedServer({ ...realButMessages, SANDBOX_TOKEN: 'the token of the sandbox' })
const identityOnly = stoppedServer({ ...realProviders, EKYC_API_URL: '' })

test('a sandbox of messages alone shows nothing of the other providers, and asks for its token', async () => {
  const { server } = guarded
  const { visit, end } = startTranscript(server, 'messages-only')
  const headers = { authorization: 'Bearer the token of the sandbox' }
  await visit('/sandbox')
  await visit('/sandbox', { headers })
  await visit('/sandbox/faults', { headers })
  await visit('/sandbox/sign/x', { headers })
  await end()
})

test('a sandbox of identity checks alone has no inbox', async () => {
  const { server } = identityOnly
  const { visit, end } = startTranscript(server, 'identity-only')
  await visit('/sandbox')
  await visit('/sandbox/inbox')
  await end()
})
