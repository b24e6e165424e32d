import { expect, test } from 'bun:test'
import { nativeServer, withSignatures } from './native-fixtures'
import { start } from './provider'
import { insertSignature } from '../../../support/signatures'

// A request that ended for one party is followed by one that asks the remaining parties.

const { provider, server, ...fixtures } = nativeServer()
const { createNativeDraft, startBoth, findRequests, getUpload, signs, declines } = fixtures
const { getStatus, getSignatures } = fixtures
const failed = () => new Response(null, { status: 500 })

/** The landlord has signed, the tenant has declined. */
async function startRefused(options?: { tenants: number }) {
  const fixture = await startBoth(options)
  const { owner, tenant, requestId } = fixture
  await signs(owner, requestId)
  await declines(tenant, requestId)
  const getContent = (index: number) => getUpload(findRequests(tenant)[index]!.documentId).content
  return { ...fixture, getContent }
}

test('after a refusal a new request asks the remaining parties, with the signatures so far', async () => {
  const fixture = await startRefused({ tenants: 2 })
  const { owner, tenant, tenants, agreement, path, getContent } = fixture
  expect((await getSignatures(owner, agreement)).signatures).toMatchObject([
    { status: 'signed' },
    { status: 'declined' },
    { status: 'pending' },
  ])
  const { data } = await start(owner, agreement, tenant)
  const [, second] = findRequests(tenant)
  expect(data.signing_url).toBe(provider.findSigner(second!.id, tenant).url)
  expect(getContent(1)).toBe(withSignatures(owner))
  const phones = tenants.map(({ phone }) => phone)
  expect(second!.signers.map(({ identifier }) => identifier)).toEqual(phones)
  for (const person of tenants) await signs(person, second!.id)
  expect(await getStatus(owner, agreement)).toBe('ACTIVE')
  expect((await owner.get(`${path}/document`)).body).toBe(withSignatures(owner, ...tenants))
})

test('who has declined is not asked again by the request of another party', async () => {
  const { owner, tenants, agreement, requestId } = await startBoth({ tenants: 2 })
  for (const person of tenants) await declines(person, requestId)

  expect((await start(owner, agreement, tenants[1]!)).status).toBe(200)

  const [, second] = findRequests(owner)
  expect(second!.signers.map(({ identifier }) => identifier)).toEqual([owner.phone, tenants[1]!.phone])
})

test('who signs an earlier request while the new one is being sent has signed', async () => {
  const fixture = await startBoth()
  const { owner, tenant, agreement, requestId } = fixture
  await declines(tenant, requestId)
  const { signing } = server.deps
  const initiate: typeof signing.initiate = async request => {
    const created = await signing.initiate(request)
    await signs(owner, requestId)
    return created
  }
  server.deps.signing = { ...signing, initiate }
  const { status } = await start(owner, agreement, tenant).finally(() => (server.deps.signing = signing))
  expect(status).toBe(200)
  const records = (await fixtures.findRecords(agreement)).filter(({ signer_id }) => signer_id === owner.id)
  expect(records.map(({ status }) => status)).toEqual(['SIGNED'])
})

test('a new request has the newest signed document, also if an earlier one is signed too', async () => {
  const { owner, tenant, tenants, agreement } = await startRefused({ tenants: 2 })
  const other = tenants[1]!
  await start(owner, agreement, tenant)
  await signs(tenant, findRequests(tenant).at(-1)!.id)
  await declines(other, findRequests(other).at(-1)!.id)

  expect((await start(owner, agreement, other)).status).toBe(200)

  const { documentId } = findRequests(other).at(-1)!
  expect(getUpload(documentId).content).toBe(withSignatures(owner, tenant))
})

test.each(['download', 'read'] as const)(
  '503: the provider fails the %s of the earlier request; other signatures are unchanged',
  async step => {
    const fixture = await startRefused()
    const { owner, tenant, agreement, getContent } = fixture
    provider.replies[step] = failed
    expect((await start(owner, agreement, tenant)).status).toBe(503)
    expect(findRequests(tenant)).toHaveLength(1)
    const states = [{ status: 'signed' }, { status: 'declined' }]
    expect((await getSignatures(owner, agreement)).signatures).toMatchObject(states)
    delete provider.replies[step]
    expect((await start(owner, agreement, tenant)).status).toBe(200)
    expect(getContent(1)).toBe(withSignatures(owner))
  },
)

type Both = Awaited<ReturnType<typeof startBoth>>
const toCancelPath = ({ path, answers }: Both) => `${path}/signatures/${answers[1]!.data.signature_id}/cancel`

test.each<[who: string, end: (both: Both) => Promise<unknown>]>([
  ['whose signature was cancelled', both => both.owner.post(toCancelPath(both))],
  ['who declined here alone', ({ tenant, path }) => tenant.post(`${path}/decline`)],
])('a party %s gets the same place again', async (_, end) => {
  const fixture = await startBoth()
  const { owner, tenant, agreement, answers, requestId } = fixture
  const [, { data: before }] = answers as [unknown, { data: any }]
  await end(fixture)
  const { data } = await start(owner, agreement, tenant)
  expect(data.signing_url).toBe(before.signing_url)
  expect(data.signature_id).not.toBe(before.signature_id)
  expect(findRequests(tenant)).toHaveLength(1)
  for (const person of [tenant, owner]) await signs(person, requestId)
  expect(await getStatus(owner, agreement)).toBe('ACTIVE')
})

test('a request at an earlier provider is none of this one, which is not asked about it', async () => {
  const { owner, tenant, agreement } = await createNativeDraft()
  const request = { status: 'EXPIRED', provider: 'setu', provider_request_id: crypto.randomUUID() } as const
  await insertSignature(server.db, agreement, tenant, request)
  provider.replies.read = failed

  expect((await start(owner, agreement, tenant)).status).toBe(200)
})
