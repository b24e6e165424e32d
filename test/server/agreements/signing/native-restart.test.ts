import { expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { type TestResponse } from '../../../support/users'
import { enveloped } from '../../http/forms'
import { nativeServer, withSignatures } from './native-fixtures'
import { LEASE } from './native-provider'
import { start } from './provider'

const {
  provider,
  time,
  server,
  createNativeDraft,
  startBoth,
  findRequests,
  getUpload,
  signs,
  declines,
  getAgreement,
  getSignatures,
} = nativeServer()
const toResult = ({ status, body }: TestResponse) => [status, body]

test('after a refusal a new request asks the remaining parties, with the signatures so far', async () => {
  const fixture = await startBoth({ tenants: 2 })
  const { owner, tenant, tenants, agreement, requestId } = fixture
  await signs(owner, requestId)
  await declines(tenant, requestId)
  expect((await getSignatures(fixture)).signatures).toMatchObject([
    { status: 'signed' },
    { status: 'declined' },
    { status: 'pending' },
  ])
  const {
    body: { data },
  } = await start(owner, agreement, tenant)
  const [, second] = findRequests(tenant)
  expect([
    data.signing_url,
    getUpload(second!.documentId).content,
    second!.signers.map(({ identifier }) => identifier),
  ]).toEqual([
    provider.findSigner(second!.id, tenant).url,
    withSignatures(owner),
    tenants.map(({ phone }) => phone),
  ])
  expect((await start(owner, agreement, tenants[1]!)).body.data.signing_url).toBe(
    provider.findSigner(second!.id, tenants[1]!).url,
  )
  for (const person of tenants) await signs(person, second!.id)
  expect((await getAgreement(fixture)).status).toBe('ACTIVE')
  expect((await owner.call('GET', `/agreements/${agreement.id}/document`)).body).toBe(
    withSignatures(owner, ...tenants),
  )
})

test('who has declined is not asked again by the request of another party', async () => {
  const { owner, tenants, agreement, requestId } = await startBoth({ tenants: 2 })
  for (const person of tenants) await declines(person, requestId)

  expect((await start(owner, agreement, tenants[1]!)).status).toBe(200)

  const [, second] = findRequests(owner)
  expect(second!.signers.map(({ identifier }) => identifier)).toEqual([owner.phone, tenants[1]!.phone])
})

test('after repeated refusals the document still has the signatures of the others', async () => {
  const { owner, tenant, agreement, requestId } = await startBoth()
  await signs(owner, requestId)
  for (let times = 0; times < 5; times++) {
    await declines(tenant, findRequests(tenant).at(-1)!.id)
    expect((await start(owner, agreement, tenant)).status).toBe(200)
  }
  expect(
    findRequests(tenant)
      .slice(1)
      .map(({ documentId }) => getUpload(documentId).content),
  ).toEqual(Array(5).fill(withSignatures(owner)))
})

test('a new request has the newest signed document, also if an earlier one is signed too', async () => {
  const { owner, tenant, tenants, agreement, requestId } = await startBoth({ tenants: 2 })
  const other = tenants[1]!
  await signs(owner, requestId)
  await declines(tenant, requestId)
  await start(owner, agreement, tenant)
  await signs(tenant, findRequests(tenant).at(-1)!.id)
  await declines(other, findRequests(other).at(-1)!.id)

  expect((await start(owner, agreement, other)).status).toBe(200)

  const { documentId } = findRequests(other).at(-1)!
  expect(getUpload(documentId).content).toBe(withSignatures(owner, tenant))
})

test('a new request has the original document if it is unsigned', async () => {
  const { owner, tenant, agreement, requestId } = await startBoth()
  await declines(tenant, requestId)
  await start(owner, agreement, tenant)
  expect(findRequests(tenant).map(({ documentId }) => getUpload(documentId).content)).toEqual([LEASE, LEASE])
})

test('a new request has the original document if the provider gives no partly signed one', async () => {
  const { owner, tenant, agreement, requestId } = await startBoth()
  await signs(owner, requestId)
  await declines(tenant, requestId)
  provider.replies.download = () =>
    Response.json({ error: { code: 'document_not_signed', detail: '', traceId: '' } }, { status: 400 })
  expect((await start(owner, agreement, tenant)).status).toBe(200)
  expect(getUpload(findRequests(tenant)[1]!.documentId).content).toBe(LEASE)
})

test('503: the provider cannot return the partly signed document', async () => {
  const fixture = await startBoth()
  const { owner, tenant, agreement, requestId } = fixture
  await signs(owner, requestId)
  await declines(tenant, requestId)
  provider.replies.download = () => new Response(null, { status: 500 })
  expect(toResult(await start(owner, agreement, tenant))).toEqual([503, enveloped(503)])
  expect(findRequests(tenant)).toHaveLength(1)
  delete provider.replies.download
  expect((await start(owner, agreement, tenant)).status).toBe(200)
  expect(getUpload(findRequests(tenant)[1]!.documentId).content).toBe(withSignatures(owner))
})

test('an expired request with a signature is replaced, not deleted', async () => {
  provider.expireAt(new Date(time.now().getTime() + 60_000).toISOString())
  const fixture = await startBoth()
  const { owner, tenant, agreement, requestId } = fixture
  await signs(owner, requestId)
  time.advance(61_000)
  provider.expireAt(undefined)
  const { status, body } = await start(owner, agreement, tenant)
  const [, second] = findRequests(tenant)
  expect([status, body.data.signing_url, getUpload(second!.documentId).content]).toEqual([
    200,
    provider.findSigner(second!.id, tenant).url,
    withSignatures(owner),
  ])
  expect(provider.deleted).not.toContain(requestId)
  await signs(tenant, second!.id)
  expect((await getAgreement(fixture)).status).toBe('ACTIVE')
})

test('an expired request without a signature is deleted', async () => {
  provider.expireAt(new Date(time.now().getTime() + 60_000).toISOString())
  const { owner, tenant, agreement } = await createNativeDraft()
  await start(owner, agreement, tenant)
  time.advance(61_000)
  provider.expireAt(undefined)
  expect((await start(owner, agreement, tenant)).status).toBe(200)
  expect(findRequests(tenant).map(({ id }) => provider.deleted.includes(id))).toEqual([true, false])
})

test('ESIGN_EXPIRED ends the open signatures and keeps the signed ones', async () => {
  const fixture = await startBoth()
  const { owner, tenant, agreement, requestId } = fixture
  await signs(owner, requestId)
  provider.of(requestId).validUpto = time.now().toISOString()
  await provider.tell(server.url, requestId, { event: 'ESIGN_EXPIRED' })
  expect((await getSignatures(fixture)).signatures).toMatchObject([
    { status: 'signed' },
    { status: 'expired' },
  ])
  expect((await start(owner, agreement, tenant)).status).toBe(200)
})

type Both = Awaited<ReturnType<typeof startBoth>>
const toCancelPath = ({ agreement, answers }: Both) =>
  `/agreements/${agreement.id}/signatures/${answers[1]!.data.signature_id}/cancel`

test.each<[who: string, end: (both: Both) => Promise<unknown>]>([
  ['whose signature was cancelled', both => both.owner.post(toCancelPath(both))],
  ['who declined here alone', ({ tenant, path }) => tenant.post(`${path}/decline`)],
])('a party %s gets the same place again', async (_, end) => {
  const fixture = await startBoth()
  const { owner, tenant, agreement, answers, requestId } = fixture
  await end(fixture)
  const again = (await start(owner, agreement, tenant)).body.data
  expect([
    again.signing_url,
    again.signature_id === answers[1]!.body.data.signature_id,
    findRequests(tenant).length,
  ]).toEqual([answers[1]!.body.data.signing_url, false, 1])
  for (const person of [tenant, owner]) await signs(person, requestId)
  expect((await getAgreement(fixture)).status).toBe('ACTIVE')
})

test('terminating deletes a request without signatures', async () => {
  const { owner, agreement, requestId } = await startBoth()
  await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})
  expect(provider.deleted).toContain(requestId)
})

test('a request at an earlier provider is none of this one, which is not asked about it', async () => {
  const { owner, tenant, agreement } = await createNativeDraft()
  await getKysely(server.em())
    .insertInto('agreement_signatures')
    .values({
      agreement_id: agreement.id,
      signer_id: tenant.id,
      signer_role: 'TENANT',
      status: 'EXPIRED',
      provider: 'setu',
      provider_request_id: crypto.randomUUID(),
      expires_at: new Date(0),
    })
    .execute()
  provider.replies.read = () => new Response(null, { status: 500 })

  expect((await start(owner, agreement, tenant)).status).toBe(200)
})
