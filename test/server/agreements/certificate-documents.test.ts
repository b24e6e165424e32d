import { createHash } from 'node:crypto'
import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { readCertificate } from '../../support/certificate-text'
import { startSecondInstance, testServer } from '../../support/server'
import { agreementTerms, completeProfile, createDraft, createUnit, signInUser } from '../../support/users'
import { signedPdf, signingProvider, signs, signsAt, start } from './signing/provider'

// A certificate lists the signed documents: all of them, or there is none yet.

const provider = signingProvider()
const server = testServer({
  env: { ...provider.env, PROVIDER_RETRIES: '0', PROVIDER_BREAKER_FAILURES: '1000' },
})

async function createSignedAgreement(tenantCount: number) {
  const landlord = await signInUser(server)
  const tenants = []
  for (let index = 0; index < tenantCount; index++) tenants.push(await signInUser(server))
  const { agreement } = await createDraft(landlord, tenants)
  const hashes: string[] = []
  for (const party of [landlord, ...tenants]) {
    const signatureId = await signs(provider, server.url, party, agreement, party)
    hashes.push(
      createHash('sha256')
        .update(signedPdf(provider.of(signatureId).id))
        .digest('hex'),
    )
  }
  return { landlord, agreement, hashes }
}

const findHashes = (text: string, hashes: string[]) => {
  const written = text.replaceAll(' ', '')
  return hashes.filter(hash => written.includes(hash))
}

test('200: a certificate downloads the signed documents that no job has stored yet', async () => {
  const { landlord, agreement, hashes } = await createSignedAgreement(1)

  const { status, text } = await readCertificate(server, landlord, agreement.id)

  expect([status, findHashes(text, hashes)]).toEqual([200, hashes])
  const { data } = await landlord.get(`/agreements/${agreement.id}/timeline`)
  expect(text).toContain(data.events.at(-1).hash)
})

test('200: a certificate has no document of a request that expired', async () => {
  const [owner, manager, tenant] = [
    await signInUser(server),
    await signInUser(server),
    await signInUser(server),
  ]
  const { unit } = await createUnit(owner, { managed_by_id: manager.id })
  const { data: agreement } = await owner.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const { data: asked } = await start(owner, agreement, manager)
  provider.ends(asked.signature_id, 'expired')
  await provider.webhook(server.url, provider.news('ESIGN_EXPIRED', provider.of(asked.signature_id)))
  for (const party of [owner, tenant]) await signs(provider, server.url, owner, agreement, party)

  expect((await readCertificate(server, owner, agreement.id)).status).toBe(200)

  const { events } = (await owner.get(`/agreements/${agreement.id}/timeline`)).data
  const types: string[] = events.map(({ type }: { type: string }) => type)
  expect(types.filter(type => type === 'document_stored')).toHaveLength(2)
})

test('503 with Retry-After: a certificate waits for a signed document that cannot be downloaded', async () => {
  const { landlord, agreement, hashes } = await createSignedAgreement(1)
  const replies = [signedPdf('x'), undefined]
  provider.replies.pdf = () => {
    const pdf = replies.shift()
    const headers = { 'content-type': 'application/pdf' }
    return pdf ? new Response(pdf, { headers }) : new Response('x', { status: 404 })
  }

  const refused = await readCertificate(server, landlord, agreement.id)
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, expect.any(Number)])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)

  delete provider.replies.pdf
  const { status, text } = await readCertificate(server, landlord, agreement.id)
  expect([status, findHashes(text, hashes).length]).toEqual([200, 1])
})

test('while a certificate waits for a signed document, the turn to draw documents is free', async () => {
  const { landlord, agreement } = await createSignedAgreement(1)
  const second = await startSecondInstance(server, { ...provider.env })
  const turns: string[] = []
  for (const kind of ['runSigning', 'runDocument'] as const) {
    const run = second.deps[kind]
    second.deps[kind] = (userId, work) => {
      turns.push(`${kind} of ${userId}`)
      return run(userId, work)
    }
  }
  const asked: string[][] = []
  provider.replies.after = async ({ path }) => {
    if (path.endsWith('/pdf')) asked.push([...turns])
  }

  expect((await readCertificate(second, landlord, agreement.id)).status).toBe(200)
  await second.stop()

  const signing = `runSigning of ${landlord.id}`
  expect(asked).toEqual([[signing], [signing]])
  expect(turns).toEqual([signing, `runDocument of ${landlord.id}`])
})

test('503: downloads that take too long together go on with the next request', async () => {
  const { landlord, agreement, hashes } = await createSignedAgreement(2)
  const hurried = await startSecondInstance(server, { ...provider.env, PROVIDER_TOTAL_TIMEOUT_MS: '1000' })
  provider.replies.after = ({ path }) => (path.endsWith('/pdf') ? Bun.sleep(600) : undefined)

  expect((await readCertificate(hurried, landlord, agreement.id)).status).toBe(503)
  await hurried.stop()

  delete provider.replies.after
  const { status, text } = await readCertificate(server, landlord, agreement.id)
  expect([status, findHashes(text, hashes)]).toEqual([200, hashes])
})

test('200: a certificate has the latest thousand events', async () => {
  const { landlord, agreement } = await createSignedAgreement(1)
  await sql`insert into agreement_events (agreement_id, position, type, details, occurred_at, hash)
    select ${agreement.id}::int, n, 'changed', '{}', now(), md5(n::text) || md5(n::text)
    from generate_series(101, 1200) n`.execute(getKysely(server.em()))

  const { text } = await readCertificate(server, landlord, agreement.id)

  const [, first] = text.match(/The events before number (\d+) are in the agreement's timeline/)!
  expect(Number(first)).toBe(201)
  expect(text).toContain(' 1200 ')
})

test('200: the certificate of a completed agreement tells when it was terminated', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(landlord, [tenant], { agreement_start_date: '2026-01-01' })
  for (const party of [landlord, tenant]) await signs(provider, server.url, party, agreement, party)
  const path = `/agreements/${agreement.id}`
  await landlord.post(`${path}/terminate`, { termination_date: '2026-06-15' })
  expect((await landlord.post(`${path}/complete`)).status).toBe(200)

  const { text } = await readCertificate(server, landlord, agreement.id)

  expect(text.replaceAll(/\s/g, '')).toContain('15Jun2026')
})

test('a certificate names an actor by number who has not signed and is not the landlord', async () => {
  const [landlord, manager, tenant] = [
    await signInUser(server),
    await signInUser(server),
    await signInUser(server),
  ]
  const { unit } = await createUnit(landlord, { managed_by_id: manager.id })
  const { data: agreement } = await manager.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  for (const party of [landlord, tenant]) await signs(provider, server.url, party, agreement, party)

  const { text } = await readCertificate(server, tenant, agreement.id)

  expect(text).toContain(`Agreement drawn up User ${manager.id} `)
})

test.each([
  ['Landlord', 'Asha Landlord'],
  ['Manager', 'Indira Manager'],
])('of landlord and manager a certificate lists the one who has signed: %s', async (signer, listed) => {
  const [landlord, manager] = [await signInUser(server), await signInUser(server)]
  const tenant = await signInUser(server)
  await completeProfile(landlord, { last_name: 'Asha' })
  await completeProfile(manager, { last_name: 'Indira' })
  const { unit } = await createUnit(landlord, { managed_by_id: manager.id })
  const { data: agreement } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  for (const party of [signer === 'Manager' ? manager : landlord, tenant])
    await signs(provider, server.url, party, agreement, party)

  const { text } = await readCertificate(server, tenant, agreement.id)

  expect(text.match(/(Asha|Indira) (Landlord|Manager)/g)).toEqual([listed])
})

test('a certificate shows the request on which a party has signed, not a newer one', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(landlord, [tenant])
  await signs(provider, server.url, landlord, agreement, landlord)
  const { data: older } = await start(landlord, agreement, tenant)
  provider.ends(older.signature_id, 'expired')
  await provider.webhook(server.url, provider.news('ESIGN_EXPIRED', provider.of(older.signature_id)))
  const { data: newer } = await start(landlord, agreement, tenant)
  await signsAt(provider, server.url, older.signature_id)

  const { text } = await readCertificate(server, tenant, agreement.id)

  const written = text.replaceAll(' ', '')
  const shown = [older, newer].filter(({ signature_id }) => written.includes(signature_id))
  expect(shown).toEqual([older])
})

test('a certificate lists the documents in the order in which they were stored', async () => {
  const { landlord, agreement, hashes } = await createSignedAgreement(3)

  const { text } = await readCertificate(server, landlord, agreement.id)

  const written = text.replaceAll(' ', '')
  const listed = hashes.toSorted((a, b) => written.indexOf(a) - written.indexOf(b))
  const { data } = await landlord.get(`/agreements/${agreement.id}/timeline`)
  const stored = data.events.filter(({ type }: { type: string }) => type === 'document_stored')
  expect(listed).toEqual(stored.map(({ details }: { details: { sha256: string } }) => details.sha256))
})
