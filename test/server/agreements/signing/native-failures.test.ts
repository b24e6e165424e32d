import { beforeEach, describe, expect, test } from 'bun:test'
import { type TestResponse } from '../../../support/users'
import { testServer } from '../../../support/server'
import { enveloped } from '../../http/forms'
import { nativeFixtures, nativeServer } from './native-fixtures'
import { LEASE } from './native-provider'
import { start } from './provider'

const { provider, server, ...fixtures } = nativeServer()
const { createNativeDraft, findRequests, declines, getAgreement, getSignatures, findRecords } = fixtures
const patient = testServer({
  env: { ...provider.env, PROVIDER_RETRIES: '2', PROVIDER_TOTAL_TIMEOUT_MS: '20000' },
})
const patientFixtures = nativeFixtures(patient, provider)
const TOTAL_MS = 3000
const hurried = testServer({
  env: {
    ...provider.env,
    PROVIDER_TIMEOUT_MS: String(TOTAL_MS),
    PROVIDER_TOTAL_TIMEOUT_MS: String(TOTAL_MS),
    PROVIDER_RETRIES: '0',
  },
})
const hurriedFixtures = nativeFixtures(hurried, provider)
const toResult = ({ status, body }: TestResponse) => [status, body]

const documents: [name: string, rule: string, document: () => Response][] = [
  ['is not a PDF', 'A document must be a PDF', () => new Response('<html>')],
  ['is empty', 'A document must be a PDF', () => new Response('')],
  [
    'is larger than 10 MiB',
    'A document must have at most 10 MiB',
    () => new Response(`%PDF-${'x'.repeat(10 * 1024 * 1024)}`),
  ],
  [
    'does not exist',
    'The address of the document answered 404',
    () => new Response('No such document', { status: 404 }),
  ],
]
for (const [name, rule, document] of documents) {
  test(`400: a document that ${name} is not sent; another one can be given`, async () => {
    const fixture = await createNativeDraft()
    const { owner, agreement } = fixture
    const uploads = provider.uploads.size
    provider.replies.document = document
    expect(toResult(await start(owner, agreement, owner))).toEqual([
      400,
      enveloped(400, `Correct document_url: ${rule}`),
    ])
    expect([
      provider.uploads.size - uploads,
      findRequests(owner),
      await getAgreement(fixture),
      await getSignatures(fixture),
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

test('400: a document that cannot be reached', async () => {
  const { owner, agreement } = await createNativeDraft({ document_url: 'http://127.0.0.1:1/lease.pdf' })
  expect(toResult(await start(owner, agreement, owner))).toEqual([400, enveloped(400)])
})

const SLOW_FAILURE = 'stops in the middle of its answer'
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
  [SLOW_FAILURE]: () =>
    new Response(new ReadableStream({ start: controller => controller.enqueue('{"id":') })),
}
/** Only a failure that takes its time meets a server that has little. */
const getFixtures = (failure: string) => (failure === SLOW_FAILURE ? hurriedFixtures : fixtures)

describe.each(['upload', 'create'] as const)('503: the provider, at the %s,', step => {
  for (const [name, fail] of Object.entries(failures)) {
    test(`${name}: the agreement is unchanged, and a later start succeeds`, async () => {
      const { createNativeDraft, getAgreement, getSignatures, findRecords } = getFixtures(name)
      const fixture = await createNativeDraft()
      const { owner, agreement } = fixture
      provider.replies[step] = fail
      const response = await start(owner, agreement, owner)
      expect(toResult(response)).toEqual([503, enveloped(503, 'The e-signing provider cannot be reached')])
      expect([await getAgreement(fixture), await getSignatures(fixture), findRequests(owner)]).toEqual([
        agreement,
        { signatures: [], allSigned: false },
        [],
      ])
      expect(await findRecords(fixture)).toEqual([
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
  'names another signer': created({ identifier: '9000000000' }),
  'names no signer': created({}),
})) {
  test(`503: the provider ${name}`, async () => {
    const { owner, agreement } = await createNativeDraft()
    provider.replies.create = create
    expect(toResult(await start(owner, agreement, owner))).toEqual([503, enveloped(503)])
  })
}

test('503: the provider gives no signing address', async () => {
  const { owner, agreement } = await createNativeDraft()
  provider.replies.create = () => created({ identifier: owner.phone, url: null })()
  expect(toResult(await start(owner, agreement, owner))).toEqual([503, enveloped(503)])
})

for (const name of ['fails', 'answers with HTML', 'answers with other JSON'] as const) {
  test(`503: the provider ${name} when it is asked for the earlier request; other signatures are unchanged`, async () => {
    const fixture = await createNativeDraft()
    const { owner, tenant, agreement } = fixture
    await start(owner, agreement, owner)
    await declines(tenant, findRequests(owner)[0]!.id)
    provider.replies.read = failures[name]
    expect(toResult(await start(owner, agreement, tenant))).toEqual([503, enveloped(503)])
    expect(
      (await findRecords(fixture)).map(({ status, provider_request_id }) => [status, !!provider_request_id]),
    ).toEqual([
      ['PENDING', true],
      ['DECLINED', true],
      ['EXPIRED', false],
    ])
    expect((await getSignatures(fixture)).signatures).toMatchObject([
      { status: 'pending' },
      { status: 'declined' },
    ])
    delete provider.replies.read
    expect((await start(owner, agreement, tenant)).status).toBe(200)
  })
}

test('503: after the total time limit no further call is made', async () => {
  const { owner, agreement } = await hurriedFixtures.createNativeDraft()
  const before = provider.creates.length
  const wait = () => Bun.sleep(TOTAL_MS * 0.6)
  provider.replies.document = () => wait().then(() => new Response(LEASE))
  provider.replies.upload = () => wait().then(() => Response.json({ id: 'late', name: 'late.pdf' }))
  expect(toResult(await start(owner, agreement, owner))).toEqual([503, enveloped(503)])
  await wait()
  expect(provider.creates.slice(before).filter(({ documentId }) => documentId === 'late')).toEqual([])
})

for (const [status, tries] of [
  [400, 1],
  [500, 1],
  [504, 1],
  [429, 3],
  [503, 3],
] as const) {
  test(`503: a create that fails with ${status} is tried ${tries} times`, async () => {
    const { owner, agreement } = await patientFixtures.createNativeDraft()
    provider.replies.create = () => new Response(null, { status, headers: { 'retry-after': '0' } })
    expect((await start(owner, agreement, owner)).status).toBe(503)
    expect(provider.creates.filter(({ signers }) => signers[0].identifier === owner.phone)).toHaveLength(
      tries,
    )
  })
}

test('a request whose response was lost has no effect, even when its webhook arrives, and is not repeated', async () => {
  const fixture = await createNativeDraft()
  const { owner, agreement } = fixture
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
  expect((await provider.tell(server.url, lost.id)).status).toBe(200)
  expect([
    await getAgreement(fixture),
    await getSignatures(fixture),
    provider.creates.filter(({ signers }) => signers[0].identifier === owner.phone).length,
  ]).toEqual([agreement, { signatures: [], allSigned: false }, 1])
})

beforeEach(() => void delete provider.replies.read)
for (const name of ['fails', 'answers with other JSON', SLOW_FAILURE]) {
  test(`503: the provider ${name} when a webhook is verified; nothing changes until the next delivery`, async () => {
    const at = name === SLOW_FAILURE ? hurried : server
    const { startBoth, signs, getAgreement } = getFixtures(name)
    const fixture = await startBoth()
    const { owner, tenant, requestId } = fixture
    await signs(tenant, requestId)
    provider.replies.read = failures[name]
    expect(toResult(await signs(owner, requestId))).toEqual([503, enveloped(503)])
    expect((await getAgreement(fixture)).status).toBe('PENDING')
    delete provider.replies.read
    expect((await provider.tell(at.url, requestId)).status).toBe(200)
    expect((await getAgreement(fixture)).status).toBe('ACTIVE')
  })
}
