import { createHash } from 'node:crypto'
import { expect, test } from 'bun:test'
import { storeDueEvidence } from '../../../../server/leases/evidence/job'
import type { TestUser } from '../../../support/users'
import { clock } from '../../../support/server'
import { broken, enveloped } from '../../http/forms'
import { signedPdf, start } from '../signing/provider'
import { signingServer } from '../signing/signing-fixtures'

const time = clock()
const { provider, server, createSimpleDraft, createManagedDraft, signs, signsAt } = signingServer({
  constants: { PROVIDER_RETRIES: 0, PROVIDER_BREAKER_FAILURES: 1000 },
  overrides: { now: time.now },
})

const download = async (person: TestUser, id: number, more = '') => {
  const answer = await fetch(`${server.url}/agreements/${id}/document${more}`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

async function createSignedAgreement() {
  const { owner, tenant, agreement } = await createSimpleDraft()
  const first = await signs(owner, agreement, owner)
  const last = await signs(owner, agreement, tenant)
  const findStored = () =>
    server.db
      .selectFrom('signed_documents')
      .where('agreement_id', '=', agreement.id)
      .select(['provider_request_id', 'sha256', 'size'])
      .orderBy('id')
      .execute()
  return { owner, tenant, agreement, first, last, findStored }
}

const countDownloads = (request: string) =>
  provider.calls.filter(({ path }) => path === `/api/esign/${request}/pdf`).length

test('200: the signed PDF is downloaded from the provider once, and stored with its SHA-256', async () => {
  const { owner, tenant, agreement, last } = await createSignedAgreement()
  const request = provider.of(last).id
  const pdf = signedPdf(request)
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  for (const person of [owner, tenant, owner]) {
    const { status, headers, text } = await download(person, agreement.id)
    expect([status, text]).toEqual([200, pdf])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringContaining(`filename="${agreement.agreement_number}.pdf"`),
      'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
      'content-length': String(pdf.length),
      etag: `"${sha256}"`,
      'cache-control': 'private, no-store',
    })
  }
  expect(countDownloads(request)).toBe(1)
})

test('200: without a signature_id it is the PDF of the one who signed last, not of the one asked last', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft({ agreement_number: 'करार/7' })
  const { data } = await start(owner, agreement, owner)
  await signs(owner, agreement, tenant)
  time.advance(1000)
  await signsAt(data.signature_id)

  const { text, headers } = await download(owner, agreement.id)

  expect(text).toBe(signedPdf(provider.of(data.signature_id).id))
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="_____7.pdf"; filename*=UTF-8''${encodeURIComponent('करार/7.pdf')}`,
  )
})

test('a job stores the PDF of every signature, and the timeline shows it', async () => {
  const { owner, agreement, first, last, findStored } = await createSignedAgreement()
  await storeDueEvidence(server.deps)
  await storeDueEvidence(server.deps)
  const expected = [first, last].map(signature_id => {
    const { id } = provider.of(signature_id)
    const pdf = signedPdf(id)
    const sha256 = createHash('sha256').update(pdf).digest('hex')
    expect(countDownloads(id)).toBe(1)
    return { signature_id, provider_request_id: id, sha256, size: pdf.length }
  })
  const toRow = ({ signature_id: _, ...row }: (typeof expected)[number]) => row
  expect(await findStored()).toEqual(expect.arrayContaining(expected.map(toRow)))
  const { entries, intact } = (await owner.get(`/agreements/${agreement.id}/timeline`)).data
  const stored = entries.filter(({ type }: any) => type === 'document_stored')
  const toDetails = ({ provider_request_id: _, ...details }: (typeof expected)[number]) => details
  expect(intact).toBe(true)
  expect(stored.map(({ details }: any) => details)).toEqual(expect.arrayContaining(expected.map(toDetails)))
})

test('503: the provider cannot return the PDF; retries back off until it can', async () => {
  const { owner, agreement, findStored, last } = await createSignedAgreement()
  const headers = { 'content-type': 'application/pdf' }
  provider.replies.pdf = () => new Response('<html>', { headers })
  const { status, text } = await download(owner, agreement.id)
  expect([status, JSON.parse(text)]).toEqual([503, enveloped(503)])
  const before = countDownloads(provider.of(last).id)
  for (let minute = 0; minute < 60; minute++) {
    await storeDueEvidence(server.deps)
    time.advance(60_000)
  }
  expect(countDownloads(provider.of(last).id) - before).toBeWithin(4, 9)
  expect(await findStored()).toEqual([])

  delete provider.replies.pdf
  time.advance(3 * 3_600_000)
  await storeDueEvidence(server.deps)
  expect(await findStored()).toHaveLength(2)
})

test('404: the PDF of an unsigned agreement or an unknown signature', async () => {
  const { owner, agreement } = await createSimpleDraft()
  const signed = await signs(owner, agreement, owner)
  for (const more of ['', `?signature_id=${signed}`])
    expect((await download(owner, agreement.id, more)).status).toBe(404)
  const done = await createSignedAgreement()
  const read = (id: string) => download(done.owner, done.agreement.id, `?signature_id=${id}`)
  expect((await read(crypto.randomUUID())).status).toBe(404)
  const malformed = await read('x')
  expect([malformed.status, JSON.parse(malformed.text)]).toEqual([400, broken('signature_id')])
})

test('200: the signed PDF remains after the lease has ended', async () => {
  const { owner, tenant, agreement } = await createSignedAgreement()
  await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})
  expect((await download(tenant, agreement.id)).status).toBe(200)
})

test('the document of a party who signs after the activation is stored too', async () => {
  const draft = await createManagedDraft()
  const { owner: landlord, manager, tenant, second, agreement } = draft
  const { data: spare } = await start(landlord, agreement, landlord)
  for (const party of [manager, tenant, second]) await signs(party, agreement, party)
  await storeDueEvidence(server.deps)

  provider.becomes(spare.signature_id, { cancelled: false })
  await signsAt(spare.signature_id)
  await storeDueEvidence(server.deps)

  expect(countDownloads(provider.of(spare.signature_id).id)).toBe(1)
  const { status, text } = await download(landlord, agreement.id, `?signature_id=${spare.signature_id}`)
  expect([status, text]).toEqual([200, signedPdf(provider.of(spare.signature_id).id)])
  expect(countDownloads(provider.of(spare.signature_id).id)).toBe(1)
})
