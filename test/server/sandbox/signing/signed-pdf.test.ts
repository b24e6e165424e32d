import { describe, expect, test } from 'bun:test'
import { createPdf, readPdfPages, readPdfText } from '../../../support/pdf'
import { startTestServer, testServer } from '../../../support/server'
import {
  addFailure,
  applyOutcome,
  asha,
  callProvider,
  createNativeRequest,
  createRequest,
  tara,
  type TestServer,
} from '../provider'

const flexi = testServer({ env: { ESIGN_PROTOCOL: 'flexi' } })
const native = testServer({ env: { ESIGN_PROTOCOL: 'native' } })
const publicOnly = testServer({ env: { ESIGN_PROTOCOL: 'flexi' }, constants: { DOCUMENT_HOSTS: 'public' } })

const WARNING = 'Sandbox: not legally binding'

const toLeaseUrl = ({ url }: TestServer) => `${url}/sandbox/files/sample-lease.pdf`

async function download(address: string) {
  const response = await fetch(address)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return response.bytes()
}

const downloadSigned = (server: TestServer, id: string) =>
  download(`${server.url}/sandbox/sign/${id}/signed.pdf`)

describe('the signed PDF', () => {
  test('is the sample lease with a page of who has signed so far', async () => {
    const lease = await download(toLeaseUrl(native))
    const { signers } = await createNativeRequest(native, [asha, tara], lease)
    const leasePages = await readPdfPages(lease)
    expect(leasePages.join(' ')).toMatch(
      /Sample.*Licensor.*Premises.*Term.*Monthly rent.*Deposit.*Notice period.*1\. Licence.*2\. Rent/,
    )

    await applyOutcome(native, signers[0].id)
    const first = await readPdfPages(await downloadSigned(native, signers[1].id))
    expect(first.slice(0, -1)).toEqual(leasePages)
    expect(first.at(-1)).toContain('Not signed by all')
    expect(first.at(-1)).toMatch(/Asha Rao.*Signed on .* IST.*\*{6}3210.*Tara Iyer.*Has not signed/)
    expect(first.at(-1)).not.toContain('6789')

    await applyOutcome(native, signers[1].id)
    const second = await readPdfPages(await downloadSigned(native, signers[0].id))
    expect(second.slice(0, -1)).toEqual(leasePages)
    expect(second.at(-1)).toMatch(/Asha Rao.*Signed on.*Tara Iyer.*Signed on .* IST.*\*{6}6789/)
    for (const fact of ['Signed by all', signers[0].id, WARNING]) expect(second.at(-1)).toContain(fact)
  })

  test.each<[state: string, reason: string, document: () => Promise<Uint8Array<ArrayBuffer>>]>([
    ['broken', 'it is broken', async () => new TextEncoder().encode('%PDF-1.4\nthe lease')],
    ['locked', 'opens with a password only', () => createPdf(['the lease'], { userPassword: 'secret' })],
  ])('of a document that is %s has a page that says so instead', async (_, reason, createDocument) => {
    const document = await createDocument()
    const { signers } = await createNativeRequest(native, [asha, tara], document)
    for (const signer of signers) await applyOutcome(native, signer.id)

    const [cover, signatures] = await readPdfPages(await downloadSigned(native, signers[0].id))

    expect(cover).toContain(reason)
    expect(cover).toContain(new Bun.CryptoHasher('sha256').update(document).digest('hex'))
    expect(signatures).toMatch(/Asha Rao.*Signed on.*Tara Iyer.*Signed on/)
  })
})

describe('a document at an address', () => {
  test('is the sandbox’s own lease without a download, at its public address too, and the signed PDF is there in production', async () => {
    const PUBLIC_URL = 'https://api.example.com'
    const server = await startTestServer({ env: { PUBLIC_URL }, constants: { DOCUMENT_HOSTS: 'public' } })
    const [own, { id }] = [
      await createRequest(server, { documentUrl: toLeaseUrl(server) }),
      await createRequest(server, { documentUrl: `${PUBLIC_URL}/sandbox/files/sample-lease.pdf` }),
    ]
    for (const request of [own, { id }]) {
      const text = await readPdfText(await downloadSigned(server, request.id))
      expect(text).toContain('Leave and licence agreement')
    }

    const addresses: string[] = []
    for (const isProduction of [false, true]) {
      Object.assign(server.deps.config, { isProduction })
      await addFailure(server, { provider: 'esign', on: 'pdf', behaviour: 'link' })
      const { body } = await callProvider(server, 'GET', `/esign/api/esign/${id}/pdf`)
      addresses.push(new URL(body.downloadUrl).origin)
    }
    expect(addresses).toEqual([server.url, PUBLIC_URL])
    await server.end()
  })

  test('is downloaded once, and stays as it was then', async () => {
    let downloads = 0
    using host = Bun.serve({
      port: 0,
      fetch: async () => new Response(await createPdf([`the lease, version ${++downloads}`])),
    })
    const { id } = await createRequest(flexi, { documentUrl: `${host.url}lease.pdf` })
    const before = await downloadSigned(flexi, id)
    expect(await readPdfPages(before)).toEqual([
      'the lease, version 1',
      expect.stringContaining(asha.displayName),
    ])
    expect(await downloadSigned(flexi, id)).toEqual(before)

    await applyOutcome(flexi, id)
    const [first] = await readPdfPages(await downloadSigned(flexi, id))
    const [shown] = await readPdfPages(await download(`${flexi.url}/sandbox/sign/${id}/document.pdf`))
    expect([first, shown, downloads]).toEqual(['the lease, version 1', 'the lease, version 1', 1])
  })

  test('is not downloaded from a host that DOCUMENT_HOSTS refuses', async () => {
    using host = Bun.serve({ port: 0, fetch: async () => new Response(await createPdf(['secret'])) })
    const { id } = await createRequest(publicOnly, { documentUrl: `${host.url}lease.pdf` })
    const pages = await readPdfPages(await downloadSigned(publicOnly, id))
    expect(pages).toEqual([
      expect.stringContaining('A document must have an https address'),
      expect.stringContaining(asha.displayName),
    ])
    const shown = await fetch(`${publicOnly.url}/sandbox/sign/${id}/document.pdf`)
    expect(shown.status).toBe(404)
  })
})
