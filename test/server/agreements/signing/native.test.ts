import { beforeEach, describe, expect, test } from 'bun:test'
import { query } from '../../../../db/orm'
import { createDraft, signInUser, type TestResponse, type TestUser } from '../../../support/users'
import { clock, server } from '../../../support/server'
import { enveloped } from '../../http/forms'
import { LEASE, nativeProvider } from './native-provider'
import { start } from './provider'

const provider = nativeProvider()
const time = clock()
const it = server({
  env: {
    ...provider.env,
    PROVIDER_TIMEOUT_MS: '1000',
    PROVIDER_TOTAL_TIMEOUT_MS: '2000',
    PROVIDER_RETRIES: '0',
  },
  overrides: { now: time.now },
})
const patient = server({
  env: { ...provider.env, PROVIDER_RETRIES: '2', PROVIDER_TOTAL_TIMEOUT_MS: '20000' },
})
const hurried = server({
  env: {
    ...provider.env,
    PROVIDER_TIMEOUT_MS: '600',
    PROVIDER_TOTAL_TIMEOUT_MS: '700',
    PROVIDER_RETRIES: '0',
  },
})

type Lease = Awaited<ReturnType<typeof lease>>
let names = 0
async function lease(
  { url } = it,
  { tenants: howMany = 1, ...more }: { tenants?: number } & Record<string, unknown> = {},
) {
  const owner = await signInUser(url)
  const tenants: TestUser[] = []
  for (let n = 0; n < howMany; n++) tenants.push(await signInUser(url))
  return {
    owner,
    tenants,
    tenant: tenants[0]!,
    ...(await createDraft(owner, tenants, {
      document_url: provider.document_url(`lease-${++names}`),
      ...more,
    })),
  }
}
const asked = ({ phone }: TestUser) =>
  provider.requests.filter(({ signers }) => signers.some(({ identifier }) => identifier === phone))
const uploaded = (documentId: string) => provider.uploads.get(documentId)!
const signed = (...people: TestUser[]) =>
  [LEASE, ...people.map(({ phone }) => `signed by ${phone}`)].join('\n')
const agreementOf = async ({ owner, agreement }: Lease) =>
  (await owner.call('GET', `/agreements/${agreement.id}`)).body.data
const signaturesOf = async ({ owner, agreement }: Lease) =>
  (await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data
const rowsOf = ({ agreement }: Lease, { em } = it) =>
  query(em())
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreement.id)
    .orderBy('id')
    .select(['status', 'provider', 'provider_request_id', 'provider_signature_id', 'last_error'])
    .execute()
const seen = ({ status, body }: TestResponse) => [status, body]

/** Both have been asked, by one request. */
async function both(server = it, more?: Parameters<typeof lease>[1]) {
  const its = await lease(server, more)
  const answers = [
    await start(its.owner, its.agreement, its.owner),
    await start(its.owner, its.agreement, its.tenant),
  ]
  return { ...its, answers, requestId: asked(its.owner)[0]!.id }
}
/** Somebody signs at the provider, which tells of it. */
async function signs(person: TestUser, requestId: string, { url } = it) {
  provider.becomes(requestId, person, { status: 'signed', errCode: null })
  return provider.tell(url, requestId)
}
async function declines(person: TestUser, requestId: string) {
  provider.becomes(requestId, person, { errCode: 'signer_declined' })
  return provider.tell(it.url, requestId, { event: 'ESIGN_FAILED' })
}

describe('one request asks all parties', () => {
  test('the document is uploaded with the credentials, and each party is asked in the order in which they sign', async () => {
    const {
      owner,
      tenants: [first, second],
      agreement,
    } = await lease(it, { tenants: 2 })
    const {
      body: { data },
    } = await start(owner, agreement, owner)
    const [request, ...others] = asked(owner)
    const { name, content, headers } = uploaded(request!.documentId)
    expect({ name, content, others }).toEqual({
      name: `${data.signature_id}.pdf`,
      content: LEASE,
      others: [],
    })
    expect(
      ['x-client-id', 'x-client-secret', 'x-product-instance-id'].map(header => headers.get(header)),
    ).toEqual(['client', 'hush', 'product'])
    expect(provider.creates.find(({ documentId }) => documentId === request!.documentId)).toEqual({
      documentId: request!.documentId,
      redirectUrl: 'https://api.example.com/signed',
      signers: [owner, first!, second!].map(({ phone }, index) => ({
        identifier: phone,
        displayName: phone,
        signature: {
          onPages: ['all'],
          position: ['top-left', 'bottom-right', 'bottom-left'][index],
          height: 60,
          width: 180,
        },
      })),
    })
    expect(data).toEqual({
      signature_id: data.signature_id,
      signing_url: provider.signerOf(request!.id, owner).url,
      expires_at: new Date(time.now().getTime() + 72 * 3_600_000).toISOString(),
      status: 'pending',
    })
  })

  test("the second party's start answers its own address in the same request", async () => {
    const its = await both()
    const { owner, tenant, answers, requestId } = its
    expect(answers.map(({ body }) => body.data.signing_url)).toEqual(
      [owner, tenant].map(person => provider.signerOf(requestId, person).url),
    )
    expect(asked(tenant).map(({ id }) => id)).toEqual([requestId])
    expect(await rowsOf(its)).toEqual(
      [owner, tenant].map(person => ({
        status: 'PENDING',
        provider: 'setu-native',
        provider_request_id: requestId,
        provider_signature_id: provider.signerOf(requestId, person).id,
        last_error: null,
      })),
    )
  })

  test('of parties that start at the same time one makes the request', async () => {
    const { owner, tenants, agreement } = await lease(it, { tenants: 3 })
    const people = [owner, ...tenants]
    const answers = await Promise.all(people.map(person => start(owner, agreement, person)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(asked(owner)).toHaveLength(1)
    expect(answers.map(({ body }) => body.data.signing_url)).toEqual(
      people.map(person => provider.signerOf(asked(owner)[0]!.id, person).url),
    )
  })

  test('ACTIVE once when all have signed, with the one document that bears all signatures', async () => {
    const its = await both()
    const { owner, tenant, agreement, requestId } = its
    const before = provider.unlocked.length
    expect((await signs(tenant, requestId)).status).toBe(200)
    expect([(await agreementOf(its)).status, await signaturesOf(its)]).toMatchObject([
      'PENDING',
      { allSigned: false, signatures: [{ status: 'pending' }, { status: 'signed' }] },
    ])
    expect((await signs(owner, requestId)).status).toBe(200)
    expect([(await agreementOf(its)).status, await signaturesOf(its)]).toMatchObject([
      'ACTIVE',
      { allSigned: true },
    ])
    const { events } = (await owner.call('GET', `/agreements/${agreement.id}/timeline`)).body.data
    expect(events.filter(({ type }: { type: string }) => type === 'activated')).toHaveLength(1)
    expect((await owner.call('GET', `/agreements/${agreement.id}/document`)).body).toBe(signed(owner, tenant))
    for (const headers of provider.unlocked.slice(before))
      expect(
        ['x-client-id', 'x-client-secret', 'x-product-instance-id', 'authorization'].map(header =>
          headers.get(header),
        ),
      ).toEqual([null, null, null, null])
    expect(provider.deleted).not.toContain(requestId)
  })

  test('the manager signs in the place of the landlord', async () => {
    const its = await lease()
    const { owner, tenant, property, unit, agreement } = its
    const manager = await signInUser(it.url)
    await owner.call('PATCH', `/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
    await start(owner, agreement, manager)
    await start(owner, agreement, tenant)
    expect([asked(owner), asked(manager)[0]!.signers.map(({ identifier }) => identifier)]).toEqual([
      [],
      [manager.phone, tenant.phone],
    ])
    for (const person of [manager, tenant]) await signs(person, asked(manager)[0]!.id)
    expect((await agreementOf(its)).status).toBe('ACTIVE')
  })

  test('a given place is passed on for its signer', async () => {
    const { owner, agreement } = await lease()
    await start(owner, agreement, owner, {
      flexi_options: { signature_position: { page_number: 3, x: 400, y: 700, width: 120, height: 40 } },
    })
    expect(
      provider.creates
        .find(({ signers }) => signers[0].identifier === owner.phone)
        .signers.map(({ signature }: any) => signature),
    ).toEqual([
      { onPages: ['3'], position: 'top-right', width: 120, height: 40 },
      { onPages: ['all'], position: 'bottom-left', width: 180, height: 60 },
    ])
  })

  test('more parties than one request takes are asked by several', async () => {
    const its = await lease(it, { tenants: 7 })
    const { owner, tenants, agreement } = its
    const people = [owner, ...tenants]
    for (const person of people) expect((await start(owner, agreement, person)).status).toBe(200)
    expect([owner, tenants[6]!].map(person => asked(person).map(({ signers }) => signers.length))).toEqual([
      [6],
      [2],
    ])
    for (const person of people) await signs(person, asked(person)[0]!.id)
    expect((await agreementOf(its)).status).toBe('ACTIVE')
  })
})

describe('a webhook about several signers', () => {
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]
  test.each(orders)('deliveries in the order %d, %d, %d, each twice, end in ACTIVE', async (...order) => {
    const its = await both()
    const { owner, tenant, requestId } = its
    const was = [[], [tenant], [tenant, owner]].map(people =>
      provider.of(requestId).signers.map(({ url: _, ...signer }) => ({
        ...signer,
        status: people.some(({ phone }) => phone === signer.identifier) ? 'signed' : 'pending',
      })),
    )
    for (const person of [owner, tenant]) provider.becomes(requestId, person, { status: 'signed' })
    for (const index of order.flatMap(each => [each, each])) {
      const about = {
        signers: was[index]!.toReversed(),
        status: ['sign_initiated', 'sign_pending', 'sign_complete'][index],
      }
      expect((await provider.tell(it.url, requestId, { nonce: index, about })).status).toBe(200)
    }
    expect((await agreementOf(its)).status).toBe('ACTIVE')
  })

  for (const event of ['ESIGN_COMPLETE', 'ESIGN_WEBHOOK_NOTIFICATION']) {
    test(`${event} marks nobody as signed who has yet to sign`, async () => {
      const its = await both()
      const { owner, requestId } = its
      provider.becomes(requestId, owner, { status: 'signed' })
      await provider.tell(it.url, requestId, { event })
      expect([(await agreementOf(its)).status, await signaturesOf(its)]).toMatchObject([
        'PENDING',
        { signatures: [{ status: 'signed' }, { status: 'pending' }] },
      ])
    })
  }

  test('one who opens the document has viewed it, the other not', async () => {
    const its = await both()
    const { owner, tenant, agreement, requestId } = its
    provider.becomes(requestId, tenant, { status: 'in_progress' })
    await provider.tell(it.url, requestId)
    const { events } = (await owner.call('GET', `/agreements/${agreement.id}/timeline`)).body.data
    expect(
      events
        .filter(({ type }: { type: string }) => type === 'viewed')
        .map(({ actor_id }: { actor_id: number }) => actor_id),
    ).toEqual([tenant.id])
  })

  test('one who fails at the OTP can still sign', async () => {
    const its = await both()
    const { owner, tenant, requestId } = its
    provider.becomes(requestId, tenant, { errCode: 'invaild_otp' })
    await provider.tell(it.url, requestId, { event: 'ESIGN_OTP_FAILED' })
    expect((await rowsOf(its)).map(({ status, last_error }) => [status, last_error])).toEqual([
      ['PENDING', null],
      ['PENDING', 'invaild_otp'],
    ])
    for (const person of [tenant, owner]) await signs(person, requestId)
    expect((await agreementOf(its)).status).toBe('ACTIVE')
  })
})

describe('asked again', () => {
  test('after declining: a new request on the document as the others have signed it, for those who are left', async () => {
    const its = await both(it, { tenants: 2 })
    const { owner, tenant, tenants, agreement, requestId } = its
    await signs(owner, requestId)
    await declines(tenant, requestId)
    expect((await signaturesOf(its)).signatures).toMatchObject([
      { status: 'signed' },
      { status: 'declined' },
      { status: 'pending' },
    ])
    const {
      body: { data },
    } = await start(owner, agreement, tenant)
    const [, second] = asked(tenant)
    expect([
      data.signing_url,
      uploaded(second!.documentId).content,
      second!.signers.map(({ identifier }) => identifier),
    ]).toEqual([provider.signerOf(second!.id, tenant).url, signed(owner), tenants.map(({ phone }) => phone)])
    expect((await start(owner, agreement, tenants[1]!)).body.data.signing_url).toBe(
      provider.signerOf(second!.id, tenants[1]!).url,
    )
    for (const person of tenants) await signs(person, second!.id)
    expect((await agreementOf(its)).status).toBe('ACTIVE')
    expect((await owner.call('GET', `/agreements/${agreement.id}/document`)).body).toBe(
      signed(owner, ...tenants),
    )
  })

  test('however often one declines, the signatures of the others stay in the document', async () => {
    const { owner, tenant, agreement, requestId } = await both()
    await signs(owner, requestId)
    for (let times = 0; times < 5; times++) {
      await declines(tenant, asked(tenant).at(-1)!.id)
      expect((await start(owner, agreement, tenant)).status).toBe(200)
    }
    expect(
      asked(tenant)
        .slice(1)
        .map(({ documentId }) => uploaded(documentId).content),
    ).toEqual(Array(5).fill(signed(owner)))
  })

  test('where nobody has signed yet the document is that of the agreement', async () => {
    const { owner, tenant, agreement, requestId } = await both()
    await declines(tenant, requestId)
    await start(owner, agreement, tenant)
    expect(asked(tenant).map(({ documentId }) => uploaded(documentId).content)).toEqual([LEASE, LEASE])
  })

  test('where the provider gives no document before all have signed it is that of the agreement', async () => {
    const { owner, tenant, agreement, requestId } = await both()
    await signs(owner, requestId)
    await declines(tenant, requestId)
    provider.replies.download = () =>
      Response.json({ error: { code: 'document_not_signed', detail: '', traceId: '' } }, { status: 400 })
    expect((await start(owner, agreement, tenant)).status).toBe(200)
    expect(uploaded(asked(tenant)[1]!.documentId).content).toBe(LEASE)
  })

  test('503: where the provider cannot give the document that others have signed', async () => {
    const its = await both()
    const { owner, tenant, agreement, requestId } = its
    await signs(owner, requestId)
    await declines(tenant, requestId)
    provider.replies.download = () => new Response(null, { status: 500 })
    expect(seen(await start(owner, agreement, tenant))).toEqual([503, enveloped(503)])
    expect(asked(tenant)).toHaveLength(1)
    delete provider.replies.download
    expect((await start(owner, agreement, tenant)).status).toBe(200)
    expect(uploaded(asked(tenant)[1]!.documentId).content).toBe(signed(owner))
  })

  test('after the time is over: a new request, and the one that bears a signature is left to its time', async () => {
    provider.expireAt(new Date(time.now().getTime() + 60_000).toISOString())
    const its = await both()
    const { owner, tenant, agreement, requestId } = its
    await signs(owner, requestId)
    time.advance(61_000)
    provider.expireAt(undefined)
    const { status, body } = await start(owner, agreement, tenant)
    const [, second] = asked(tenant)
    expect([status, body.data.signing_url, uploaded(second!.documentId).content]).toEqual([
      200,
      provider.signerOf(second!.id, tenant).url,
      signed(owner),
    ])
    expect(provider.deleted).not.toContain(requestId)
    await signs(tenant, second!.id)
    expect((await agreementOf(its)).status).toBe('ACTIVE')
  })

  test('a request that is over and that nobody has signed is deleted', async () => {
    provider.expireAt(new Date(time.now().getTime() + 60_000).toISOString())
    const { owner, tenant, agreement } = await lease()
    await start(owner, agreement, tenant)
    time.advance(61_000)
    provider.expireAt(undefined)
    expect((await start(owner, agreement, tenant)).status).toBe(200)
    expect(asked(tenant).map(({ id }) => provider.deleted.includes(id))).toEqual([true, false])
  })

  test('ESIGN_EXPIRED ends what is not signed, and what is signed stays', async () => {
    const its = await both()
    const { owner, tenant, agreement, requestId } = its
    await signs(owner, requestId)
    await provider.tell(it.url, requestId, { event: 'ESIGN_EXPIRED' })
    expect((await signaturesOf(its)).signatures).toMatchObject([{ status: 'signed' }, { status: 'expired' }])
    expect((await start(owner, agreement, tenant)).status).toBe(200)
  })

  test('one whose signature was taken back gets the same place again', async () => {
    const its = await both()
    const { owner, tenant, agreement, answers, requestId } = its
    await owner.call(
      'POST',
      `/agreements/${agreement.id}/signatures/${answers[1]!.body.data.signature_id}/cancel`,
    )
    const again = (await start(owner, agreement, tenant)).body.data
    expect([
      again.signing_url,
      again.signature_id === answers[1]!.body.data.signature_id,
      asked(tenant).length,
    ]).toEqual([answers[1]!.body.data.signing_url, false, 1])
    for (const person of [tenant, owner]) await signs(person, requestId)
    expect((await agreementOf(its)).status).toBe('ACTIVE')
  })

  test('terminating deletes the request that nobody has signed', async () => {
    const { owner, agreement, requestId } = await both()
    await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})
    expect(provider.deleted).toContain(requestId)
  })
})

describe('400: the document at document_url', () => {
  const documents: Record<string, () => Response | Promise<Response>> = {
    'is no PDF': () => new Response('<html>', { headers: { 'content-type': 'application/pdf' } }),
    'is empty': () => new Response(''),
    'is larger than 10 MiB': () => new Response(`%PDF-${'x'.repeat(10 * 1024 * 1024)}`),
    'is not there': () => new Response('No such document', { status: 404 }),
  }
  for (const [name, document] of Object.entries(documents)) {
    test(`${name}: nothing is sent or left behind, and another one can be given`, async () => {
      const its = await lease()
      const { owner, agreement } = its
      const uploads = provider.uploads.size
      provider.replies.document = document
      expect(seen(await start(owner, agreement, owner))).toEqual([
        400,
        enveloped(400, 'document_url must lead to a PDF of at most 10 MiB at a public https address'),
      ])
      expect([
        provider.uploads.size - uploads,
        asked(owner),
        await agreementOf(its),
        await signaturesOf(its),
      ]).toEqual([0, [], agreement, { signatures: [], allSigned: false }])
      delete provider.replies.document
      expect(
        (
          await owner.call('PATCH', `/agreements/${agreement.id}`, {
            document_url: provider.document_url('another'),
          })
        ).status,
      ).toBe(200)
      expect((await start(owner, agreement, owner)).status).toBe(200)
    })
  }

  test('cannot be reached', async () => {
    const { owner, agreement } = await lease(it, { document_url: 'http://127.0.0.1:1/lease.pdf' })
    expect(seen(await start(owner, agreement, owner))).toEqual([400, enveloped(400)])
  })
})

const failures: Record<string, () => Response | Promise<Response>> = {
  'refuses the credentials': () =>
    Response.json({ error: { code: 'unauthorized', detail: 'hush', traceId: 'x' } }, { status: 401 }),
  'refuses what it is sent': () =>
    Response.json({ error: { code: 'invalid_document', detail: 'hush', traceId: 'x' } }, { status: 400 }),
  fails: () => new Response(null, { status: 500 }),
  'is down': () => new Response(null, { status: 503 }),
  'answers with HTML': () => new Response('<html>hush', { headers: { 'content-type': 'text/html' } }),
  'answers with other JSON': () => Response.json({ ok: true }),
  'answers null': () => Response.json(null),
  'stops in the middle of its answer': () =>
    new Response(new ReadableStream({ start: controller => controller.enqueue('{"id":') })),
}
describe.each(['upload', 'create'] as const)('503: a start when at the %s the provider', step => {
  for (const [name, fail] of Object.entries(failures)) {
    test(`${name}: the agreement is as it was, and it succeeds later`, async () => {
      const its = await lease()
      const { owner, agreement } = its
      provider.replies[step] = fail
      const answer = await start(owner, agreement, owner)
      expect(seen(answer)).toEqual([503, enveloped(503, 'The e-signing provider cannot be reached')])
      expect([await agreementOf(its), await signaturesOf(its), asked(owner)]).toEqual([
        agreement,
        { signatures: [], allSigned: false },
        [],
      ])
      expect(await rowsOf(its)).toEqual([
        {
          status: 'EXPIRED',
          provider: 'setu-native',
          provider_request_id: null,
          provider_signature_id: null,
          last_error: 'not_sent',
        },
      ])
      delete provider.replies[step]
      expect((await start(owner, agreement, owner)).status).toBe(200)
    })
  }
})

describe('503: a start when the provider', () => {
  const created = (more: Record<string, unknown>) => () =>
    Response.json(
      {
        id: crypto.randomUUID(),
        documentId: 'd',
        status: 'sign_initiated',
        signers: [{ id: 's', status: 'pending', url: 'https://sign.example.com/x', ...more }],
      },
      { status: 201 },
    )
  for (const [name, create] of Object.entries({
    'asks somebody else': created({ identifier: '9000000000' }),
    'says not whom it asks': created({}),
  })) {
    test(name, async () => {
      const { owner, agreement } = await lease()
      provider.replies.create = create
      expect(seen(await start(owner, agreement, owner))).toEqual([503, enveloped(503)])
    })
  }

  test('gives no address', async () => {
    const { owner, agreement } = await lease()
    provider.replies.create = () => created({ identifier: owner.phone, url: null })()
    expect(seen(await start(owner, agreement, owner))).toEqual([503, enveloped(503)])
  })

  for (const name of ['fails', 'answers with HTML', 'answers with other JSON'] as const) {
    test(`${name} at the reading of the earlier request: the first party's signature stays as it is`, async () => {
      const its = await lease()
      const { owner, tenant, agreement } = its
      await start(owner, agreement, owner)
      await declines(tenant, asked(owner)[0]!.id)
      provider.replies.read = failures[name]
      expect(seen(await start(owner, agreement, tenant))).toEqual([503, enveloped(503)])
      expect(
        (await rowsOf(its)).map(({ status, provider_request_id }) => [status, !!provider_request_id]),
      ).toEqual([
        ['PENDING', true],
        ['DECLINED', true],
        ['EXPIRED', false],
      ])
      expect((await signaturesOf(its)).signatures).toMatchObject([
        { status: 'pending' },
        { status: 'declined' },
      ])
      delete provider.replies.read
      expect((await start(owner, agreement, tenant)).status).toBe(200)
    })
  }

  test('takes too long in all: what has not begun is not begun any more', async () => {
    const { owner, agreement } = await lease(hurried)
    const before = provider.creates.length
    provider.replies.document = () => Bun.sleep(400).then(() => new Response(LEASE))
    provider.replies.upload = () => Bun.sleep(500).then(() => Response.json({ id: 'late', name: 'late.pdf' }))
    expect(seen(await start(owner, agreement, owner))).toEqual([503, enveloped(503)])
    await Bun.sleep(400)
    expect(provider.creates.slice(before).filter(({ documentId }) => documentId === 'late')).toEqual([])
  })
})

describe('a create', () => {
  for (const [status, tries] of [
    [400, 1],
    [500, 1],
    [504, 1],
    [429, 3],
    [503, 3],
  ] as const) {
    test(`answered ${status} is tried ${tries === 1 ? 'once: it may have happened' : `${tries} times: it cannot have happened`}`, async () => {
      const { owner, agreement } = await lease(patient)
      provider.replies.create = () => new Response(null, { status, headers: { 'retry-after': '0' } })
      expect((await start(owner, agreement, owner)).status).toBe(503)
      expect(provider.creates.filter(({ signers }) => signers[0].identifier === owner.phone)).toHaveLength(
        tries,
      )
    })
  }
})

test('a request whose answer was lost changes nothing when its news come, and is not asked for again by itself', async () => {
  const its = await lease()
  const { owner, agreement } = its
  const lost = {
    id: crypto.randomUUID(),
    documentId: crypto.randomUUID(),
    status: 'sign_complete',
    content: LEASE,
    signers: [
      {
        id: crypto.randomUUID(),
        identifier: owner.phone,
        displayName: '',
        status: 'signed' as const,
        url: 'https://sign.example.com/lost',
        errCode: null,
      },
    ],
  }
  provider.replies.create = () => {
    provider.requests.push(lost)
    return new Response(null, { status: 500 })
  }
  expect((await start(owner, agreement, owner)).status).toBe(503)
  expect((await provider.tell(it.url, lost.id)).status).toBe(200)
  expect([
    await agreementOf(its),
    await signaturesOf(its),
    provider.creates.filter(({ signers }) => signers[0].identifier === owner.phone).length,
  ]).toEqual([agreement, { signatures: [], allSigned: false }, 1])
})

describe('503: a webhook of a signature when the provider', () => {
  beforeEach(() => void delete provider.replies.read)
  for (const name of ['fails', 'answers with other JSON', 'stops in the middle of its answer'] as const) {
    test(`${name} at the reading back: nothing is changed, and the next delivery counts`, async () => {
      const its = await both()
      const { owner, tenant, requestId } = its
      await signs(tenant, requestId)
      provider.replies.read = failures[name]
      expect(seen(await signs(owner, requestId))).toEqual([503, enveloped(503)])
      expect((await agreementOf(its)).status).toBe('PENDING')
      delete provider.replies.read
      expect((await provider.tell(it.url, requestId)).status).toBe(200)
      expect((await agreementOf(its)).status).toBe('ACTIVE')
    })
  }
})
