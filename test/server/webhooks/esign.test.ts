import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { signWebhook } from '../../../server/providers/signing/setu/signature'
import { sendRequest, createDraft, signInUser, type TestResponse } from '../../support/users'
import { testServer } from '../../support/server'
import { enveloped } from '../http/forms'
import { MISSING, signingProvider, signs, start } from '../agreements/signing/provider'

const provider = signingProvider()
const it = testServer({ env: provider.env, poolSize: 20 })
const named = testServer({ env: { ...provider.env, ESIGN_WEBHOOK_HEADER: 'x-esign-proof' } })
const turning = testServer({
  env: { ...provider.env, ESIGN_WEBHOOK_SECRET_SECONDARY: 'the secret that is on its way' },
})
const seen = ({ status, body }: TestResponse) => [status, body]
const received = [200, { success: true, data: { message: expect.any(String) } }]
const deliveries = (payload: unknown) =>
  getKysely(it.em())
    .selectFrom('webhook_deliveries')
    .where('payload', '=', typeof payload === 'string' ? payload : JSON.stringify(payload))
    .select(['outcome', 'processed_at'])
    .execute()

/** An agreement that waits for the tenant alone. */
async function waiting({ url } = it) {
  const owner = await signInUser(url)
  const tenant = await signInUser(url)
  const { agreement } = await createDraft(owner, [tenant])
  await signs(provider, url, owner, agreement, owner)
  const {
    body: { data },
  } = await start(owner, agreement, tenant)
  const id: string = data.signature_id
  return {
    owner,
    tenant,
    agreement,
    id,
    request: provider.of(id),
    signature: async () =>
      (await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data.signatures.find(
        (each: any) => each.signer_id === tenant.id,
      ),
    status: async () => (await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status,
    activities: (type: string) =>
      getKysely(it.em())
        .selectFrom('activities')
        .where('entity_type', '=', 'agreement')
        .where('entity_id', '=', agreement.id)
        .where('type', '=', type)
        .select('user_id')
        .execute(),
  }
}

describe('401: a webhook whose signature is', () => {
  for (const [name, options] of [
    ['missing', { signature: null }],
    ['empty', { signature: '' }],
    ['of another secret', { secret: 'x' }],
    ['of another payload', { signature: 'q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng=' }],
    ['in another header', { header: 'x-signature' }],
    ['no base64', { signature: '💥'.codePointAt(0)!.toString() }],
  ] as const) {
    test(`${name} is not looked at`, async () => {
      const { request, signature, status } = await waiting()
      provider.becomes(request.documentId, { status: 'sign_complete', signerStatus: 'signed' })
      for (const payload of [provider.news('ESIGN_COMPLETE', request, { nonce: name }), 'garbage', '']) {
        expect(seen(await provider.webhook(it.url, payload, options))).toEqual([401, enveloped(401)])
        expect(await deliveries(payload)).toEqual([])
      }
      expect([(await signature()).status, await status()]).toEqual(['pending', 'PENDING'])
    })
  }

  test('right in the configured header counts, in the default one not', async () => {
    const { request, status } = await waiting(named)
    const payload = provider.news('ESIGN_EXPIRED', request)
    expect((await provider.webhook(named.url, payload)).status).toBe(401)
    expect((await provider.webhook(named.url, payload, { header: 'X-Esign-Proof' })).status).toBe(200)
    expect(await status()).toBe('PENDING')
  })
})

describe('while the secret is being changed', () => {
  test('a webhook by either of the two counts, by a third none', async () => {
    const { request, status } = await waiting(turning)
    for (const secret of ['the secret of the day before yesterday', ''])
      expect(
        (
          await provider.webhook(turning.url, provider.news('ESIGN_INITIATED', request, { nonce: secret }), {
            secret,
          })
        ).status,
      ).toBe(401)
    provider.becomes(request.documentId, { status: 'sign_complete', signerStatus: 'signed' })
    expect(
      (
        await provider.webhook(turning.url, provider.news('ESIGN_COMPLETE', request), {
          secret: 'the secret that is on its way',
        })
      ).status,
    ).toBe(200)
    expect(await status()).toBe('ACTIVE')
    expect(
      (await provider.webhook(turning.url, provider.news('ESIGN_COMPLETE', request, { nonce: 'again' })))
        .status,
    ).toBe(200)
  })
})

describe('200: a webhook with a right signature', () => {
  test('about a request that nobody knows', async () => {
    for (const documentId of [MISSING, 'x', '', undefined, "' or 1=1"])
      expect(
        seen(
          await provider.webhook(
            it.url,
            provider.news('ESIGN_COMPLETE', { id: crypto.randomUUID(), documentId }),
          ),
        ),
      ).toEqual(received)
  })

  for (const payload of [
    '',
    ' ',
    'x',
    'null',
    '[]',
    '{}',
    '"text"',
    '1e400',
    '{"event":null}',
    '{"__proto__":{"event":"ESIGN_COMPLETE"}}',
    '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":{}}}}',
    '{"event":"constructor","data":{"esign":{"id":"x"}}}',
    '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":"\\u0000"}}}',
    '{"event":"ESIGN_COMPLETE","data":{"esign":{"id":"\\ud800"}}}',
    '['.repeat(20_000),
  ]) {
    test(`with garbage: ${JSON.stringify(payload.slice(0, 70))}`, async () => {
      expect(seen(await provider.webhook(it.url, payload))).toEqual(received)
    })
  }

  test('is stored as it came, with what became of it', async () => {
    const { request } = await waiting()
    const payload = ` ${JSON.stringify(provider.news('ESIGN_EXPIRED', request))}\n`
    await provider.webhook(it.url, payload)
    expect(await deliveries(payload)).toEqual([{ outcome: 'expired', processed_at: expect.any(String) }])
  })

  test('counts whatever its content type', async () => {
    const { request, signature } = await waiting()
    const body = JSON.stringify(provider.news('ESIGN_EXPIRED', request))
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-8',
      'nonsense',
    ]) {
      expect(
        (
          await sendRequest(it.url, 'POST', '/webhooks/esign', {
            body,
            headers: {
              'content-type': type,
              'x-setu-signature': signWebhook(body, provider.env.ESIGN_WEBHOOK_SECRET),
            },
          })
        ).status,
      ).toBe(200)
    }
    expect((await signature()).status).toBe('expired')
  })

  test('needs no token, and a wrong one is no hindrance', async () => {
    const { request } = await waiting()
    const body = JSON.stringify(provider.news('ESIGN_REQUEST_CREATED', request))
    expect(
      (
        await sendRequest(it.url, 'POST', '/webhooks/esign', {
          body,
          token: 'x',
          headers: { 'x-setu-signature': signWebhook(body, provider.env.ESIGN_WEBHOOK_SECRET) },
        })
      ).status,
    ).toBe(200)
  })
})

describe('an outcome', () => {
  for (const [event, errCode, status, reason] of [
    ['ESIGN_REQUEST_CREATED', null, 'pending', null],
    ['ESIGN_OTP_FAILED', 'invaild_otp', 'pending', null],
    ['ESIGN_FAILED', 'otp_expired', 'pending', null],
    ['ESIGN_FAILED', 'service_down', 'pending', null],
    ['ESIGN_FAILED', 'a\0b', 'pending', null],
    ['ESIGN_EXPIRED', null, 'expired', null],
    ['ESIGN_FAILED', 'signer_declined', 'declined', 'signer_declined'],
    ['ESIGN_FAILED', null, 'declined', expect.any(String)],
    ['ESIGN_WEBHOOK_NOTIFICATION', 'signer_declined', 'declined', 'signer_declined'],
  ] as const) {
    test(`${event} ${JSON.stringify(errCode)}: ${status}`, async () => {
      const { id, request, signature, agreement } = await waiting()
      expect(seen(await provider.webhook(it.url, provider.news(event, request, { errCode })))).toEqual(
        received,
      )
      expect(await signature()).toMatchObject({ signature_id: id, status, decline_reason: reason })
      const [{ last_error }] = (await getKysely(it.em())
        .selectFrom('agreement_signatures')
        .where('signature_id', '=', id)
        .select('last_error')
        .execute()) as any
      expect(last_error).toBe(status === 'pending' ? (errCode?.replace('\0', '') ?? null) : null)
      expect(
        (
          await getKysely(it.em())
            .selectFrom('agreements')
            .where('id', '=', agreement.id)
            .select('status')
            .executeTakeFirst()
        )?.status,
      ).toBe('PENDING')
    })
  }

  for (const [event, more] of [
    ['ESIGN_COMPLETE', {}],
    ['ESIGN_WEBHOOK_NOTIFICATION', { status: 'sign_complete' }],
    ['ESIGN_FAILED', { errCode: 'document_already_signed' }],
  ] as const) {
    test(`${event} ${JSON.stringify(more)} is read back from the provider before it counts`, async () => {
      const { request, signature, status } = await waiting()
      expect(
        (await provider.webhook(it.url, provider.news(event, request, { ...more, nonce: 1 }))).status,
      ).toBe(200)
      expect([(await signature()).status, await status()]).toEqual(['pending', 'PENDING'])
      provider.becomes(request.documentId, { status: 'sign_complete', signerStatus: 'signed' })
      expect(
        (await provider.webhook(it.url, provider.news(event, request, { ...more, nonce: 2 }))).status,
      ).toBe(200)
      expect([(await signature()).status, await status()]).toEqual(['signed', 'ACTIVE'])
    })
  }

  test('the same delivery twice, or at once, is acted upon once', async () => {
    const { request, status, activities } = await waiting()
    provider.becomes(request.documentId, { status: 'sign_complete', signerStatus: 'signed' })
    const payload = provider.news('ESIGN_COMPLETE', request)
    const answers = await Promise.all(Array.from({ length: 8 }, () => provider.webhook(it.url, payload)))
    expect(answers.map(answer => answer.status)).toEqual(Array(8).fill(200))
    expect((await provider.webhook(it.url, payload)).body.data.message).toBe('Already processed')
    expect(await deliveries(payload)).toHaveLength(1)
    expect(await status()).toBe('ACTIVE')
    expect(await activities('agreement_activated')).toHaveLength(2)
    expect(await activities('agreement_signed')).toHaveLength(4)
  })

  test('SIGNED never goes back', async () => {
    const { request, signature, status } = await waiting()
    provider.becomes(request.documentId, { status: 'sign_complete', signerStatus: 'signed' })
    await provider.webhook(it.url, provider.news('ESIGN_COMPLETE', request))
    for (const [event, errCode] of [
      ['ESIGN_FAILED', 'signer_declined'],
      ['ESIGN_EXPIRED', null],
      ['ESIGN_REQUEST_CREATED', null],
      ['ESIGN_OTP_FAILED', 'otp_expired'],
    ] as const) {
      expect(
        (
          await provider.webhook(
            it.url,
            provider.news(event, request, { errCode, signerStatus: 'pending', status: 'sign_pending' }),
          )
        ).status,
      ).toBe(200)
    }
    expect([(await signature()).status, await status()]).toEqual(['signed', 'ACTIVE'])
  })

  test('of an agreement that was terminated or deleted meanwhile does not bring it back', async () => {
    const { owner, agreement, request, status } = await waiting()
    await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})
    provider.becomes(request.documentId, {
      status: 'sign_complete',
      signerStatus: 'signed',
      cancelled: false,
    })
    expect((await provider.webhook(it.url, provider.news('ESIGN_COMPLETE', request))).status).toBe(200)
    expect(await status()).toBe('TERMINATED')
    expect((await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data.allSigned).toBe(
      false,
    )
    const deleted = await waiting()
    await getKysely(it.em())
      .updateTable('agreements')
      .set({ is_active: false })
      .where('id', '=', deleted.agreement.id)
      .execute()
    for (const event of ['ESIGN_OTP_FAILED', 'ESIGN_EXPIRED', 'ESIGN_COMPLETE'])
      expect((await provider.webhook(it.url, provider.news(event, deleted.request))).status).toBe(200)
  })
})

describe('whatever the order of deliveries', () => {
  const shuffled = <T>(items: T[]) =>
    items
      .map(item => [Math.random(), item] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, item]) => item)
  const never = ['ESIGN_REQUEST_CREATED', 'ESIGN_OTP_FAILED', 'ESIGN_OTP_FAILED'].map(
    (event, nonce) =>
      [event, { nonce, errCode: event === 'ESIGN_OTP_FAILED' ? 'otp_expired' : null }] as const,
  )
  for (const [final, outcomes, agreementStatus] of [
    [
      'signed',
      [
        ['ESIGN_COMPLETE', { nonce: 'c' }],
        ['ESIGN_FAILED', { errCode: 'signer_declined', nonce: 'd' }],
        ['ESIGN_EXPIRED', { nonce: 'e' }],
      ],
      'ACTIVE',
    ],
    [
      'declined',
      [
        ['ESIGN_FAILED', { errCode: 'signer_declined', nonce: 'd' }],
        ['ESIGN_EXPIRED', { nonce: 'e' }],
      ],
      'PENDING',
    ],
    ['expired', [['ESIGN_EXPIRED', { nonce: 'e' }]], 'PENDING'],
    ['pending', [], 'PENDING'],
  ] as const) {
    test(`in the end it is ${final}`, async () => {
      await Promise.all(
        Array.from({ length: 10 }, async (_, round) => {
          const { request, signature, status, activities } = await waiting()
          if (final === 'signed')
            provider.becomes(request.documentId, { status: 'sign_complete', signerStatus: 'signed' })
          const news = shuffled([...never, ...outcomes, ...outcomes]).map(([event, more]) =>
            provider.news(event, request, { ...more, status: 'sign_pending', signerStatus: 'pending' }),
          )
          if (round % 2) await Promise.all(news.map(payload => provider.webhook(it.url, payload)))
          else for (const payload of news) expect((await provider.webhook(it.url, payload)).status).toBe(200)
          expect([(await signature()).status, await status()]).toEqual([final, agreementStatus])
          expect(await activities('agreement_activated')).toHaveLength(final === 'signed' ? 2 : 0)
        }),
      )
    })
  }
})
