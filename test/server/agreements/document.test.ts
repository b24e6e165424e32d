import { createHash } from 'node:crypto'
import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { storeDueDocuments } from '../../../server/jobs/reconcile'
import { createDraft, createManager, signInUser, type TestUser } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { broken, enveloped } from '../http/forms'
import { signedPdf, signingProvider, signs, signsAt, start } from './signing/provider'

const provider = signingProvider()
const time = clock()
const server = testServer({
  env: { ...provider.env, PROVIDER_RETRIES: '0', PROVIDER_BREAKER_FAILURES: '1000' },
  overrides: { now: time.now },
})

const strict = testServer({ env: { ...provider.env, DOCUMENT_HOSTS: 'public' } })
const download = async (person: TestUser, id: number, more = '') => {
  const answer = await fetch(`${server.url}/agreements/${id}/document${more}`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

async function createSignedAgreement() {
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  const { agreement } = await createDraft(owner, [tenant])
  const first = await signs(provider, server.url, owner, agreement, owner)
  const last = await signs(provider, server.url, owner, agreement, tenant)
  const findStored = () =>
    getKysely(server.em())
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

test('200: each signature has its own PDF', async () => {
  const { owner, agreement, first, last } = await createSignedAgreement()
  for (const signature of [first, last])
    expect((await download(owner, agreement.id, `?signature_id=${signature}`)).text).toBe(
      signedPdf(provider.of(signature).id),
    )
})

test('200: without a signature_id it is the PDF of the one who signed last, not of the one asked last', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant], { agreement_number: 'करार/7' })
  const { data } = await start(owner, agreement, owner)
  await signs(provider, server.url, owner, agreement, tenant)
  time.advance(1000)
  await signsAt(provider, server.url, data.signature_id)

  const { text, headers } = await download(owner, agreement.id)

  expect(text).toBe(signedPdf(provider.of(data.signature_id).id))
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="_____7.pdf"; filename*=UTF-8''${encodeURIComponent('करार/7.pdf')}`,
  )
})

test('a job stores the PDF of every signature, and the timeline shows it', async () => {
  const { owner, agreement, first, last, findStored } = await createSignedAgreement()
  await storeDueDocuments(server.deps)
  await storeDueDocuments(server.deps)
  const expected = [first, last]
    .map(signature => ({ signature_id: signature, request: provider.of(signature).id }))
    .map(({ signature_id, request }) => ({
      signature_id,
      request,
      sha256: createHash('sha256').update(signedPdf(request)).digest('hex'),
      size: signedPdf(request).length,
    }))
  expect(await findStored()).toEqual(
    expect.arrayContaining(
      expected.map(({ request, sha256, size }) => ({ provider_request_id: request, sha256, size })),
    ),
  )
  const { events, intact } = (await owner.call('GET', `/agreements/${agreement.id}/timeline`)).body.data
  expect(intact).toBe(true)
  expect(
    events.filter(({ type }: any) => type === 'document_stored').map(({ details }: any) => details),
  ).toEqual(
    expect.arrayContaining(
      expected.map(({ signature_id, sha256, size }) => ({ signature_id, sha256, size })),
    ),
  )
  for (const { request } of expected) expect(countDownloads(request)).toBe(1)
})

test('503: the provider cannot return the PDF; retries back off until it can', async () => {
  for (const [name, reply] of Object.entries<() => Response>({
    'an error': () => new Response('x', { status: 500 }),
    'no PDF': () => new Response('<html>', { headers: { 'content-type': 'application/pdf' } }),
    'too much': () =>
      new Response(`%PDF-${'x'.repeat(10 * 1024 * 1024)}`, {
        headers: { 'content-type': 'application/pdf' },
      }),
    'another JSON': () => Response.json({ url: 'x' }),
    'no JSON': () => new Response('{', { headers: { 'content-type': 'application/json' } }),
  })) {
    const { owner, agreement, findStored, last } = await createSignedAgreement()
    provider.replies.pdf = reply
    const { status, text } = await download(owner, agreement.id)
    expect([name, status, JSON.parse(text)]).toEqual([name, 503, enveloped(503)])
    const before = countDownloads(provider.of(last).id)
    for (let minute = 0; minute < 60; minute++) {
      await storeDueDocuments(server.deps)
      time.advance(60_000)
    }
    expect(countDownloads(provider.of(last).id) - before).toBeWithin(4, 9)
    expect(await findStored()).toEqual([])
    delete provider.replies.pdf
    time.advance(3 * 3_600_000)
    await storeDueDocuments(server.deps)
    expect((await findStored()).length).toBe(2)
  }
}, 30_000)

test('200: the PDF is downloaded from the address that the provider returns, without credentials', async () => {
  const { owner, agreement } = await createSignedAgreement()
  const asked: Headers[] = []
  const store = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: request => (asked.push(request.headers), new Response('%PDF-1.4 elsewhere')),
  })
  try {
    provider.replies.pdf = () =>
      Response.json({
        downloadUrl: `http://127.0.0.1:${store.port}/x.pdf`,
        validUpto: '2030-01-01T00:00:00Z',
      })
    expect((await download(owner, agreement.id)).text).toBe('%PDF-1.4 elsewhere')
    expect([asked.length, asked[0]!.get('x-client-secret')]).toEqual([1, null])
  } finally {
    await store.stop(true)
  }
})

test('404: the PDF of an unsigned agreement or an unknown signature', async () => {
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  const { agreement } = await createDraft(owner, [tenant])
  const signed = await signs(provider, server.url, owner, agreement, owner)
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

test('400: with DOCUMENT_HOSTS=public a document_url must be a public https address', async () => {
  const owner = await signInUser(strict.url)
  const tenant = await signInUser(strict.url)
  const { agreement } = await createDraft(owner, [tenant])
  expect(agreement.status).toBe('DRAFT')
  for (const document_url of [
    'http://example.com/x.pdf',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://169.254.169.254/latest',
    'https://10.1.2.3/x',
    'https://2130706433/x',
    'https://localhost/x',
    'https://localhost./x',
    'https://printer.local/x',
    'https://db.internal/x',
  ]) {
    const { status, body } = await owner.call('PATCH', `/agreements/${agreement.id}`, { document_url })
    expect([document_url, status, body.error?.details]).toEqual([
      document_url,
      400,
      [{ property: 'document_url', constraints: expect.anything() }],
    ])
  }
})

test('the document of a party who signs after the activation is stored too', async () => {
  const [landlord, manager] = [await signInUser(server), await createManager(server)]
  const tenant = await signInUser(server)
  const { property, unit, agreement } = await createDraft(landlord, [tenant])
  await landlord.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  const { data: spare } = await start(landlord, agreement, landlord)
  for (const party of [manager, tenant]) await signs(provider, server.url, party, agreement, party)
  await storeDueDocuments(server.deps)

  provider.becomes(spare.signature_id, { cancelled: false })
  await signsAt(provider, server.url, spare.signature_id)
  await storeDueDocuments(server.deps)

  expect(countDownloads(provider.of(spare.signature_id).id)).toBe(1)
  const { status, text } = await download(landlord, agreement.id, `?signature_id=${spare.signature_id}`)
  expect([status, text]).toEqual([200, signedPdf(provider.of(spare.signature_id).id)])
  expect(countDownloads(provider.of(spare.signature_id).id)).toBe(1)
})
