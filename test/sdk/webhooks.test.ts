import { describe, expect, test } from 'bun:test'
import { signWebhook, verifyWebhook, WEBHOOK_SIGNATURE_HEADER, type WebhookPayload } from '../../sdk/webhooks'
import * as serverSide from '../../server/providers/signing/setu/signature'

const SECRET = 'another secret that only the tests know and as long'

const webhook = {
  event: 'ESIGN_COMPLETE',
  data: { esign: { id: 'request-1', status: 'sign_complete' } },
}
const payloads: [description: string, payload: WebhookPayload][] = [
  ['JSON', JSON.stringify(webhook)],
  ['nothing', ''],
  ['several scripts', 'नमस्ते — ನಮಸ್ಕಾರ 🏠'],
  ['bytes that are no text', new Uint8Array([0, 255, 254, 128])],
  ['a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
  ['part of a larger buffer', new Uint8Array([1, 2, 3, 4]).subarray(1, 3)],
]

test.each(payloads)('%s: SDK and server make and accept the same signature', async (_, payload) => {
  const signature = await signWebhook(payload, SECRET)
  expect(signature).toBe(serverSide.signWebhook(payload, SECRET))
  expect(await verifyWebhook(payload, signature, [SECRET])).toBe(true)
})

describe('a signature', () => {
  const payload = JSON.stringify(webhook)
  const valid = serverSide.signWebhook(payload, SECRET)
  const cases: [
    description: string,
    signature: string | null | undefined,
    secrets: (string | undefined)[],
  ][] = [
    ['that is valid', valid, [SECRET]],
    ['by the second secret', valid, ['the next secret', SECRET]],
    ['by the first secret', valid, [SECRET, 'the next secret']],
    ['by another secret', serverSide.signWebhook(payload, 'x'), [SECRET]],
    ['of another body', serverSide.signWebhook('{}', SECRET), [SECRET]],
    ['in hex', Buffer.from(valid, 'base64').toString('hex'), [SECRET]],
    ['without padding', valid.replace('=', ''), [SECRET]],
    ['with a blank', `${valid} `, [SECRET]],
    ['that is empty', '', [SECRET]],
    ['that is null', null, [SECRET]],
    ['without a secret', valid, []],
    ['against an empty secret', valid, ['']],
  ]
  test.each(cases)('%s is judged as the server judges it', async (_, signature, secrets) => {
    const check = serverSide.createWebhookCheck(secrets as string[])
    const expected = check.verifyWebhook(payload, signature ?? null)
    expect(await verifyWebhook(payload, signature, secrets)).toBe(expected)
  })

  test('with one other character is wrong, wherever it is', async () => {
    const accepted = await Promise.all(
      [...valid].map((character, index) => {
        const other = valid.slice(0, index) + (character === 'A' ? 'B' : 'A') + valid.slice(index + 1)
        return verifyWebhook(payload, other, [SECRET])
      }),
    )
    expect(accepted).toEqual([...valid].map(() => false))
  })

  test('that is undefined is wrong, and so is an undefined secret', async () => {
    expect(await verifyWebhook(payload, undefined, [SECRET])).toBe(false)
    expect(await verifyWebhook(payload, valid, [undefined])).toBe(false)
  })
})

test('the header is the one that the server reads', () => {
  expect(WEBHOOK_SIGNATURE_HEADER).toBe(serverSide.WEBHOOK_HEADER)
})

test('signWebhook refuses a missing secret with a sentence', async () => {
  await expect(signWebhook('{}', '')).rejects.toThrow('signWebhook needs the secret of the webhooks')
})

test('the entry uses Web Crypto alone', async () => {
  const { outputs } = await Bun.build({
    entrypoints: [`${import.meta.dir}/../../sdk/webhooks.ts`],
    target: 'browser',
    external: ['*'],
  })
  expect(await outputs[0]!.text()).not.toMatch(/require\(|node:|Buffer|process/)
})
