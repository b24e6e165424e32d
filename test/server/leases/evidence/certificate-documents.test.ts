import { createHash } from 'node:crypto'
import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { storeDueEvidence } from '../../../../server/leases/evidence/job'
import { readCertificate } from '../../../support/certificate-text'
import { clock } from '../../../support/server'
import { completeProfile, signInUser } from '../../../support/users'
import { signedPdf } from '../signing/provider'
import { signingServer } from '../signing/signing-fixtures'

// A certificate lists the signed documents: all of them, or there is none yet.

const DAY_MS = 24 * 3_600_000
const time = clock()
const { provider, server, createSimpleDraft, createManagedDraft, signs } = signingServer({
  overrides: { now: time.now },
  constants: { PROVIDER_RETRIES: 0, PROVIDER_BREAKER_FAILURES: 1000 },
})

async function createSignedAgreement(tenantCount = 1) {
  const { owner: landlord, tenants, agreement } = await createSimpleDraft({ tenants: tenantCount })
  const signatureIds: string[] = []
  for (const party of [landlord, ...tenants]) signatureIds.push(await signs(party, agreement, party))
  const pdfs = signatureIds.map(id => signedPdf(provider.of(id).id))
  const hashes = pdfs.map(pdf => createHash('sha256').update(pdf).digest('hex'))
  return { landlord, tenants, agreement, signatureIds, hashes }
}

const selectCertificates = (agreementId: number) =>
  server.db
    .selectFrom('agreement_certificates')
    .where('agreement_id', '=', agreementId)
    .select('sha256')
    .execute()

const findHashes = (text: string, hashes: string[]) => {
  const written = text.replaceAll(' ', '')
  return hashes.filter(hash => written.includes(hash))
}

test('200: a certificate shows what was signed, with documents that no job has stored yet, and no phone number', async () => {
  const { landlord, tenants, agreement, hashes, signatureIds } = await createSignedAgreement(2)
  await completeProfile(tenants[0]!, { last_name: 'क्षत्रिय' })

  const { status, headers, text } = await readCertificate(server, landlord, agreement.id)

  expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const { entries } = (await landlord.get(`/agreements/${agreement.id}/timeline`)).data
  const stored: any[] = entries.filter(({ type }: { type: string }) => type === 'document_stored')
  const written = text.replaceAll(' ', '')
  const listed = hashes.toSorted((a, b) => written.indexOf(a) - written.indexOf(b))
  expect(listed).toEqual(stored.map(({ details }) => details.sha256))
  const requests = signatureIds.map(id => provider.of(id).id)
  const terms = [agreement.agreement_number, agreement.agreement_id, '₹25,000.00', '₹1,00,000.00', 'A-101']
  const contents = [...terms, ...hashes, ...signatureIds, ...requests, `signer-${requests[0]}`]
  const parties = ['Landlord', 'Tenant', 'Active', `******${landlord.phone.slice(-4)}`, entries.at(-1).hash]
  expect([...contents, ...parties].filter(content => !written.includes(content))).toEqual([])
  expect([landlord, ...tenants].filter(({ phone }) => written.includes(phone))).toEqual([])
})

test('404: the certificate of an agreement that is not signed by all', async () => {
  const { owner: landlord, agreement } = await createSimpleDraft()
  await signs(landlord, agreement, landlord)
  expect((await readCertificate(server, landlord, agreement.id)).status).toBe(404)
})

test('503 with Retry-After: a certificate waits for a signed document that cannot be downloaded', async () => {
  const { landlord, agreement, hashes } = await createSignedAgreement()
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

test('200: after thirty days a certificate does without a document that the provider does not return', async () => {
  const { landlord, agreement, signatureIds, hashes } = await createSignedAgreement()
  const lost = provider.of(signatureIds[0]!).id
  const headers = { 'content-type': 'application/pdf' }
  provider.replies.pdf = ({ url }) =>
    url.includes(lost)
      ? new Response('x', { status: 404 })
      : new Response(signedPdf(provider.of(signatureIds[1]!).id), { headers })
  time.advance(30 * DAY_MS)
  await storeDueEvidence(server.deps)
  expect(await selectCertificates(agreement.id)).toEqual([])

  time.advance(DAY_MS)
  await storeDueEvidence(server.deps)

  expect(await selectCertificates(agreement.id)).toHaveLength(1)
  const reader = await signInUser(server, landlord.phone)
  const { text } = await readCertificate(server, reader, agreement.id)
  expect(findHashes(text, hashes)).toEqual([hashes[1]!])
  expect(text).toContain('Missing: the signing provider did not return the document')
  delete provider.replies.pdf
})

test('200: a certificate is stored, and made again once the lease has ended', async () => {
  const { landlord, agreement } = await createSignedAgreement()
  await storeDueEvidence(server.deps)
  const [first] = await selectCertificates(agreement.id)
  await landlord.post(`/agreements/${agreement.id}/terminate`)
  expect(await selectCertificates(agreement.id)).toEqual([first!])

  await storeDueEvidence(server.deps)

  const [second] = await selectCertificates(agreement.id)
  expect(second).not.toEqual(first!)
  expect((await readCertificate(server, landlord, agreement.id)).text).toContain('Terminated on')
})

test('200: a certificate has the latest thousand entries', async () => {
  const { landlord, agreement } = await createSignedAgreement()
  await sql`insert into timeline_entries (agreement_id, position, type, details, occurred_at, hash)
    select ${agreement.id}::int, n, 'changed', '{}', now(), md5(n::text) || md5(n::text)
    from generate_series(101, 1200) n`.execute(server.db)

  const { text } = await readCertificate(server, landlord, agreement.id)

  const [, first] = text.match(/The entries before number (\d+) are in the agreement’s timeline/)!
  expect(Number(first)).toBe(201)
  expect(text).toContain(' 1200 ')
})

test.each<[signer: 'landlord' | 'manager', listed: string]>([
  ['landlord', 'Asha Landlord'],
  ['manager', 'Indira Manager'],
])(
  'of landlord and manager a certificate lists and names the one who has signed: %s',
  async (signer, listed) => {
    const draft = await createManagedDraft({ isByManager: true })
    const { owner: landlord, manager, tenant, second, agreement } = draft
    await completeProfile(landlord, { first_name: 'Rao', last_name: 'Asha' })
    await completeProfile(manager, { first_name: 'Iyer', last_name: 'Indira' })
    for (const party of [signer === 'manager' ? manager : landlord, tenant, second])
      await signs(party, agreement, party)

    const { text } = await readCertificate(server, tenant, agreement.id)

    expect(text.match(/(Asha|Indira) (Landlord|Manager)/g)).toEqual([listed])
    expect(text).toContain(
      `Agreement drawn up ${signer === 'manager' ? 'Iyer Indira' : `User ${manager.id} `}`,
    )
  },
)
