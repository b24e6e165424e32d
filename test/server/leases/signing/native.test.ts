import { expect, test } from 'bun:test'
import { waitUntil } from '../../../support/round'
import { testServer } from '../../../support/server'
import { nativeFixtures, nativeServer } from './native-fixtures'
import { LEASE } from './native-provider'
import { start } from './provider'
import { insertSignature } from '../../../support/signatures'
import { toTimestamps } from '../../../support/timestamps'

// One request asks all parties of an agreement.

const statements: string[] = []
const { provider, server, ...fixtures } = nativeServer({ observe: text => void statements.push(text) })
const { createNativeDraft, startBoth, findRequests, getUpload, getSignatures } = fixtures
const CREDENTIALS = ['x-client-id', 'x-client-secret', 'x-product-instance-id']

test('one request has the document and all parties in signing order, with the credentials', async () => {
  const { owner, tenants, agreement } = await createNativeDraft({ tenants: 2 })
  const { data } = await start(owner, agreement, owner)
  const [request, ...others] = findRequests(owner)
  const { documentId } = request!
  const { name, content, headers } = getUpload(documentId)
  expect([name, content, others]).toEqual([`${data.signature_id}.pdf`, LEASE, []])
  expect(CREDENTIALS.map(header => headers.get(header))).toEqual(['client', 'hush', 'product'])
  const places = ['top-left', 'bottom-right', 'bottom-left']
  expect(provider.creates.find(each => each.documentId === documentId)).toEqual({
    documentId,
    redirectUrl: 'https://api.example.com/signed',
    signers: [owner, ...tenants].map(({ phone }, index) => ({
      identifier: phone,
      displayName: index ? 'Tenant' : 'Landlord',
      signature: { onPages: ['all'], position: places[index], height: 60, width: 180 },
    })),
  })
  expect(data.signing_url).toBe(provider.findSigner(request!.id, owner).url)
})

test('parties that start at the same time share one request, each with an own address', async () => {
  const fixture = await createNativeDraft({ tenants: 2 })
  const { owner, tenants, agreement } = fixture
  const people = [owner, ...tenants]
  const answers = await Promise.all(people.map(person => start(owner, agreement, person)))
  const [request, ...others] = findRequests(owner)
  const places = people.map(person => provider.findSigner(request!.id, person))
  expect(others).toEqual([])
  expect(answers.map(({ status, data }) => [status, data.signing_url])).toEqual(
    places.map(({ url }) => [200, url]),
  )
  const records = await fixtures.findRecords(agreement)
  expect(records.map(each => [each.provider_request_id, each.provider_signature_id]).toSorted()).toEqual(
    places.map(({ id }) => [request!.id, id]).toSorted(),
  )
})

test('ESIGN_COMPLETE of a request signs for those alone who have signed', async () => {
  const fixture = await startBoth()
  const { owner, agreement, requestId } = fixture
  provider.becomes(requestId, owner, { status: 'signed' })
  await provider.tell(server.url, requestId, { event: 'ESIGN_COMPLETE' })
  expect((await getSignatures(owner, agreement)).signatures).toMatchObject([
    { status: 'signed' },
    { status: 'pending' },
  ])
})

test('a user who is no party gets no signature, though the provider names them', async () => {
  const [fixture, { owner: stranger }] = [await createNativeDraft(), await createNativeDraft()]
  const { owner, tenant, agreement } = fixture
  const { signing } = server.deps
  const initiate: typeof signing.initiate = async request => {
    const created = await signing.initiate(request)
    const [known] = created.others!
    const status = { ...known!.status, providerSignatureId: 'x' }
    return { ...created, others: [known!, { identifier: stranger.phone, status }] }
  }
  server.deps.signing = { ...signing, initiate }
  const { status } = await start(owner, agreement, owner).finally(() => (server.deps.signing = signing))
  expect(status).toBe(200)
  const { signatures } = await getSignatures(owner, agreement)
  expect(signatures).toMatchObject([{ signer_id: owner.id }, { signer_id: tenant.id }])
})

// A party waits for the request that another's start is sending, since it asks all parties.
const isWaiting = () => statements.some(text => text.startsWith('select "status", "signing_url"'))

test.each<[who: 'owner' | 'tenant', second: number, requests: number]>([
  ['owner', 503, 0],
  ['tenant', 200, 1],
])('the %s waits while the landlord’s start fails, and is answered %d', async (who, expected, requests) => {
  const fixture = await createNativeDraft()
  const { owner, tenant, agreement } = fixture
  const [asked, failure] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()]
  provider.replies.create = () => {
    delete provider.replies.create
    asked.resolve()
    return failure.promise
  }
  statements.length = 0
  const first = start(owner, agreement, owner)
  await asked.promise
  const second = start(who === 'owner' ? owner : tenant, agreement, fixture[who])
  await waitUntil(isWaiting, 'the second start waits')
  failure.resolve(new Response(null, { status: 500 }))

  expect([(await first).status, (await second).status]).toEqual([503, expected])
  expect(findRequests(owner)).toHaveLength(requests)
})

test('200: the request of a server that stopped keeps no other party waiting', async () => {
  const { owner, tenant, agreement } = await createNativeDraft()
  await insertSignature(server.db, agreement, owner, {
    signer_role: 'LANDLORD',
    provider: 'setu-native',
    ...toTimestamps(new Date(0)),
    expires_at: new Date(1),
  })

  expect((await start(tenant, agreement, tenant)).status).toBe(200)
})

const TOTAL_MS = 3000
const constants = { PROVIDER_RETRIES: 0, PROVIDER_TIMEOUT_MS: TOTAL_MS, PROVIDER_TOTAL_TIMEOUT_MS: TOTAL_MS }
const hurried = testServer({ env: provider.env, constants })

test('503: after the total time limit no further call is made', async () => {
  const { owner, agreement } = await nativeFixtures(hurried, provider).createNativeDraft()
  const before = provider.creates.length
  const wait = (part: number) => Bun.sleep(TOTAL_MS * part)
  provider.replies.document = () => wait(0.2).then(() => new Response(LEASE))
  const uploaded = Promise.withResolvers<void>()
  provider.replies.upload = async () => {
    await wait(0.9)
    uploaded.resolve()
    return Response.json({ id: 'late', name: 'late.pdf' })
  }
  expect((await start(owner, agreement, owner)).status).toBe(503)
  await uploaded.promise
  expect(provider.creates.slice(before).filter(({ documentId }) => documentId === 'late')).toEqual([])
})
