import { expect, test } from 'bun:test'
import { clock, testServer } from '../../../support/server'
import { completeProfile, createDraft, createLandlord, sendRequest, signInUser } from '../../../support/users'
import {
  createRequest,
  getCredentials,
  getRequestId,
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

test('the overview links to what a person can act on', async () => {
  const { server, time } = overview
  const { visit, end } = startTranscript(server, 'overview')
  const ids: string[] = []
  for (const displayName of ['Waits', 'Opened', 'Failed', 'Signed']) {
    const { id } = await createRequest(server, { signer: { ...asha, displayName } })
    ids.push(id)
    time.advance(1000)
  }
  await visit(`/sandbox/sign/${ids[1]}`, { isHidden: true })
  await visit(`/sandbox/sign/${ids[2]}/fail-otp`, { form: {}, isHidden: true })
  await visit(`/sandbox/sign/${ids[3]}/sign`, { form: {}, isHidden: true })
  const checks = [await createCheck(server)]
  time.advance(1000)
  checks.push(await createCheck(server))
  await visit(`/sandbox/verify/${checks[0]}`, { isHidden: true })
  await sendMessage(server, tara.identifier, ['message 1'], 'kiraya_note')
  await visit('/sandbox')
  await end()
})

const inbox = stoppedServer()

test('the inbox shows the messages of all numbers or of one', async () => {
  const { server, time } = inbox
  const { visit, end } = startTranscript(server, 'inbox')
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
    if (outcome === 'sign') await visit(path, { isWhole: true })
    await visit(`${path}/${outcome}`, { form: {} })
    if (outcome === 'sign' || outcome === 'fail-otp') await visit(path)
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
  await end()
})

const leases = stoppedServer()

test('a request of an agreement shows the lease and the other parties', async () => {
  const { server } = leases
  const { visit, end } = startTranscript(server, 'lease')
  const landlord = await createLandlord(server)
  const tenants = [await signInUser(server), await signInUser(server)]
  await completeProfile(tenants[0]!, { first_name: 'Ravi', last_name: 'Iyer' })
  const terms = {
    rent_amount: 25_000.5,
    deposit_amount: 100_000,
    document_url: 'https://example.com/lease.pdf',
  }
  const { agreement } = await createDraft(landlord, tenants, terms)
  const { signing_url } = await requestSignature(landlord, agreement, landlord)
  await visit(`/sandbox/sign/${getRequestId(signing_url)}`)
  await end()
})

const identity = stoppedServer({ SANDBOX_EKYC: 'manual' })

test('an identity check has a page before, with and after its outcome', async () => {
  const { server } = identity
  const { visit, end } = startTranscript(server, 'identity')
  const [approved, failed] = [
    `/sandbox/verify/${await createCheck(server)}`,
    `/sandbox/verify/${await createCheck(server)}`,
  ]
  await visit(approved)
  await visit(`${approved}/approve`, { form: {} })
  await visit(approved)
  await visit(`${approved}/fail`, { form: {} })
  await visit(`${failed}/fail`, { form: {} })
  await visit('/sandbox/verify/x')
  await end()
})
