import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { storeDueEvidence } from '../../../../server/leases/evidence/job'
import { readCertificate } from '../../../support/certificate-text'
import { readPdfPages, readPdfText } from '../../../support/pdf'
import { startTestServer, type TestServer } from '../../../support/server'
import { completeSigning, signInThree } from '../../../support/users'
import { createBareDraft, fetchFile, toSha256 } from './fixtures'

const document = { template: 'residential', language: 'en' }

describe.each(['flexi', 'native'])('with the sandbox, %s:', protocol => {
  let server: TestServer
  beforeAll(async () => {
    // The first document takes long on a busy machine.
    const constants = { PROVIDER_TIMEOUT_MS: 20_000, PROVIDER_TOTAL_TIMEOUT_MS: 40_000 }
    server = await startTestServer({ env: { ESIGN_PROTOCOL: protocol }, constants })
  })
  afterAll(() => server.end())

  test('a worded lease follows its draft, is signed by both, and stays as it was signed', async () => {
    const [owner, tenant, stranger] = await signInThree(server)
    const clauses = ['The tenant waters the plants.']
    const { agreement, path } = await createBareDraft(owner, [tenant], { document, clauses })
    const preview = async (reader = owner) => fetchFile(server, `${path}/draft.pdf`, reader)
    expect(await readPdfText((await preview(tenant)).bytes)).toContain(clauses[0]!)
    expect((await preview(stranger)).status).toBe(404)

    await owner.patch(path, { rent_amount: 26_500, clauses: null })
    const changed = await readPdfText((await preview()).bytes)
    expect(changed).toContain('₹26,500.00')
    expect(changed).not.toContain('plants')
    for (const text of ['Schedule of payments', 'Police verification', 'This is not legal advice'])
      expect(changed).toContain(text)

    // A signer need not open the page: the sandbox has read the lease before its address ends.
    for (const signer of [owner, tenant]) await completeSigning(signer, agreement.id, signer.id)
    const { data } = await owner.get(path)
    const signed = (await preview()).bytes
    expect(data).toMatchObject({ status: 'ACTIVE', document, document_version: 1 })
    expect(data.document_sha256).toBe(toSha256(signed))

    const pages = await readPdfPages((await fetchFile(server, `${path}/document`, owner)).bytes)
    expect(pages[0]).toContain('Residential rental agreement')
    expect(pages.at(-1)).toContain('Signed on')
    await storeDueEvidence(server.deps)
    const { text } = await readCertificate(server, owner, agreement.id)
    expect(text.replaceAll(' ', '')).toContain(data.document_sha256)
    expect(text).toContain('template residential, version 1')
    expect((await owner.patch(path, { document })).status).toBe(403)
  })
})
