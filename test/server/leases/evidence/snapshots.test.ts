import { describe, expect, test } from 'bun:test'
import { storeDueEvidence } from '../../../../server/leases/evidence/job'
import { readCertificate } from '../../../support/certificate-text'
import { testServer } from '../../../support/server'
import {
  agreementTerms,
  completeProfile,
  completeSigning,
  createActiveAgreement,
  createLandlord,
  createPendingAgreement,
  createProperty,
  signInUser,
} from '../../../support/users'
import { createParties, findIn, isIntact, REWRITTEN, rewriteAll, selectEntries, SIGNED } from '../rewriting'

// A certificate states what was signed, whatever becomes of the unit, the building and the profiles.

const server = testServer()

describe('a certificate shows', () => {
  test('the unit, building and names as they were signed, also after the lease has ended', async () => {
    const { landlord, tenant } = await createParties(server)
    const lease = await createActiveAgreement(landlord, [tenant])

    await rewriteAll(landlord, tenant, lease)
    const { text } = await readCertificate(server, tenant, lease.agreement.id)
    expect([findIn(text, SIGNED), findIn(text, REWRITTEN)]).toEqual([SIGNED, []])
    expect(await isIntact(tenant, lease.path)).toBe(true)

    await landlord.post(`${lease.path}/terminate`)
    await storeDueEvidence(server.deps)
    const ended = await readCertificate(server, tenant, lease.agreement.id)
    expect([findIn(ended.text, SIGNED), findIn(ended.text, REWRITTEN)]).toEqual([SIGNED, []])
    expect(ended.text).toContain('Terminated on')
  })

  test('unit and building as of the first request to sign, the name as of the own signature', async () => {
    const { landlord, tenant } = await createParties(server)
    const lease = await createPendingAgreement(landlord, [tenant])

    await rewriteAll(landlord, tenant, lease)
    await completeSigning(tenant, lease.agreement.id, tenant.id)

    const { text } = await readCertificate(server, tenant, lease.agreement.id)
    expect(findIn(text, SIGNED)).toEqual(['A-101', 'White House', 'Asha Rao'])
    expect(findIn(text, REWRITTEN)).toEqual(['Usha Menon'])
  })

  test('the landlord by the name as of the first request, if the manager signs instead', async () => {
    const [{ landlord, tenant }, manager] = [await createParties(server), await createLandlord(server)]
    const { property } = await createProperty(landlord, {
      property_units: [{ unit_name: 'A-101', managed_by_id: manager.id }],
    })
    const terms = agreementTerms(property.property_units[0].id, [tenant.id])
    const { data: agreement } = await landlord.post('/agreements', terms)
    for (const { id } of [manager, tenant]) await completeSigning(landlord, agreement.id, id)

    await completeProfile(landlord, { first_name: 'Indira', last_name: 'Nair' })

    const { text } = await readCertificate(server, tenant, agreement.id)
    expect(text).toContain('Agreement drawn up Asha Rao')
    expect(text).not.toContain('Indira')
  })

  test('the term that was signed, and until when a renewal extended it', async () => {
    const { landlord, tenant } = await createParties(server)
    const { agreement } = await createActiveAgreement(landlord, [tenant])
    await server.db
      .updateTable('agreements')
      .set({ agreement_end_date: '2028-09-30' })
      .where('id', '=', agreement.id)
      .execute()

    const { text } = await readCertificate(server, tenant, agreement.id)
    expect(text).toContain('1 Dec 2026 to 31 Oct 2027 (11 months)')
    expect(text).toContain('Extended to 30 Sep 2028')
  })
})

test("a certificate shows the building's locality, not the alias that another landlord gave", async () => {
  const [{ landlord, tenant }, creator] = [await createParties(server), await signInUser(server)]
  const building = { society_building: null, locality: 'Indiranagar', alias_name: 'Zebulonqx' }
  const { property } = await createProperty(creator, building)
  const added = await landlord.post(`/properties/${property.property_id}/units`, { unit_name: 'C-3' })
  const terms = agreementTerms(added.data.id, [tenant.id])
  const { data: agreement } = await landlord.post('/agreements', terms)
  for (const party of [landlord, tenant]) await completeSigning(party, agreement.id, party.id)

  const { text } = await readCertificate(server, tenant, agreement.id)
  expect(findIn(text, ['Unit C-3', 'Address Indiranagar', 'Zebulonqx'])).toEqual([
    'Unit C-3',
    'Address Indiranagar',
  ])
})

test('two signatures under one name have different hashes, so that none tells an erased name', async () => {
  const { landlord, tenant } = await createParties(server)
  const leases = [
    await createActiveAgreement(landlord, [tenant]),
    await createActiveAgreement(landlord, [tenant]),
  ]
  const hashes = await Promise.all(
    leases.map(async ({ path }) => {
      const { data } = await landlord.get(`${path}/timeline`)
      const signed = data.entries.filter(({ type }: { type: string }) => type === 'signed')
      return signed.map(({ details }: { details: object }) => details)
    }),
  )
  const all = hashes.flat().map(({ snapshot_sha256 }) => snapshot_sha256)
  expect([all.length, new Set(all).size]).toEqual([4, 4])
})

test('a snapshot that was changed in the database is noticed, and not certified', async () => {
  const { landlord, tenant } = await createParties(server)
  const { agreement, path } = await createActiveAgreement(landlord, [tenant])
  const [sent] = (await selectEntries(server, agreement.id)).filter(({ type }) => type === 'sent')
  await server.db
    .updateTable('timeline_entries')
    .set({ snapshot: sent!.snapshot!.replace('A-101', 'B-202') })
    .where('agreement_id', '=', agreement.id)
    .where('type', '=', 'sent')
    .where('snapshot', 'is not', null)
    .execute()

  expect(await isIntact(tenant, path)).toBe(false)
  expect((await readCertificate(server, tenant, agreement.id)).status).toBe(500)
})
