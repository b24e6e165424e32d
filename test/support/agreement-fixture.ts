import { getKysely } from '../../db/database'
import { loadLockedAgreement, lockAgreementById } from '../../server/leases/access'
import { takeLeaseSnapshot, takeNameSnapshot } from '../../server/leases/snapshots'
import { appendEntry } from '../../server/leases/timeline'
import type { Deps } from '../../server/deps'
import type { BooksFixture } from './books/books-fixture'
import type { RequestFixture } from './maintenance-fixture'
import type { startTestServer } from './server'
import { createUnit, agreementTerms, type TestUser } from './users'

export type Parties = { owner: TestUser; manager: TestUser; tenant: TestUser }
export type State = 'DRAFT' | 'PENDING' | 'ACTIVE' | 'TERMINATED'

/** A managed unit with an agreement in a state of it; the tenant has been asked to sign, or has signed. */
export async function createAgreementIn(
  it: Pick<Awaited<ReturnType<typeof startTestServer>>, 'em' | 'deps'>,
  { owner, manager, tenant }: Parties,
  status: State = 'DRAFT',
) {
  const { property, unit } = await createUnit(owner, { managed_by_id: manager.id })
  const {
    body: { data: agreement },
  } = await owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id]))
  const db = getKysely(it.em())
  const request = { provider: 'sandbox', provider_request_id: crypto.randomUUID() }
  await db
    .updateTable('agreements')
    .set({ status, signed_date: status === 'ACTIVE' ? '2026-01-01' : null })
    .where('id', '=', agreement.id)
    .execute()
  const { signature_id } = await db
    .insertInto('agreement_signatures')
    .values({
      ...request,
      status: status === 'ACTIVE' ? 'SIGNED' : 'PENDING',
      agreement_id: agreement.id,
      signer_id: tenant.id,
      signer_role: 'TENANT',
      signing_url: 'https://example.com/sign',
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .returning('signature_id')
    .executeTakeFirstOrThrow()
  if (status === 'ACTIVE') {
    await db
      .insertInto('signed_documents')
      .values({
        ...request,
        agreement_id: agreement.id,
        sha256: 'a'.repeat(64),
        size: 5,
        content: Buffer.from('%PDF-'),
      })
      .execute()
    await recordSigning(it.deps, agreement.id, tenant.id)
  }
  return { property, unit, agreement, signature_id }
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

/** The path of a route with its places filled from a world, by number or by UUID. */
export function toPath(
  path: string,
  fixture: AgreementFixture & Partial<BooksFixture & RequestFixture>,
  by: 'id' | 'uuid' = 'id',
) {
  const { property, unit, agreement, signature_id, charge, payment, request, attachment } = fixture
  const nouns: Record<string, [record: any, uuid: string]> = {
    properties: [property, 'property_id'],
    charges: [charge ?? agreement, charge ? 'charge_id' : 'agreement_id'],
    payments: [payment ?? agreement, payment ? 'payment_id' : 'agreement_id'],
    'maintenance-requests': [request ?? agreement, request ? 'request_id' : 'agreement_id'],
  }
  const [record, key] = nouns[path.split('/')[1]!] ?? [agreement, 'agreement_id']
  const ids: Record<string, string> = {
    id: by === 'uuid' ? record[key] : record.id,
    unitId: by === 'uuid' ? unit.property_unit_id : unit.id,
    signatureId: signature_id,
    revisionId: '2147483647',
    attachmentId: attachment?.attachment_id ?? '2147483647',
  }
  return path.replace(
    /\{(\w+)\}|:(\w+)/g,
    (_, braced?: string, plain?: string) => ids[braced ?? plain ?? ''] ?? '',
  )
}
