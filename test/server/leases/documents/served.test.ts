import { expect, test } from 'bun:test'
import { readPdfText } from '../../../support/pdf'
import { clock } from '../../../support/server'
import { start } from '../signing/provider'
import { signingServer } from '../signing/signing-fixtures'
import { fetchFile, pdf, toSha256 } from './fixtures'

const time = clock()
const { provider, server, createSimpleDraft, signs, getTimeline } = signingServer({
  constants: { PROVIDER_RETRIES: 0, PROVIDER_BREAKER_FAILURES: 1000 },
  overrides: { now: time.now },
})
const bare = { document_url: undefined }
const worded = { ...bare, document: { template: 'leave_and_licence', language: 'en' } }

/** The path of the address that the provider got with its newest request. */
const getServedPath = () => {
  const { documentUrl } = provider.creates().at(-1)!.body
  expect(documentUrl).toMatch(/^https:\/\/api\.example\.com\/documents\/[\da-f-]{36}$/)
  return new URL(documentUrl).pathname
}
const fetchServed = (path: string) => fetchFile(server, path)

test('the provider reads an uploaded lease at an address that ends with each signing', async () => {
  const { owner, tenant, agreement, path } = await createSimpleDraft(bare)
  const lease = pdf('uploaded')
  await owner.post(`${path}/document`, lease)
  await start(owner, agreement, owner)
  const first = getServedPath()
  await start(owner, agreement, tenant)
  const second = getServedPath()
  for (const served of [first, second]) expect((await fetchServed(served)).bytes.equals(lease)).toBe(true)
  expect(first).not.toBe(second)

  await signs(owner, agreement, owner)
  expect((await fetchServed(first)).status).toBe(404)
  expect((await fetchServed(second)).status).toBe(200)
  await owner.post(`${path}/terminate`)
  expect((await fetchServed(second)).status).toBe(404)
  expect((await fetchServed('/documents/x')).status).toBe(404)
})

test('the first request fixes a worded lease; one that fails does not', async () => {
  const { owner, tenant, agreement, path } = await createSimpleDraft(worded)
  provider.replies.create = () => new Response(null, { status: 500 })
  expect((await start(owner, agreement, owner)).status).toBe(503)
  delete provider.replies.create
  await owner.patch(path, { rent_amount: 31_000 })

  await start(owner, agreement, owner)
  const { bytes } = await fetchServed(getServedPath())
  expect(await readPdfText(bytes)).toContain('₹31,000.00')
  await tenant.put('/profile/complete', { first_name: 'Other', last_name: 'Name', email: 'o@example.com' })
  await start(owner, agreement, tenant)
  expect((await fetchServed(getServedPath())).bytes.equals(bytes)).toBe(true)

  const fixed = { document_sha256: toSha256(bytes), document_version: 1 }
  expect((await owner.get(path)).data).toMatchObject(fixed)
  const { entries } = await getTimeline(owner, agreement)
  const sent = entries.filter(({ type }) => type === 'sent').map(({ details }) => details.document_sha256)
  expect(sent).toEqual([fixed.document_sha256, undefined])
  const files = server.db.selectFrom('stored_files').where('landlord_id', '=', owner.id).select('sha256')
  expect(await files.execute()).toEqual([{ sha256: fixed.document_sha256 }])
})

test('two parties who are asked at once get the same worded lease', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft(worded)
  const before = provider.creates().length
  await Promise.all([start(owner, agreement, owner), start(owner, agreement, tenant)])
  const addresses = provider
    .creates()
    .slice(before)
    .map(({ body }) => new URL(body.documentUrl).pathname)
  const [one, other] = await Promise.all(addresses.map(fetchServed))
  expect(one!.status).toBe(200)
  expect(one!.bytes.equals(other!.bytes)).toBe(true)
})

test('a draft that changes during the request is sent again, with its new lease', async () => {
  const { owner, agreement, path } = await createSimpleDraft(worded)
  let changes = 0
  provider.replies.after = async ({ method }) => {
    if (method === 'POST' && changes++ === 0) await owner.patch(path, { rent_amount: 32_000 })
  }
  await start(owner, agreement, owner)
  const { bytes } = await fetchServed(getServedPath())
  expect(await readPdfText(bytes)).toContain('₹32,000.00')
})

test.each([
  ['recorded', 403, { agreement_start_date: '2020-01-01' }],
  ['changed', 200, {}],
])(
  'a draft that is %s before the provider reads its lease: %i, the provider is there',
  async (end, status, terms) => {
    const { owner, agreement, path } = await createSimpleDraft({ ...worded, ...terms })
    provider.replies.create = async () => {
      delete provider.replies.create
      await (end === 'recorded'
        ? owner.post(`${path}/record`, { signed_on: '2020-01-01' })
        : owner.patch(path, { rent_amount: 33_000 }))
      // What a provider answers that finds no lease at the address.
      return new Response(null, { status: 404 })
    }
    expect((await start(owner, agreement, owner)).status).toBe(status)
  },
)
