import { expect, test } from 'bun:test'
import { createOperationsClient } from '@kiraya/sdk/operations'
import { runCli } from '../../../cli/program'
import { getKysely } from '../../../db/database'
import { sendRequest, createDraft, signInByOtp, signInUser } from '../../support/users'
import { testServer } from '../../support/server'
import { enveloped } from '../http/forms'
import { signingProvider, start } from '../agreements/signing/provider'

const OPS_TOKEN = 'a token for those who run it'
const provider = signingProvider()
const server = testServer({ env: { ...provider.env, OPS_TOKEN, PROVIDER_RETRIES: '0' } })
const operations = () => createOperationsClient({ baseUrl: server.url, token: OPS_TOKEN })
const routes = [
  ['GET', '/operations/webhooks'],
  ['POST', '/operations/webhooks/1/replay'],
  ['GET', '/operations/jobs'],
  ['GET', '/operations/invitations'],
  ['POST', '/operations/invitations'],
  ['DELETE', '/operations/invitations/1'],
  ['GET', '/metrics'],
] as const

async function startSigning() {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant])
  const { data } = await start(owner, agreement, tenant)
  const signatureId: string = data.signature_id
  return { owner, tenant, agreement, signatureId }
}

const replay = (id: number | string) =>
  sendRequest(server, 'POST', `/operations/webhooks/${id}/replay`, { token: OPS_TOKEN })

test.each(routes)('401: %s %s without the operations token', async (method, path) => {
  const { token } = await signInUser(server)
  for (const invalidToken of [undefined, token, `${OPS_TOKEN}x`, OPS_TOKEN.slice(1), ''])
    expect((await sendRequest(server, method, path, { token: invalidToken })).body).toEqual(enveloped(401))
})

test.each(['Bearer', 'bearer', 'BEARER '])('200: with the operations token after %p', async scheme => {
  const headers = { authorization: `${scheme} ${OPS_TOKEN}` }
  expect((await sendRequest(server, 'GET', '/operations/jobs', { headers })).status).toBe(200)
})

test('404: an unknown webhook', async () => {
  for (const id of ['0', 'x', '2147483647', '1e3']) expect((await replay(id)).status).toBe(404)
})

test('400: an invalid query', async () => {
  for (const query of ['state=x', 'limit=0', 'sort=payload', 'request_id='])
    expect(
      (await sendRequest(server, 'GET', `/operations/webhooks?${query}`, { token: OPS_TOKEN })).status,
    ).toBe(400)
})

test('the list has the newest webhooks first, with their outcome', async () => {
  const { signatureId } = await startSigning()
  const request = provider.ends(signatureId, 'expired')
  await provider.webhook(server.url, provider.news('ESIGN_EXPIRED', request))
  const unknownId = crypto.randomUUID()
  await provider.webhook(server.url, provider.news('ESIGN_COMPLETE', { id: unknownId }))
  expect((await operations().webhooks({ request_id: request.id })).data).toEqual([
    {
      id: expect.any(Number),
      provider: 'setu',
      request_id: request.id,
      document_id: signatureId,
      outcome: 'expired',
      attempts: 1,
      last_error: null,
      created_at: expect.any(String),
      processed_at: expect.any(String),
      next_attempt_at: null,
    },
  ])
  expect((await operations().webhooks({ request_id: unknownId, state: 'unknown' })).metadata.total).toBe(1)
  expect((await operations().webhooks({ request_id: unknownId, state: 'done' })).metadata.total).toBe(0)
  const { data, metadata } = await operations().webhooks({ limit: 2 })
  expect([data.length, metadata.total >= 2, data[0]!.id > data[1]!.id]).toEqual([2, true, true])
})

test('a failed webhook shows its error, and a replay processes it', async () => {
  const { owner, agreement, signatureId } = await startSigning()
  const request = provider.becomes(signatureId, { status: 'sign_complete', signerStatus: 'signed' })
  provider.replies.read = () => new Response('x', { status: 500 })
  expect((await provider.webhook(server.url, provider.news('ESIGN_COMPLETE', request))).status).toBe(503)
  const {
    data: [open],
  } = await operations().webhooks({ state: 'open', request_id: request.id })
  expect(open).toMatchObject({
    attempts: 1,
    last_error: expect.stringMatching(
      /^The e-signing provider cannot be reached: e-signing GET \S+ answered 500$/,
    ),
    processed_at: null,
  })
  expect((await operations().jobs()).waiting.webhooks).toBeGreaterThan(0)
  expect((await replay(open!.id)).status).toBe(503)
  delete provider.replies.read
  expect(await operations().replay(open!.id)).toMatchObject({
    outcome: 'signed',
    attempts: 3,
    last_error: null,
    processed_at: expect.any(String),
  })
  expect(await operations().replay(open!.id)).toMatchObject({ outcome: 'signed' })
  const { data } = await owner.get(`/agreements/${agreement.id}/signatures`)
  expect(data.signatures[0].status).toBe('signed')
})

test('a webhook that arrives before its request is stored is matched afterwards', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant])
  let payload: unknown
  provider.replies.create = async () => {
    const request = {
      id: crypto.randomUUID(),
      documentId: provider.creates().at(-1)!.body.documentId,
      signer: { identifier: tenant.phone, displayName: 'x' },
      status: 'sign_complete',
      signerStatus: 'signed',
      errCode: null,
      cancelled: false,
    }
    provider.kept.set(request.id, request)
    payload = provider.news('ESIGN_COMPLETE', request)
    expect((await provider.webhook(server.url, payload)).status).toBe(200)
    return Response.json({
      id: request.id,
      status: 'sign_initiated',
      signers: [{ id: `signer-${request.id}`, url: 'https://sign.example.com/x', status: 'pending' }],
    })
  }
  const { status, data } = await start(owner, agreement, tenant)
  expect(status).toBe(200)
  const signatures = await owner.get(`/agreements/${agreement.id}/signatures`)
  expect(signatures.data.signatures).toEqual([
    expect.objectContaining({ signature_id: data.signature_id, status: 'signed' }),
  ])
  expect(
    await getKysely(server.em())
      .selectFrom('webhook_deliveries')
      .where('payload', '=', JSON.stringify(payload))
      .select('outcome')
      .execute(),
  ).toEqual([{ outcome: 'signed' }])
})

const SIGN_REQUEST = 'method="POST",route="/agreements/:id/sign",status="200"'

async function loadMetrics(): Promise<string> {
  const { body } = await sendRequest(server, 'GET', '/metrics', { token: OPS_TOKEN })
  return body
}

function getMetric(metrics: string, name: string) {
  const line = new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm')
  return Number(line.exec(metrics)?.[1] ?? 0)
}

/** The upper bound and the count of each bucket. */
function listSignRequestBuckets(metrics: string) {
  const name = `kiraya_http_request_seconds_bucket\\{le="([^"]+)",${SIGN_REQUEST}\\}`
  const line = new RegExp(`^${name} (\\d+)$`, 'gm')
  return [...metrics.matchAll(line)].map(([, bound, count]) => [bound, Number(count)] as const)
}

function expectSignRequestBuckets(metrics: string) {
  const buckets = listSignRequestBuckets(metrics)
  const total = getMetric(metrics, `kiraya_http_request_seconds_count{${SIGN_REQUEST}}`)
  expect([buckets.length, buckets.at(-1)]).toEqual([16, ['+Inf', total]])
  const counts = buckets.map(([, count]) => count)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
}

test('the metrics count requests, provider calls, webhooks, messages and waiting work', async () => {
  const before = await loadMetrics()
  const startedAt = performance.now()
  const { owner, tenant, agreement } = await startSigning()
  await signInByOtp(server)
  await provider.webhook(server.url, '{}', { signature: 'x' })
  await provider.webhook(server.url, '{"once":1}')
  await provider.webhook(server.url, '{"once":1}')
  const after = await loadMetrics()
  const getIncrease = (name: string) => getMetric(after, name) - getMetric(before, name)
  expect([
    getIncrease('kiraya_webhooks_total{provider="setu",outcome="invalid_signature"}'),
    getIncrease('kiraya_webhooks_total{provider="setu",outcome="new"}'),
    getIncrease('kiraya_webhooks_total{provider="setu",outcome="duplicate"}'),
  ]).toEqual([1, 1, 1])
  expect(getIncrease('kiraya_provider_call_seconds_count{provider="e-signing",outcome="success"}')).toBe(1)
  expect(getIncrease('kiraya_messages_total{channel="sandbox",kind="otp",outcome="sent"}')).toBe(1)
  expect(getIncrease(`kiraya_http_request_seconds_count{${SIGN_REQUEST}}`)).toBe(1)
  expectSignRequestBuckets(after)
  const elapsedS = (performance.now() - startedAt) / 1000
  expect(getIncrease(`kiraya_http_request_seconds_sum{${SIGN_REQUEST}}`)).toBeWithin(Number.EPSILON, elapsedS)
  expect(getMetric(after, 'kiraya_backlog_items{queue="open_signatures"}')).toBeGreaterThan(0)
  expect([
    getMetric(after, 'kiraya_backlog_items{queue="stuck_signatures"}'),
    getMetric(after, 'kiraya_database_connections{state="waiting"}'),
  ]).toEqual([0, 0])
  expect(getMetric(after, 'kiraya_database_connections{state="max"}')).toBeGreaterThan(0)
  expect(after).toContain('nodejs_eventloop_lag_seconds')
  for (const secret of [owner.phone, tenant.phone, owner.token, agreement.agreement_id])
    expect(after).not.toContain(secret)
})

test('the metrics are in the text format of Prometheus', async () => {
  const { status, headers } = await sendRequest(server, 'GET', '/metrics', { token: OPS_TOKEN })
  const type = headers.get('content-type')
  expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
})

test('the command line lists and replays webhooks', async () => {
  await provider.webhook(server.url, provider.news('ESIGN_COMPLETE', { id: crypto.randomUUID() }))
  const output: string[] = []
  const env: Record<string, string | undefined> = {
    KIRAYA_URL: server.url,
    KIRAYA_OPS_TOKEN: OPS_TOKEN,
    HOME: '/nonexistent',
  }
  const io = {
    env,
    isInteractive: false,
    isStdoutTty: false,
    isStderrTty: false,
    columns: 80,
    draw: () => {},
    out: (text: string) => void output.push(text),
    err: () => {},
    ask: async () => '',
    readAll: async () => '',
  }
  expect(await runCli(['ops', 'webhooks', '--state', 'unknown', '--limit', '1'], io)).toBe(0)
  const [delivery] = JSON.parse(output.pop()!)
  expect(await runCli(['ops', 'replay', String(delivery.id)], io)).toBe(0)
  expect(JSON.parse(output.pop()!)).toMatchObject({
    id: delivery.id,
    outcome: 'unknown request',
    attempts: 2,
  })
  expect(await runCli(['ops', 'jobs'], io)).toBe(0)
  expect(JSON.parse(output.pop()!).waiting).toMatchObject({ open_signatures: expect.any(Number) })
  expect(await runCli(['ops', 'jobs'], { ...io, env: { ...env, KIRAYA_OPS_TOKEN: undefined } })).toBe(2)
})
