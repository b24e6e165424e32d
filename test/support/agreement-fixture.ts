import { loadLockedAgreement, lockAgreementById } from '../../server/leases/access'
import { takeLeaseSnapshot, takeNameSnapshot } from '../../server/leases/snapshots'
import { appendEntry } from '../../server/leases/timeline'
import type { Deps } from '../../server/deps'
import type { startTestServer } from './server'
import { createUnit, agreementTerms, type TestUser } from './users'
import { insertSignature } from './signatures'

export type Parties = { owner: TestUser; manager: TestUser; tenant: TestUser }
export type State = 'DRAFT' | 'PENDING' | 'ACTIVE' | 'RECORDED' | 'TERMINATED'

/** A managed unit with an agreement in a state of it; the tenant has been asked to sign, or has signed, also on paper. */
export async function createAgreementIn(
  it: Pick<Awaited<ReturnType<typeof startTestServer>>, 'db' | 'deps'>,
  { owner, manager, tenant }: Parties,
  state: State = 'DRAFT',
) {
  const { property, unit } = await createUnit(owner, { managed_by_id: manager.id })
  const {
    body: { data: agreement },
  } = await owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id]))
  const db = it.db
  const isRecorded = state === 'RECORDED'
  const status = isRecorded ? 'ACTIVE' : state
  const request = { provider: isRecorded ? 'paper' : 'sandbox', provider_request_id: crypto.randomUUID() }
  await db
    .updateTable('agreements')
    .set({
      status,
      signed_date: status === 'ACTIVE' ? '2026-01-01' : null,
      recorded_on: isRecorded ? '2026-01-01' : null,
    })
    .where('id', '=', agreement.id)
    .execute()
  const { signature_id } = await insertSignature(db, agreement, tenant, {
    ...request,
    status: status === 'ACTIVE' ? 'SIGNED' : 'PENDING',
    signing_url: 'https://example.com/sign',
    expires_at: new Date(Date.now() + 3_600_000),
  })
  if (status === 'ACTIVE') {
    await db
      .insertInto('signed_documents')
      .values({
        ...request,
        agreement_id: agreement.id,
        sha256: 'a'.repeat(64),
        size: 5,
        content: Buffer.from('%PDF-'),
        created_at: new Date(),
      })
      .execute()
    await recordSigning(it.deps, agreement.id, tenant.id)
  }
  return { property, unit, agreement, signature: { signature_id } }
}
/** Appends the entries of a signing, with their snapshots. */
function recordSigning({ db, now }: Deps, id: number, tenantId: number) {
  return db.transactional(async em => {
    const agreement = await lockAgreementById(em, id)
    const locked = await loadLockedAgreement(em, agreement)
    const { landlord_id } = agreement
    await appendEntry(em, now(), locked, 'sent', landlord_id, {}, await takeLeaseSnapshot(em, agreement))
    const signed = await takeNameSnapshot(em, agreement, tenantId)
    await appendEntry(em, now(), locked, 'signed', tenantId, {}, signed)
  })
}

export type AgreementFixture = Awaited<ReturnType<typeof createAgreementIn>>
