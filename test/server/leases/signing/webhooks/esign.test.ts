import { beforeEach, describe, expect, test } from 'bun:test'
import { signWebhook } from '../../../../../server/providers/signing/setu/signature'
import { sendRequest, type TestResponse } from '../../../../support/users'
import { MISSING, SECRET } from '../provider'
import { signingServer } from '../signing-fixtures'
import { enveloped } from '../../../http/forms'

const NEXT_SECRET = 'the next secret'
const { provider, server, deliver, createPending, listWebhooks } = signingServer({
  env: { ESIGN_WEBHOOK_SECRET: `${SECRET},${NEXT_SECRET}` },
})
const toResult = ({ status, body }: TestResponse) => [status, body]
// Tests send the same payloads, some of which count.
beforeEach(() => server.db.deleteFrom('received_webhooks').execute())

const received = [200, { success: true, data: { message: expect.any(String) } }]

describe('401: a webhook whose signature is', () => {
  for (const [name, options] of [
    ['missing', { signature: null }],
    ['empty', { signature: '' }],
    ['of another secret', { secret: 'x' }],
    ['of an empty secret', { secret: '' }],
    ['of another payload', { signature: 'q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng=' }],
    ['in another header', { header: 'x-signature' }],
    ['not base64', { signature: '💥'.codePointAt(0)!.toString() }],
  ] as const) {
    test(`${name} has no effect`, async () => {
      const { request, signature, status } = await createPending()
      provider.completes(request.documentId)
      for (const payload of [provider.news('ESIGN_COMPLETE', request, { nonce: name }), 'garbage', '']) {
        expect(toResult(await deliver(payload, options))).toEqual([401, enveloped(401)])
        expect(await listWebhooks(payload)).toEqual([])
      }
      expect([(await signature()).status, await status()]).toEqual(['pending', 'PENDING'])
    })
  }
})

test('200: during a change of the secret a webhook with either of the two secrets counts', async () => {
  const { request, status } = await createPending()
  provider.completes(request.documentId)
  const send = async (nonce: string, secret?: string) => {
    const news = provider.news('ESIGN_COMPLETE', request, { nonce })
    return (await deliver(news, { secret })).status
  }
  expect([await send('next', NEXT_SECRET), await status()]).toEqual([200, 'ACTIVE'])
  expect(await send('current')).toBe(200)
})

describe('200: a webhook with a valid signature', () => {
  test('about an unknown request', async () => {
    for (const documentId of [MISSING, 'x', '', undefined, "' or 1=1", 'x'.repeat(256)]) {
      const news = provider.news('ESIGN_COMPLETE', { id: crypto.randomUUID(), documentId })
      expect(toResult(await deliver(news))).toEqual(received)
    }
  })

  for (const payload of [
    '',
    'null',
    '{"event":"\0"}',
    '{"event":null}',
    '{"__proto__":{"event":"ESIGN_COMPLETE"}}',
    '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":"\\ud800"}}}',
    '['.repeat(20_000),
    `{"event":"x","timeStamp":${'['.repeat(50_000)}${']'.repeat(50_000)},"data":{"esign":{"id":"x"}}}`,
  ]) {
    test(`with the invalid payload ${JSON.stringify(payload.slice(0, 70))}`, async () => {
      expect(toResult(await deliver(payload))).toEqual(received)
    })
  }
})

test('200: a webhook with a byte order mark and bytes that are not UTF-8; 401: signed as a text', async () => {
  const { request, signature } = await createPending()
  const news = { ...provider.news('ESIGN_EXPIRED', request), note: '?' }
  provider.ends(request.documentId, 'expired')
  const [before = '', after = ''] = JSON.stringify(news).split('?')
  const [byteOrderMark, notUtf8] = [Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from([0x20, 0xff, 0xfe, 0xc3])]
  const body = Buffer.concat([byteOrderMark, Buffer.from(before), notUtf8, Buffer.from(after)])
  const send = async (signed: Buffer | string) => {
    const proof = signWebhook(signed, SECRET)
    const init = { method: 'POST', body, headers: { 'x-setu-signature': proof } }
    const { status } = await fetch(`${server.url}/webhooks/esign`, init)
    return [status, (await signature()).status]
  }
  expect(await send(new TextDecoder().decode(body))).toEqual([401, 'pending'])
  expect(await send(body)).toEqual([200, 'expired'])
})

test('200: a webhook may have any content type, and an invalid token', async () => {
  const { id, request, signature } = await createPending()
  provider.ends(id, 'expired')
  const body = JSON.stringify(provider.news('ESIGN_EXPIRED', request))
  const proof = { 'x-setu-signature': signWebhook(body, SECRET) }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json', 'nonsense']) {
    const headers = { ...proof, 'content-type': type }
    const sent = await sendRequest(server, 'POST', '/webhooks/esign', { body, token: 'x', headers })
    expect(sent.status).toBe(200)
  }
  expect((await signature()).status).toBe('expired')
})
