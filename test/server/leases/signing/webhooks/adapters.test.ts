import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { processCancellations } from '../../../../../server/leases/signing/sync'
import type { Deps } from '../../../../../server/deps'
import { reconcileSignatures } from '../../../../../server/leases/signing/reconciliation'
import { reconcileWebhooks } from '../../../../../server/leases/signing/inbox'
import { storeDueEvidence } from '../../../../../server/leases/evidence/job'
import type { RunningServer } from '../../../../../server/process/server'
import { clock, startSecondInstance } from '../../../../support/server'
import { sendRequest } from '../../../../support/users'
import { signedPdf } from '../provider'
import { signingServer } from '../signing-fixtures'

const HOUR_MS = 3_600_000

/** Requests are made by the flexi adapter; then the settings change. */
const time = clock()
const {
  provider,
  server: flexi,
  tell,
  createPending,
} = signingServer({
  constants: { PROVIDER_RETRIES: 0 },
  overrides: { now: time.now },
})
let native: RunningServer
let sandbox: RunningServer
beforeAll(async () => {
  native = await startSecondInstance(flexi, { ...provider.env, ESIGN_PROTOCOL: 'native' })
  sandbox = await startSecondInstance(flexi, {})
})
afterAll(() => Promise.all([native.stop(), sandbox.stop()]))

type SentAgreement = Awaited<ReturnType<typeof createPending>>

const sign = ({ id }: SentAgreement) => provider.completes(id)

const cancel = (sent: SentAgreement, { url }: { url: string } = flexi) =>
  sendRequest(url, 'POST', `/agreements/${sent.agreement.id}/signatures/${sent.id}/cancel`, {
    token: sent.owner.token,
  })

/** Stores a webhook that the flexi adapter cannot process, because the provider does not answer. */
async function createOpenWebhook(sent: SentAgreement) {
  provider.replies.read = () => new Response('x', { status: 500 })
  expect((await tell('ESIGN_COMPLETE', { ...sent.request, status: 'sign_complete' })).status).toBe(503)
  delete provider.replies.read
}

const selectWebhook = ({ request }: SentAgreement) =>
  flexi.db
    .selectFrom('received_webhooks')
    .where('request_id', '=', request.id)
    .where('payload', 'like', '%ESIGN_COMPLETE%')
    .select(['provider', 'outcome', 'processed_at', 'last_error'])
    .executeTakeFirstOrThrow()

const selectSignature = ({ id }: SentAgreement) =>
  flexi.db
    .selectFrom('agreement_signatures')
    .where('signature_id', '=', id)
    .select(['provider', 'status'])
    .executeTakeFirstOrThrow()

const selectCancellations = ({ request }: SentAgreement) =>
  flexi.db
    .selectFrom('signing_cancellations')
    .where('provider_request_id', '=', request.id)
    .select('provider')
    .execute()

const readCalls = ({ request }: SentAgreement) =>
  provider.calls
    .filter(({ path }) => path.includes(request.id))
    .map(({ method, path }) => `${method} ${path}`)

const countCalls = (sent: SentAgreement) => readCalls(sent).length

const work = async (job: (deps: Deps) => Promise<unknown>, { deps }: RunningServer) => {
  time.advance(HOUR_MS)
  await job(deps)
}

describe('with another ESIGN_PROTOCOL, the previous adapter', () => {
  test('processes its stored webhooks', async () => {
    const sent = await createPending()
    await createOpenWebhook(sent)
    sign(sent)

    await reconcileWebhooks(native.deps)
    expect(await selectWebhook(sent)).toMatchObject({ outcome: null, processed_at: null })
    await work(reconcileWebhooks, native)

    expect(await selectWebhook(sent)).toEqual({
      provider: 'setu',
      outcome: 'signed',
      processed_at: expect.any(String),
      last_error: null,
    })
    expect((await selectSignature(sent)).status).toBe('SIGNED')
  })

  test('takes the webhooks of its requests', async () => {
    const sent = await createPending()
    sign(sent)

    const response = await provider.webhook(native.url, provider.news('ESIGN_COMPLETE', sent.request))

    expect(response.status).toBe(200)
    expect(await selectWebhook(sent)).toMatchObject({ provider: 'setu', outcome: 'signed' })
  })

  test('is asked about its open signatures', async () => {
    const sent = await createPending()
    sign(sent)

    await work(reconcileSignatures, native)

    expect((await selectSignature(sent)).status).toBe('SIGNED')
  })

  test('cancels its requests', async () => {
    const sent = await createPending()
    provider.replies.cancel = () => new Response('x', { status: 500 })
    expect((await cancel(sent)).status).toBe(200)
    expect(await selectCancellations(sent)).toEqual([{ provider: 'setu' }])
    delete provider.replies.cancel

    await work(deps => processCancellations(deps), native)

    expect(provider.of(sent.id).cancelled).toBe(true)
    expect(await selectCancellations(sent)).toEqual([])
  })

  test('returns its signed documents', async () => {
    const sent = await createPending()
    sign(sent)
    await tell('ESIGN_COMPLETE', sent.request)

    await work(storeDueEvidence, native)

    const document = await flexi.db
      .selectFrom('signed_documents')
      .where('provider_request_id', '=', sent.request.id)
      .select(['provider', 'content'])
      .executeTakeFirstOrThrow()
    expect(document.provider).toBe('setu')
    expect(Buffer.from(document.content as Uint8Array).toString()).toBe(signedPdf(sent.request.id))
  })
})

describe('without the settings of its adapter', () => {
  test('a stored webhook stays open and has an error', async () => {
    const sent = await createPending()
    await createOpenWebhook(sent)
    sign(sent)
    const calls = countCalls(sent)

    await work(reconcileWebhooks, sandbox)

    expect(await selectWebhook(sent)).toEqual({
      provider: 'setu',
      outcome: null,
      processed_at: null,
      last_error: 'The e-signing provider setu is not configured; set its settings again',
    })
    expect(countCalls(sent)).toBe(calls)

    await work(reconcileWebhooks, flexi)
    expect(await selectWebhook(sent)).toMatchObject({ outcome: 'signed', last_error: null })
  })

  test('503: an expired signature cannot be restarted, but cancelled', async () => {
    const sent = await createPending()
    const restart = () =>
      sendRequest(sandbox.url, 'POST', `/agreements/${sent.agreement.id}/sign`, {
        token: sent.owner.token,
        body: { signer_id: sent.tenant.id },
      })
    await flexi.db
      .updateTable('agreement_signatures')
      .set({ expires_at: time.now() })
      .where('signature_id', '=', sent.id)
      .execute()

    expect((await restart()).status).toBe(503)
    expect((await cancel(sent, sandbox)).status).toBe(200)
    expect((await restart()).status).toBe(200)
  })
})
