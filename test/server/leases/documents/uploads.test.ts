import { expect, test } from 'bun:test'
import { startTestServer, testServer } from '../../../support/server'
import { createLandlord, createTenant, signInThree } from '../../../support/users'
import { createBareDraft, fetchFile, listFiles, pdf, toSha256 } from './fixtures'

const MIB = 1024 * 1024
const server = testServer()

async function createOwnDraft(changes = {}) {
  const [owner, tenant, stranger] = await signInThree(server)
  return { owner, tenant, stranger, ...(await createBareDraft(owner, [tenant], changes)) }
}

test('201: an uploaded PDF replaces an address, and each party reads its bytes', async () => {
  const { owner, tenant, stranger, agreement, path } = await createOwnDraft({
    document_url: 'https://example.com/l.pdf',
  })
  const [first, second] = [pdf('first'), pdf('second')]
  await owner.post(`${path}/document`, first)
  const { status, data } = await owner.post(`${path}/document`, second)
  expect([status, data.document_url, data.document, data.document_sha256]).toEqual([
    201,
    null,
    null,
    toSha256(second),
  ])
  for (const reader of [owner, tenant]) {
    const { status, bytes } = await fetchFile(server, `${path}/draft.pdf`, reader)
    expect([status, bytes.equals(second)]).toEqual([200, true])
  }
  expect((await fetchFile(server, `${path}/draft.pdf`, stranger)).status).toBe(404)
  const name = `${agreement.agreement_number}.pdf`
  expect(await listFiles(server, owner)).toEqual([{ name, size: second.length, sha256: toSha256(second) }])
})

test.each([
  ['an address', { document_url: 'https://example.com/other.pdf' }],
  ['a template', { document: { template: 'pg', language: 'en' } }],
])('200: %s replaces an uploaded file, which is deleted', async (_, change) => {
  const { owner, path } = await createOwnDraft()
  await owner.post(`${path}/document`, pdf('replaced'))
  const { status, data } = await owner.patch(path, change)
  expect([status, data.document_sha256]).toEqual([200, null])
  expect(data).toMatchObject(change)
  expect(await listFiles(server, owner)).toEqual([])
})

test('200: an upload stays when everything else is sent back as it was', async () => {
  const { owner, path } = await createOwnDraft()
  const { data } = await owner.post(`${path}/document`, pdf('kept'))
  const { data: changed } = await owner.patch(path, { document_url: null, document: null, rent_amount: 1 })
  expect(changed.document_sha256).toBe(data.document_sha256)
})

test('200: a file of two leases stays until both are deleted, one of them with its unit', async () => {
  const { owner, tenant, path } = await createOwnDraft()
  const other = await createBareDraft(owner, [tenant])
  for (const each of [path, other.path]) await owner.post(`${each}/document`, pdf('shared'))
  expect(await listFiles(server, owner)).toHaveLength(1)
  await owner.delete(path)
  expect(await listFiles(server, owner)).toHaveLength(1)
  await owner.delete(`/properties/${other.property.id}/units/${other.unit.id}`)
  expect(await listFiles(server, owner)).toEqual([])
})

test('201: a revision and its agreement have one file', async () => {
  const { owner, path } = await createOwnDraft()
  const { data } = await owner.post(`${path}/document`, pdf('revised'))
  await owner.post(`${path}/sign`, { signer_id: owner.id })
  const { status, data: revision } = await owner.post(`${path}/revise`, { rent_amount: 26_000 })
  expect([status, revision.document_sha256]).toEqual([201, data.document_sha256])
  await owner.delete(`/agreements/${revision.id}`)
  expect(await listFiles(server, owner)).toHaveLength(1)
})

test.each([
  ['file_not_pdf', Buffer.from('hello')],
  ['file_not_pdf', Buffer.alloc(0)],
  ['file_not_pdf', Buffer.from('hello %PDF-1.7')],
  ['file_not_whole', pdf('cut').subarray(0, 60)],
])('400 %s: bytes that nobody can read', async (reason, bytes) => {
  const { owner, path } = await createOwnDraft()
  const { status, error } = await owner.post(`${path}/document`, bytes)
  expect([status, error.reason]).toEqual([400, reason])
  expect(await listFiles(server, owner)).toEqual([])
})

test.each([
  {},
  { template: 'villa', language: 'en' },
  { template: 'pg', language: 'ta' },
  { template: 'pg' },
])('400: a template that there is not: %j', async body => {
  const { owner, path } = await createOwnDraft()
  const { status, error } = await owner.post(`${path}/document`, body)
  expect([status, error.reason]).toEqual([400, 'invalid_fields'])
})

test('400: two documents in one body', async () => {
  const { owner, tenant, unit, path } = await createOwnDraft()
  const both = { document_url: 'https://example.com/l.pdf', document: { template: 'pg', language: 'en' } }
  const created = await owner.post('/agreements', {
    ...both,
    property_unit_id: unit.id,
    tenant_ids: [tenant.id],
    agreement_start_date: '2026-12-01',
    tenure_in_months: 11,
    rent_amount: 1,
    rent_due_day: 5,
    notice_period_days: 30,
  })
  for (const { status, error } of [created, await owner.patch(path, both)])
    expect([status, error.reason]).toEqual([400, 'document_twice'])
})

test('400 and 404: a draft without a document is not signed, and none is shown', async () => {
  const { owner, path } = await createOwnDraft()
  const signed = await owner.post(`${path}/sign`, { signer_id: owner.id })
  expect([signed.status, signed.error.reason]).toEqual([400, 'document_missing'])
  for (const document_url of [null, 'https://example.com/l.pdf']) {
    await owner.patch(path, { document_url })
    const { status, error } = await owner.get(`${path}/draft.pdf`)
    expect([status, error.reason]).toEqual([404, 'no_stored_document'])
  }
})

test('403, 413: a signed lease keeps its document; a file has 10 MiB at most', async () => {
  const { owner, tenant, path } = await createOwnDraft()
  const large = Buffer.concat([pdf('large'), Buffer.alloc(10 * MIB)])
  expect((await owner.post(`${path}/document`, large)).status).toBe(413)
  expect((await owner.post(`${path}/document`, large.subarray(0, 10 * MIB))).status).toBe(201)
  expect((await tenant.post(`${path}/document`, pdf('mine'))).status).toBe(403)

  await owner.post(`${path}/sign`, { signer_id: owner.id })
  for (const body of [pdf('late'), { template: 'pg', language: 'en' }]) {
    const { status, error } = await owner.post(`${path}/document`, body)
    expect([status, error.reason]).toEqual([403, 'wrong_status'])
  }
})

test('400: a landlord stores 1 GiB', async () => {
  const { owner, path } = await createOwnDraft()
  const full = { landlord_id: owner.id, sha256: 'f'.repeat(64), name: 'full.pdf', size: 1024 * MIB - 10 }
  const row = { ...full, content_type: 'application/pdf', content: Buffer.from(''), created_at: new Date() }
  await server.db.insertInto('stored_files').values(row).execute()
  const { status, error } = await owner.post(`${path}/document`, pdf('one more'))
  expect([status, error.reason]).toEqual([400, 'storage_full'])
})

test('429: files count, before they are read, against those of a user and day; templates do not', async () => {
  const server = await startTestServer()
  Object.assign(server.deps.config, { FILE_LIMIT_PER_USER: 1, rateLimitMultiplier: 1 })
  const [owner, tenant] = [await createLandlord(server), await createTenant(server)]
  const { path } = await createBareDraft(owner, [tenant])
  const statuses: number[] = []
  for (const body of [Buffer.from('x'), pdf('y'), { template: 'pg', language: 'hi' }])
    statuses.push((await owner.post(`${path}/document`, body)).status)
  expect(statuses).toEqual([400, 429, 201])
  await server.end()
})
