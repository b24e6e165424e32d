import { describe, expect, test } from 'bun:test'
import { storeDueEvidence } from '../../../server/leases/evidence/job'
import { createLease } from '../../support/books/lease-fixture'
import { readCertificate } from '../../support/certificate-text'
import { clock, testServer } from '../../support/server'
import {
  agreementTerms,
  completeSigning,
  createActiveAgreement,
  createPendingAgreement,
  createUnit,
  signInUser,
} from '../../support/users'
import {
  createParties,
  findIn,
  isIntact,
  REWRITTEN,
  rewriteLease,
  selectEntries,
  SIGNED,
} from '../leases/rewriting'
import { erase } from './erasing'

const time = clock(new Date('2026-11-22T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

async function findSnapshots(agreementId: number) {
  const entries = await selectEntries(server, agreementId)
  return entries.map(({ snapshot }) => snapshot).filter(Boolean)
}

describe('an erasure', () => {
  test('removes the snapshots of an ended lease, whose stored certificate is final', async () => {
    const { landlord, tenant } = await createParties(server)
    const lease = await createActiveAgreement(landlord, [tenant])
    await rewriteLease(landlord, lease)
    await landlord.post(`${lease.path}/terminate`)

    await erase(server, tenant)

    expect(await findSnapshots(lease.agreement.id)).toEqual([])
    // A later run of the job has nothing to draw another from.
    const due = { evidence_due_at: time.now() }
    await server.db.updateTable('agreements').set(due).where('id', '=', lease.agreement.id).execute()
    await storeDueEvidence(server.deps)
    const { text } = await readCertificate(server, landlord, lease.agreement.id)
    expect([findIn(text, SIGNED), findIn(text, REWRITTEN)]).toEqual([SIGNED, []])
    const documents = server.db.selectFrom('signed_documents').where('agreement_id', '=', lease.agreement.id)
    const hashes = (await documents.select('sha256').execute()).map(({ sha256 }) => sha256)
    expect(hashes).toHaveLength(2)
    for (const hash of hashes) expect(text.replaceAll(' ', '')).toContain(hash)
    expect(await isIntact(landlord, lease.path)).toBe(true)
  })

  test('removes the snapshots of a lease that was withdrawn before all had signed', async () => {
    const { landlord, tenant } = await createParties(server)
    const { agreement, path } = await createPendingAgreement(landlord, [tenant])
    await landlord.post(`${path}/terminate`)

    await erase(server, landlord)

    expect(await findSnapshots(agreement.id)).toEqual([])
  })

  test('of a manager who has not signed leaves the others what they sign', async () => {
    const [{ landlord, tenant }, manager] = [await createParties(server), await signInUser(server)]
    const { property, unit } = await createUnit(landlord, { managed_by_id: manager.id })
    const { data: agreement } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
    await completeSigning(landlord, agreement.id, landlord.id)
    await erase(server, manager)

    await rewriteLease(landlord, { property, unit })
    await completeSigning(tenant, agreement.id, tenant.id)

    const { text } = await readCertificate(server, tenant, agreement.id)
    expect([findIn(text, SIGNED), findIn(text, REWRITTEN)]).toEqual([SIGNED, []])
  })

  test('of a tenant leaves the books as evidence', async () => {
    const { landlord, tenant, path, agreement } = await createLease(server, {
      agreement_start_date: '2026-10-01',
    })
    await landlord.post(`${path}/payments`, { amount: 20_000, method: 'upi', reference: 'U-1' })
    await landlord.post(`${path}/terminate`, {})
    const loadBooks = async () => {
      const journals = server.db.selectFrom('journals').where('agreement_id', '=', agreement.id)
      const hashes = await journals.orderBy('position').select('hash').execute()
      return { hashes, payments: (await landlord.get('/payments')).data }
    }
    const before = await loadBooks()
    expect(before.hashes.length).toBeGreaterThan(0)

    await erase(server, tenant)

    expect(await loadBooks()).toEqual(before)
  })
})
