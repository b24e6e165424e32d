import { expect, test } from 'bun:test'
import { fetchChecked } from '../../support/description'
import { PDF } from '../../support/maintenance-fixture'
import { drawPng } from '../../support/pictures'
import { startTestServer, testServer } from '../../support/server'
import { TIMESTAMP, UUID } from '../http/forms'
import { attach, createHouse, download, raise, setStatus } from './fixtures'

const MIB = 1024 * 1024
const server = testServer()

async function createRaised() {
  const house = await createHouse(server)
  return { ...house, ...(await raise(house, house.tenant)) }
}

/** A PDF of so many bytes. */
const toPdf = (bytes: number) => Buffer.concat([PDF, Buffer.alloc(bytes - PDF.length)])

test('201: both sides attach pictures and PDFs, which everyone who sees the request finds, oldest first', async () => {
  const { landlord, manager, tenant, coTenant, path } = await createRaised()
  const attached: object[] = []
  for (const [by, file, content_type] of [
    [tenant, drawPng(8, 8), 'image/webp'],
    [coTenant, PDF, 'application/pdf'],
    [manager, PDF, 'application/pdf'],
  ] as const) {
    const { status, data } = await attach(by, path, file)
    expect([status, data]).toEqual([
      201,
      {
        attachment_id: UUID,
        content_type,
        size: file === PDF ? PDF.length : expect.any(Number),
        created_by_id: by.id,
        created_at: TIMESTAMP,
      },
    ])
    attached.push(data)
  }
  for (const reader of [landlord, manager, tenant, coTenant])
    expect((await reader.get(path)).data.attachments).toEqual(attached)
})

test('200: a PDF is downloaded byte for byte, and runs nothing in a browser', async () => {
  const { landlord, tenant, path } = await createRaised()
  const { data } = await attach(tenant, path, PDF)
  for (const reader of [landlord, tenant]) {
    const { status, bytes, headers } = await download(server, reader, path, data.attachment_id)
    expect([status, bytes.equals(PDF)]).toEqual([200, true])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(PDF.length),
      'content-disposition': expect.stringContaining(`attachment; filename="${data.attachment_id}.pdf"`),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
  }
})

test('404: a request does not have the files of another one', async () => {
  const { tenant, path, ...house } = await createRaised()
  const { data } = await attach(tenant, path, PDF)
  const other = await raise(house, tenant)
  expect((await download(server, tenant, other.path, data.attachment_id)).status).toBe(404)
  const refused = await tenant.delete(`${other.path}/attachments/${data.attachment_id}`)
  expect(refused.error.reason).toBe('attachment_not_found')
  expect((await download(server, tenant, path, data.attachment_id)).status).toBe(200)
})

test('200: the user who attached a file deletes it, others cannot: 403; then it is gone: 404', async () => {
  const { landlord, manager, tenant, coTenant, path } = await createRaised()
  for (const [owner, ...others] of [
    [tenant, coTenant, landlord, manager],
    [landlord, manager, tenant],
  ] as const) {
    const { data } = await attach(owner!, path, PDF)
    const file = `${path}/attachments/${data.attachment_id}`
    for (const other of others) expect((await other.delete(file)).error.reason).toBe('not_own_attachment')
    expect((await download(server, owner!, path, data.attachment_id)).status).toBe(200)

    const { status, data: deleted } = await owner!.delete(file)
    expect([status, deleted.message]).toEqual([200, expect.any(String)])
    expect((await owner!.delete(file)).error.reason).toBe('attachment_not_found')
    expect((await download(server, landlord, path, data.attachment_id)).status).toBe(404)
    expect((await tenant.get(path)).data.attachments).toEqual([])
  }
})

test('400: a request has ten attachments, and the eleventh once one is deleted', async () => {
  const { landlord, tenant, path } = await createRaised()
  const ids: string[] = []
  for (let n = 0; n < 10; n++) {
    const { status, data } = await attach(n % 2 ? landlord : tenant, path, PDF)
    expect(status).toBe(201)
    ids.push(data.attachment_id)
  }
  const { status, error } = await attach(landlord, path, PDF)
  expect([status, error.reason]).toEqual([400, 'too_many_attachments'])
  await tenant.delete(`${path}/attachments/${ids[0]}`)
  expect((await attach(landlord, path, PDF)).status).toBe(201)
  expect((await tenant.get(path)).data.attachments).toHaveLength(10)
})

test.each(['closed', 'cancelled'] as const)(
  '403: a request that is %s gets no attachments, and keeps those it has',
  async ended => {
    const { landlord, tenant, request, path } = await createRaised()
    const { data } = await attach(tenant, path, PDF)
    await setStatus(server, request.id, ended, null)
    for (const by of [landlord, tenant]) {
      const { status, error } = await attach(by, path, PDF)
      expect([status, error.reason]).toEqual([403, 'maintenance_request_wrong_status'])
    }
    expect((await download(server, landlord, path, data.attachment_id)).bytes.equals(PDF)).toBe(true)
  },
)

test('413: a file of 5 MiB and a byte, also in chunks; one of 5 MiB is stored', async () => {
  const { tenant, path } = await createRaised()
  const tooLong = toPdf(5 * MIB + 1)
  expect((await attach(tenant, path, tooLong)).error.reason).toBe('body_too_large')
  const chunked = await fetchChecked(`${server.url}${path}/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.token}` },
    body: new Blob([tooLong]).stream(),
  })
  expect(chunked.status).toBe(413)

  const full = toPdf(5 * MIB)
  const { data } = await attach(tenant, path, full)
  expect(data.size).toBe(5 * MIB)
  expect((await download(server, tenant, path, data.attachment_id)).bytes.equals(full)).toBe(true)
  expect((await tenant.get(path)).data.attachments).toEqual([data])
})

test('429: a user tries more files in a day than the server may read; others do not count', async () => {
  const server = await startTestServer()
  Object.assign(server.deps.config, { FILE_LIMIT_PER_USER: 1, rateLimitMultiplier: 1 })
  const house = await createHouse(server)
  const { path } = await raise(house, house.tenant)

  const statuses: number[] = []
  for (const [by, file] of [
    [house.tenant, Buffer.from('no picture')],
    [house.tenant, PDF],
    [house.landlord, PDF],
  ] as const)
    statuses.push((await attach(by, path, file)).status)

  expect(statuses).toEqual([400, 429, 201])
  await server.end()
})
