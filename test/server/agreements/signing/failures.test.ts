import { beforeAll, describe, expect, test } from 'bun:test'
import { query } from '../../../../db/orm'
import { processCancellations } from '../../../../server/agreements/signature-status'
import { reconcileSignatures } from '../../../../server/jobs/reconcile'
import { createDraft, signInUser, type TestResponse } from '../../../support/users'
import { clock, server } from '../../../support/server'
import { enveloped } from '../../http/forms'
import { signingProvider, signs, signsAt, start } from './provider'

const provider = signingProvider()
const time = clock()
const it = server({
  env: {
    ...provider.env,
    PROVIDER_TIMEOUT_MS: '200',
    PROVIDER_TOTAL_TIMEOUT_MS: '600',
    PROVIDER_RETRIES: '0',
  },
  overrides: { now: time.now },
})
const patient = server({
  env: {
    ...provider.env,
    PROVIDER_TIMEOUT_MS: '2000',
    PROVIDER_TOTAL_TIMEOUT_MS: '20000',
    PROVIDER_RETRIES: '2',
  },
})
const lost = server({ env: { ...provider.env, ESIGN_API_URL: 'http://127.0.0.1:1', PROVIDER_RETRIES: '0' } })
const seen = ({ status, body }: TestResponse) => [status, body]
async function simple({ url } = it, more: Record<string, unknown> = {}) {
  const owner = await signInUser(url)
  const tenant = await signInUser(url)
  return { owner, tenant, ...(await createDraft(owner, [tenant], more)) }
}
const withoutUrl = () =>
  Response.json({
    id: crypto.randomUUID(),
    status: 'sign_initiated',
    signers: [{ id: 's', status: 'pending' }],
  })

const failures: Record<string, () => Response | Promise<Response>> = {
  'refuses the credentials': () =>
    Response.json({ error: { code: 'unauthorized', detail: 'hush', traceId: 'x' } }, { status: 401 }),
  'refuses the document': () =>
    Response.json(
      { error: { code: 'invalid_request', detail: 'no such document', traceId: 'x' } },
      { status: 400 },
    ),
  'does not know': () =>
    Response.json({ error: { code: 'not_found', detail: '', traceId: 'x' } }, { status: 404 }),
  fails: () =>
    Response.json({ error: { code: 'internal_server_error', detail: '', traceId: 'x' } }, { status: 500 }),
  'is overloaded': () => new Response(null, { status: 429, headers: { 'retry-after': '0' } }),
  'is down': () => new Response(null, { status: 503 }),
  'answers with HTML': () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  'answers with other JSON': () => Response.json({ ok: true }),
  'answers null': () => Response.json(null),
  'answers 204': () => new Response(null, { status: 204 }),
  'names no signer': () => Response.json({ id: 'x', status: 'sign_initiated', signers: [] }),
  'gives no address': withoutUrl,
  'gives an empty address': () =>
    Response.json({
      id: crypto.randomUUID(),
      status: 'sign_initiated',
      signers: [{ id: 's', status: 'pending', url: '' }],
    }),
  'gives ids that no column holds': () =>
    Response.json({
      id: 'x'.repeat(300),
      status: 'sign_initiated',
      signers: [{ id: 's', status: 'pending', url: 'https://sign.example.com/x' }],
    }),
  "gives a signer's id that no column holds": () =>
    Response.json({
      id: 'x',
      status: 'sign_initiated',
      signers: [{ id: 's'.repeat(300), status: 'pending', url: 'https://sign.example.com/x' }],
    }),
  'sends a NUL': () =>
    Response.json({
      id: 'x\0',
      status: 'sign_initiated',
      signers: [{ id: 's', status: 'pending', url: 'https://sign.example.com/\0' }],
    }),
  'says that it ends when no calendar does': () =>
    Response.json({
      id: crypto.randomUUID(),
      status: 'sign_initiated',
      validUpto: '+275760-01-01T00:00:00Z',
      signers: [{ id: 's', status: 'pending', url: 'https://sign.example.com/x' }],
    }),
  'gives the id of another request': () =>
    Response.json({
      id: 'taken',
      status: 'sign_initiated',
      signers: [{ id: 's', status: 'pending', url: 'https://sign.example.com/x' }],
    }),
  'does not answer in time': () => Bun.sleep(900).then(withoutUrl),
  'stops in the middle of its answer': () =>
    new Response(new ReadableStream({ start: controller => controller.enqueue('{"id":') })),
}

describe('503: a start when the provider', () => {
  beforeAll(async () => {
    const { tenant, agreement } = await simple()
    await query(it.em())
      .insertInto('agreement_signatures')
      .values({
        agreement_id: agreement.id,
        signer_id: tenant.id,
        signer_role: 'TENANT',
        provider: 'setu',
        provider_request_id: 'taken',
        expires_at: time.now(),
      })
      .execute()
  })

  for (const [name, fail] of Object.entries(failures)) {
    test(`${name}: the agreement is as it was, and it succeeds later`, async () => {
      const { owner, tenant, agreement } = await simple()
      provider.replies.create = fail
      const answer = await start(owner, agreement, tenant)
      expect(seen(answer)).toEqual([503, enveloped(503)])
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(answer.body.error.message).not.toContain('hush')
      expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data).toEqual(agreement)
      expect((await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data).toEqual({
        signatures: [],
        allSigned: false,
      })
      expect((await owner.call('PATCH', `/agreements/${agreement.id}`, { rent_amount: 26000 })).status).toBe(
        200,
      )
      delete provider.replies.create
      expect((await start(owner, agreement, tenant)).status).toBe(200)
    })
  }

  test('cannot be reached', async () => {
    const { owner, tenant, agreement } = await simple(lost)
    expect(seen(await start(owner, agreement, tenant))).toEqual([503, enveloped(503)])
    expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data).toEqual(agreement)
  })

  test('fails for all that ask at once', async () => {
    const { owner, tenant, agreement } = await simple()
    provider.replies.create = () => Bun.sleep(50).then(() => new Response(null, { status: 500 }))
    const answers = await Promise.all(Array.from({ length: 6 }, () => start(owner, agreement, tenant)))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(503))
    expect((await owner.call('DELETE', `/agreements/${agreement.id}`)).status).toBe(200)
  })

  test('fails for one party, the others go on', async () => {
    const { owner, tenant, agreement } = await simple()
    await signs(provider, it.url, owner, agreement, owner)
    provider.replies.create = () => new Response(null, { status: 500 })
    expect((await start(owner, agreement, tenant)).status).toBe(503)
    expect((await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data).toMatchObject({
      allSigned: false,
      signatures: [{ status: 'signed' }],
    })
    expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('PENDING')
  })
})

describe('a create', () => {
  for (const [status, tries] of [
    [400, 1],
    [401, 1],
    [408, 1],
    [500, 1],
    [502, 1],
    [504, 1],
    [429, 3],
    [503, 3],
  ] as const) {
    test(`answered ${status} is tried ${tries === 1 ? 'once: it may have happened' : `${tries} times: it cannot have happened`}`, async () => {
      const document_url = `https://example.com/tries-${status}.pdf`
      const { owner, tenant, agreement } = await simple(patient, { document_url })
      provider.replies.create = () => new Response(null, { status, headers: { 'retry-after': '0' } })
      expect((await start(owner, agreement, tenant)).status).toBe(503)
      const sent = provider.creates(document_url)
      expect([sent.length, new Set(sent.map(({ body }) => body.documentId)).size]).toEqual([tries, 1])
    })
  }

  test('that is not answered in time is tried once', async () => {
    const document_url = 'https://example.com/late.pdf'
    const { owner, tenant, agreement } = await simple(it, { document_url })
    provider.replies.create = failures['does not answer in time']
    expect((await start(owner, agreement, tenant)).status).toBe(503)
    expect(provider.creates(document_url)).toHaveLength(1)
  })

  test('that succeeds at the second try is one request with one answer', async () => {
    const { owner, tenant, agreement } = await simple(patient)
    provider.replies.create = () => {
      delete provider.replies.create
      return new Response(null, { status: 503, headers: { 'retry-after': '0' } })
    }
    expect((await start(owner, agreement, tenant)).status).toBe(200)
  })
})

describe('a request whose answer was lost', () => {
  test('is known by its documentId when its webhook comes, and cancelled', async () => {
    const { owner, tenant, agreement } = await simple()
    let documentId = ''
    provider.replies.create = async () => {
      documentId = provider.creates().at(-1)!.body.documentId
      provider.kept.set(`orphan-${documentId}`, {
        id: `orphan-${documentId}`,
        documentId,
        signer: { identifier: tenant.phone, displayName: '' },
        status: 'sign_initiated',
        signerStatus: 'pending',
        errCode: null,
        cancelled: false,
      })
      return new Response(null, { status: 500 })
    }
    expect((await start(owner, agreement, tenant)).status).toBe(503)
    expect(
      (await provider.webhook(it.url, provider.news('ESIGN_REQUEST_CREATED', provider.of(documentId))))
        .status,
    ).toBe(200)
    expect(provider.of(documentId).cancelled).toBe(true)
    expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('DRAFT')
  })

  test('is cancelled too when a second try was answered', async () => {
    const { owner, tenant, agreement } = await simple()
    const {
      body: { data },
    } = await start(owner, agreement, tenant)
    const real = provider.of(data.signature_id)
    const twin = { ...real, id: `twin-${real.id}` }
    provider.kept.set(twin.id, twin)
    await provider.webhook(
      it.url,
      provider.news('ESIGN_COMPLETE', twin, { signerStatus: 'signed', status: 'sign_complete' }),
    )
    expect([provider.kept.get(twin.id)!.cancelled, provider.kept.get(real.id)!.cancelled]).toEqual([
      true,
      false,
    ])
    expect(
      (await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data.signatures,
    ).toMatchObject([{ status: 'pending' }])
  })

  test('never finished by a server that died gives way when its time is over', async () => {
    const { owner, tenant, agreement } = await simple()
    const claim = (expires_at: Date) =>
      query(it.em())
        .insertInto('agreement_signatures')
        .values({
          agreement_id: agreement.id,
          signer_id: tenant.id,
          signer_role: 'TENANT',
          provider: 'setu',
          expires_at,
        })
        .execute()
    await claim(time.now())
    expect((await start(owner, agreement, tenant)).status).toBe(200)
    expect(
      (await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data.signatures,
    ).toHaveLength(1)
  })
})

describe('503: a webhook of a completion when the provider', () => {
  for (const name of [
    'fails',
    'does not know',
    'answers with HTML',
    'names no signer',
    'does not answer in time',
  ] as const) {
    test(`${name} at the reading back: nothing is changed, and the next delivery counts`, async () => {
      const { owner, tenant, agreement } = await simple()
      await signs(provider, it.url, owner, agreement, owner)
      const {
        body: { data },
      } = await start(owner, agreement, tenant)
      provider.replies.read = failures[name]
      expect(seen(await signsAt(provider, it.url, data.signature_id))).toEqual([503, enveloped(503)])
      expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('PENDING')
      delete provider.replies.read
      expect((await signsAt(provider, it.url, data.signature_id)).status).toBe(200)
      expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('ACTIVE')
    })
  }
})

test('ACTIVE holds when the spare signature cannot be cancelled at the provider', async () => {
  const { owner, tenant, property, unit, agreement } = await simple()
  const manager = await signInUser(it.url)
  await owner.call('PATCH', `/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  await start(owner, agreement, manager)
  provider.replies.cancel = () => new Response(null, { status: 500 })
  for (const each of [owner, tenant]) await signs(provider, it.url, owner, agreement, each)
  expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('ACTIVE')
})

test('a party who signs while a cancellation is refused by the provider has signed', async () => {
  const { owner, tenant, agreement } = await simple()
  await signs(provider, it.url, owner, agreement, owner)
  const {
    body: { data },
  } = await start(owner, agreement, tenant)
  provider.becomes(data.signature_id, { status: 'sign_complete', signerStatus: 'signed' })
  provider.replies.cancel = () =>
    Response.json({ error: { code: 'document_already_signed', detail: 'x', traceId: 'x' } }, { status: 400 })
  expect(
    (await owner.call('POST', `/agreements/${agreement.id}/signatures/${data.signature_id}/cancel`)).status,
  ).toBe(200)
  expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('ACTIVE')
})

describe('an agreement that everyone has signed does not stay PENDING', () => {
  const status = async ({ owner, agreement }: Awaited<ReturnType<typeof simple>>) =>
    (await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status
  const almost = async () => {
    const its = await simple()
    const { owner, tenant, agreement } = its
    await signs(provider, it.url, owner, agreement, owner)
    const {
      body: { data },
    } = await start(owner, agreement, tenant)
    return { ...its, id: data.signature_id as string }
  }

  test.each([['ESIGN_FAILED'], ['ESIGN_EXPIRED']])(
    'where the last signature is not told of, and a stale %s is',
    async event => {
      const its = await almost()
      const stale = provider.news(event, provider.of(its.id))
      provider.becomes(its.id, { status: 'sign_complete', signerStatus: 'signed' })
      expect((await provider.webhook(it.url, stale)).status).toBe(200)
      expect(await status(its)).toBe('ACTIVE')
    },
  )

  test('where the provider says so only after it has told of a refusal', async () => {
    const its = await almost()
    await provider.webhook(it.url, provider.news('ESIGN_FAILED', provider.of(its.id)))
    expect(await status(its)).toBe('PENDING')
    provider.becomes(its.id, { status: 'sign_complete', signerStatus: 'signed' })
    await query(it.em())
      .updateTable('agreement_signatures')
      .set({ next_check_at: new Date(0) })
      .where('agreement_id', '=', its.agreement.id)
      .execute()
    await reconcileSignatures(it.deps)
    expect(await status(its)).toBe('ACTIVE')
  })

  test('where it is signed while its cancellation could not be told', async () => {
    const its = await almost()
    provider.replies.cancel = () => new Response('x', { status: 500 })
    await its.owner.call('POST', `/agreements/${its.agreement.id}/signatures/${its.id}/cancel`)
    delete provider.replies.cancel
    provider.becomes(its.id, { status: 'sign_complete', signerStatus: 'signed' })
    await query(it.em())
      .updateTable('signing_cancellations')
      .set({ due_at: new Date(0) })
      .where('agreement_id', '=', its.agreement.id)
      .execute()
    await processCancellations(it.deps)
    expect([await status(its), provider.of(its.id).cancelled]).toEqual(['ACTIVE', false])
  })

  test('where one party signs two requests the first counts, and the second changes nothing', async () => {
    const its = await almost()
    const { owner, tenant, agreement } = its
    provider.replies.cancel = () => new Response('x', { status: 500 })
    await owner.call('POST', `/agreements/${agreement.id}/signatures/${its.id}/cancel`)
    await signs(provider, it.url, owner, agreement, tenant)
    expect(await status(its)).toBe('ACTIVE')
    expect((await signsAt(provider, it.url, its.id)).status).toBe(200)
    const { signatures } = (await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data
    expect(signatures.map((each: { status: string }) => each.status)).toEqual(['signed', 'signed'])
  })
})

test('503: an address to sign at that is none of the web', async () => {
  const { owner, tenant, agreement } = await simple()
  provider.replies.create = () =>
    Response.json({
      id: crypto.randomUUID(),
      status: 'sign_initiated',
      signers: [{ id: 's', status: 'pending', url: 'javascript:alert(1)' }],
    })
  expect((await start(owner, agreement, tenant)).status).toBe(503)
})

test('news of a request whose answer has not come are decided when it is given up', async () => {
  const { owner, tenant, agreement } = await simple()
  let orphan = ''
  provider.replies.create = async () => {
    orphan = crypto.randomUUID()
    const { documentId } = provider.creates().at(-1)!.body
    provider.kept.set(orphan, {
      id: orphan,
      documentId,
      signer: { identifier: tenant.phone, displayName: 'x' },
      status: 'sign_initiated',
      signerStatus: 'pending',
      errCode: null,
      cancelled: false,
    })
    expect(
      (await provider.webhook(it.url, provider.news('ESIGN_REQUEST_CREATED', provider.kept.get(orphan)!)))
        .status,
    ).toBe(200)
    return new Response('x', { status: 500 })
  }
  expect((await start(owner, agreement, tenant)).status).toBe(503)
  expect(provider.kept.get(orphan)!.cancelled).toBe(true)
})
