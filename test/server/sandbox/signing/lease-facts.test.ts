import { describe, expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { completeProfile, createDraft, createLandlord, signInUser } from '../../../support/users'
import { createRequest, requestSignature, type TestServer } from '../provider'

const servers = {
  flexi: testServer({ env: { ESIGN_PROTOCOL: 'flexi' } }),
  native: testServer({ env: { ESIGN_PROTOCOL: 'native' } }),
}

/** Reads the lease of a signing page as text; undefined if the page shows none. */
async function readLease(address: string) {
  const page = await (await fetch(address)).text()
  const [, card] = /<h2>Your lease<\/h2>([^]*?)<\/section>/.exec(page) ?? []
  return card?.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

/** A lease whose landlord has named one tenant and not the other. */
async function createLease(server: TestServer) {
  const landlord = await createLandlord(server)
  const [ravi, other] = [await signInUser(server), await signInUser(server)]
  await completeProfile(ravi, { first_name: 'Zebulonqx', last_name: 'Quandaryvz' })
  await landlord.post('/tenants', { phone_number: ravi.phone, first_name: 'Ravi', last_name: 'Iyer' })
  const terms = { rent_amount: 125000, document_url: `${server.url}/sandbox/files/sample-lease.pdf` }
  const { agreement } = await createDraft(landlord, [ravi, other], terms)
  const getAddress = async (signer: { id: number }): Promise<string> => {
    const { signing_url } = await requestSignature(landlord, agreement, signer)
    return signing_url
  }
  return { landlord, ravi, other, agreement, getAddress }
}

const pressSign = (address: string) => fetch(`${address}/sign`, { method: 'POST' })

describe.each(['flexi', 'native'] as const)('the signing page of a %s request', protocol => {
  const server = servers[protocol]

  test('shows rent, term, unit, address and landlord to a tenant, with the document', async () => {
    const { ravi, agreement, getAddress } = await createLease(server)
    const address = await getAddress(ravi)
    const lease = await readLease(address)
    for (const fact of [
      agreement.agreement_number,
      '₹1,25,000.00 a month',
      '1 Dec 2026 to 31 Oct 2027 (11 months)',
      'A-101',
      'Karnataka 560048',
      'Asha Rao Landlord Has not signed yet',
    ])
      expect(lease).toContain(fact)

    const response = await fetch(address)
    const documentPath = `${new URL(address).pathname}/document.pdf`
    expect(await response.text()).toMatch(new RegExp(`<object[^>]+data="${documentPath}#`))
    expect(response.headers.get('content-security-policy')).toContain("object-src 'self'")
    const document = await fetch(server.url + documentPath)
    expect([document.status, document.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  })

  test('names a tenant to the landlord as the landlord did, and to the others once they have signed', async () => {
    const { landlord, ravi, other, getAddress } = await createLease(server)
    const [byLandlord, byOther] = [await getAddress(landlord), await getAddress(other)]
    expect(await readLease(byLandlord)).toContain(
      'Ravi Iyer Tenant Has not signed yet Tenant Has not signed yet',
    )
    const before = await readLease(byOther)
    expect(before).toContain('Landlord Has not signed yet Tenant Has not signed yet')
    expect(before).not.toMatch(/Ravi|Zebulonqx/)

    await pressSign(await getAddress(ravi))

    for (const address of [byLandlord, byOther])
      expect(await readLease(address)).toContain('Zebulonqx Quandaryvz Tenant Has signed')
  })
})

test('the signing page of a request without an agreement shows the document alone', async () => {
  const { id } = await createRequest(servers.flexi)
  const address = `${servers.flexi.url}/sandbox/sign/${id}`
  expect(await readLease(address)).toBeUndefined()
  expect(await (await fetch(address)).text()).toContain('>Sign</button>')
})
