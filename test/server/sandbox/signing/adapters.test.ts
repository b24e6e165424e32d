import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readPdfPages } from '../../../support/pdf'
import { startTestServer } from '../../../support/server'
import { createDraft, signInUser } from '../../../support/users'
import { requestSignature, type TestServer } from '../provider'

describe.each([
  ['flexi', / Tenant .*Signed on/],
  ['native', / Landlord .*Signed on.* Tenant .*Signed on/],
])('the %s adapter with the sandbox', (protocol, signatures) => {
  let server: TestServer
  beforeAll(async () => {
    // The first document takes long on a busy machine.
    const constants = { PROVIDER_TIMEOUT_MS: 20_000, PROVIDER_TOTAL_TIMEOUT_MS: 40_000 }
    server = await startTestServer({ env: { ESIGN_PROTOCOL: protocol }, constants })
  })
  afterAll(() => server.end())

  test('the agreement is active when all signed on their pages, with the sandbox’s signed PDF', async () => {
    const [owner, tenant] = [await signInUser(server), await signInUser(server)]
    const document_url = `${server.url}/sandbox/files/sample-lease.pdf`
    const { agreement, path } = await createDraft(owner, [tenant], { document_url })
    for (const signer of [owner, tenant]) {
      const { signing_url: signingUrl } = await requestSignature(owner, agreement, signer)
      expect(await (await fetch(signingUrl)).text()).toContain('>Sign</button>')
      expect((await fetch(`${signingUrl}/sign`, { method: 'POST' })).status).toBe(200)
    }
    expect((await owner.get(path)).data.status).toBe('ACTIVE')

    const document = await fetch(`${server.url}${path}/document`, {
      headers: { authorization: `Bearer ${owner.token}` },
    })
    expect(document.status).toBe(200)
    const pages = await readPdfPages(await document.bytes())
    expect(pages[0]).toContain('Leave and licence agreement')
    expect(pages.at(-1)).toMatch(signatures)
  })
})
