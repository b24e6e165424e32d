import { expect, test } from 'bun:test'
import { signInByOtp, createDraft, sendRequest, signInUser } from '../../support/users'
import { startTestServer } from '../../support/server'
import { start } from '../leases/signing/provider'
import { signingServer } from '../leases/signing/signing-fixtures'

const OPS_TOKEN = 'a token for those who run it'
const { server, deliver } = signingServer({ env: { OPS_TOKEN } })
const SIGN_REQUEST = 'method="POST",route="/agreements/:id/sign",status="200"'

async function loadMetrics(): Promise<string> {
  const { body } = await sendRequest(server, 'GET', '/metrics', { token: OPS_TOKEN })
  return body
}

function getMetric(metrics: string, name: string) {
  const line = new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm')
  return Number(line.exec(metrics)?.[1] ?? 0)
}

test('the metrics count requests, provider calls, webhooks, messages and waiting work', async () => {
  const before = await loadMetrics()
  expect(before).not.toMatch(/ (nan|[+-]?inf|9223372036\S*)$/im)
  const startedAt = performance.now()
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant])
  await start(owner, agreement, tenant)
  await signInByOtp(server)
  await deliver('{}', { signature: 'x' })
  await deliver('{"once":1}')
  await deliver('{"once":1}')
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

test('503: the metrics of one of several processes are missing', async () => {
  const overrides = { scrapeMetrics: async () => undefined }
  const worker = await startTestServer({ env: { OPS_TOKEN }, overrides })
  try {
    const response = await sendRequest(worker, 'GET', '/metrics', { token: OPS_TOKEN })
    expect([response.status, response.error.reason]).toEqual([503, 'metrics_incomplete'])
  } finally {
    await worker.end()
  }
})
