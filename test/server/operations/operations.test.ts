import { describe, expect, test } from 'bun:test'
import { createOperationsClient } from '@kiraya/sdk/operations'
import { runCli } from '../../../cli/program'
import { getKysely } from '../../../db/database'
import { sendRequest, createDraft, signInUser } from '../../support/users'
import { testServer } from '../../support/server'
import { enveloped } from '../http/forms'
import { signingProvider, start } from '../agreements/signing/provider'

const OPS_TOKEN = 'a token for those who run it'
const provider = signingProvider()
const it = testServer({ env: { ...provider.env, OPS_TOKEN, PROVIDER_RETRIES: '0' } })
const operations = () => createOperationsClient({ baseUrl: it.url, token: OPS_TOKEN })
const routes = [
  ['GET', '/operations/webhooks'],
  ['POST', '/operations/webhooks/1/replay'],
  ['GET', '/operations/jobs'],
  ['GET', '/metrics'],
] as const

describe('operations', () => {
  test.each(routes)('401: %s %s without the token', async (method, path) => {
    const { token } = await signInUser(it.url)
    for (const given of [undefined, token, `${OPS_TOKEN}x`, OPS_TOKEN.slice(1), ''])
      expect((await sendRequest(it.url, method, path, { token: given })).body).toEqual(enveloped(401))
  })

  test('404: a webhook that is not there', async () => {
    for (const id of ['0', 'x', '2147483647', '1e3'])
      expect(
        (await sendRequest(it.url, 'POST', `/operations/webhooks/${id}/replay`, { token: OPS_TOKEN })).status,
      ).toBe(404)
  })

  test('400: a query that is not valid', async () => {
    for (const text of ['state=x', 'limit=0', 'sort=payload', 'request_id='])
      expect(
        (await sendRequest(it.url, 'GET', `/operations/webhooks?${text}`, { token: OPS_TOKEN })).status,
      ).toBe(400)
  })

  test('webhooks are listed, newest first, with what became of them', async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    const {
      body: {
        data: { signature_id },
      },
    } = await start(owner, agreement, tenant)
    const request = provider.of(signature_id)
    await provider.webhook(it.url, provider.news('ESIGN_EXPIRED', request))
    const stranger = crypto.randomUUID()
    await provider.webhook(it.url, provider.news('ESIGN_COMPLETE', { id: stranger }))
    expect((await operations().webhooks({ request_id: request.id })).data).toEqual([
      {
        id: expect.any(Number),
        provider: 'setu',
        request_id: request.id,
        document_id: signature_id,
        outcome: 'expired',
        attempts: 1,
        last_error: null,
        created_at: expect.any(String),
        processed_at: expect.any(String),
        next_attempt_at: null,
      },
    ])
    expect((await operations().webhooks({ request_id: stranger, state: 'unknown' })).metadata.total).toBe(1)
    expect((await operations().webhooks({ request_id: stranger, state: 'done' })).metadata.total).toBe(0)
    const { data, metadata } = await operations().webhooks({ limit: 2 })
    expect([data.length, metadata.total >= 2, data[0]!.id > data[1]!.id]).toEqual([2, true, true])
  })

  test('one that failed shows why, and is acted upon when it is replayed', async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    const {
      body: {
        data: { signature_id },
      },
    } = await start(owner, agreement, tenant)
    const request = provider.becomes(signature_id, { status: 'sign_complete', signerStatus: 'signed' })
    provider.replies.read = () => new Response('x', { status: 500 })
    expect((await provider.webhook(it.url, provider.news('ESIGN_COMPLETE', request))).status).toBe(503)
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
    expect(
      (await sendRequest(it.url, 'POST', `/operations/webhooks/${open!.id}/replay`, { token: OPS_TOKEN }))
        .status,
    ).toBe(503)
    delete provider.replies.read
    expect(await operations().replay(open!.id)).toMatchObject({
      outcome: 'signed',
      attempts: 3,
      last_error: null,
      processed_at: expect.any(String),
    })
    expect(await operations().replay(open!.id)).toMatchObject({ outcome: 'signed' })
    expect(
      (await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data.signatures[0].status,
    ).toBe('signed')
  })

  test('webhooks that came before their request was known are matched when it is', async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    let payload: unknown
    provider.replies.create = async () => {
      // The signer is quicker than the answer.
      const { documentId } = provider.creates().at(-1)!.body
      const id = crypto.randomUUID()
      provider.kept.set(id, {
        id,
        documentId,
        signer: { identifier: tenant.phone, displayName: 'x' },
        status: 'sign_complete',
        signerStatus: 'signed',
        errCode: null,
        cancelled: false,
      })
      payload = provider.news('ESIGN_COMPLETE', provider.kept.get(id)!)
      expect((await provider.webhook(it.url, payload)).status).toBe(200)
      return Response.json({
        id,
        status: 'sign_initiated',
        signers: [{ id: `signer-${id}`, url: 'https://sign.example.com/x', status: 'pending' }],
      })
    }
    const {
      status,
      body: { data },
    } = await start(owner, agreement, tenant)
    expect(status).toBe(200)
    expect((await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data.signatures).toEqual([
      expect.objectContaining({ signature_id: data.signature_id, status: 'signed' }),
    ])
    expect(
      await getKysely(it.em())
        .selectFrom('webhook_deliveries')
        .where('payload', '=', JSON.stringify(payload))
        .select('outcome')
        .execute(),
    ).toEqual([{ outcome: 'signed' }])
  })

  test('figures tell of requests, provider calls, webhooks forged and not, messages, and what waits', async () => {
    const figures = async () =>
      (await sendRequest(it.url, 'GET', '/metrics', { token: OPS_TOKEN })).body as string
    const figure = (text: string, name: string) =>
      Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
    const before = await figures()
    const invalid = 'kiraya_webhooks_total{provider="setu",outcome="invalid_signature"}'
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    await start(owner, agreement, tenant)
    await provider.webhook(it.url, '{}', { signature: 'x' })
    await provider.webhook(it.url, '{"once":1}')
    await provider.webhook(it.url, '{"once":1}')
    const after = await figures()
    const grew = (name: string) => figure(after, name) - figure(before, name)
    expect([
      grew(invalid),
      grew('kiraya_webhooks_total{provider="setu",outcome="new"}'),
      grew('kiraya_webhooks_total{provider="setu",outcome="duplicate"}'),
    ]).toEqual([1, 1, 1])
    expect(grew('kiraya_provider_call_seconds_count{provider="e-signing",outcome="success"}')).toBe(1)
    expect(grew('kiraya_messages_total{channel="sandbox",kind="otp",outcome="sent"}')).toBe(2)
    expect(
      grew('kiraya_http_request_seconds_count{method="POST",route="/agreements/:id/sign",status="200"}'),
    ).toBe(1)
    const buckets = [
      ...after.matchAll(
        /^kiraya_http_request_seconds_bucket\{le="([^"]+)",method="POST",route="\/agreements\/:id\/sign",status="200"\} (\d+)$/gm,
      ),
    ].map(([, le, n]) => [le, Number(n)] as const)
    expect([buckets.length, buckets.at(-1)]).toEqual([
      16,
      [
        '+Inf',
        figure(
          after,
          'kiraya_http_request_seconds_count{method="POST",route="/agreements/:id/sign",status="200"}',
        ),
      ],
    ])
    expect(buckets.map(([, n]) => n)).toEqual(buckets.map(([, n]) => n).toSorted((a, b) => a - b))
    expect(
      grew('kiraya_http_request_seconds_sum{method="POST",route="/agreements/:id/sign",status="200"}'),
    ).toBeGreaterThan(0)
    expect(figure(after, 'kiraya_backlog_items{queue="open_signatures"}')).toBeGreaterThan(0)
    expect([
      figure(after, 'kiraya_backlog_items{queue="stuck_signatures"}'),
      figure(after, 'kiraya_database_connections{state="waiting"}'),
    ]).toEqual([0, 0])
    expect(figure(after, 'kiraya_database_connections{state="max"}')).toBeGreaterThan(0)
    expect(after).toContain('nodejs_eventloop_lag_seconds')
    for (const secret of [owner.phone, tenant.phone, owner.token, agreement.agreement_id])
      expect(after).not.toContain(secret)
  })

  test('the command line shows and replays them', async () => {
    await provider.webhook(it.url, provider.news('ESIGN_COMPLETE', { id: crypto.randomUUID() }))
    const said: string[] = []
    const io = {
      env: { KIRAYA_URL: it.url, KIRAYA_OPS_TOKEN: OPS_TOKEN, HOME: '/nonexistent' } as Record<
        string,
        string | undefined
      >,
      isInteractive: false,
      isStdoutTty: false,
      out: (text: string) => void said.push(text),
      err: () => {},
      ask: async () => '',
      readAll: async () => '',
    }
    expect(await runCli(['ops', 'webhooks', '--state', 'unknown', '--limit', '1'], io)).toBe(0)
    const [delivery] = JSON.parse(said.pop()!)
    expect(await runCli(['ops', 'replay', String(delivery.id)], io)).toBe(0)
    expect(JSON.parse(said.pop()!)).toMatchObject({
      id: delivery.id,
      outcome: 'unknown request',
      attempts: 2,
    })
    expect(await runCli(['ops', 'jobs'], io)).toBe(0)
    expect(JSON.parse(said.pop()!).waiting).toMatchObject({ open_signatures: expect.any(Number) })
    expect(await runCli(['ops', 'jobs'], { ...io, env: { ...io.env, KIRAYA_OPS_TOKEN: undefined } })).toBe(2)
  })
})
