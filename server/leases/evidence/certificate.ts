import type { TimelineEventType } from '@kiraya/sdk/contract'
import { getKysely, type EntityManager } from '../../../db/database'
import {
  AgreementEvent,
  AgreementSignature,
  SignedDocument,
  User,
  type Agreement,
} from '../../../db/entities'
import type { Deps } from '../../deps'
import { toSha256 } from '../../domain/sha256'
import { loadLockedAgreement, lockAgreementById } from '../access'
import type { CertificateData } from './certificate-pdf'
import { findSnapshots } from '../snapshots'

/** A certificate has no room for more; the hash of the last one stands for all. */
const MAX_EVENTS = 1000

/**
 * Draws and stores the certificate of an agreement that is signed by all: of what was fixed as it was signed, with its
 * signed PDFs. Once an erasure has removed the snapshots, the stored certificate is final.
 */
export function storeCertificate(deps: Deps, agreementId: number) {
  return deps.db.transactional(async em => {
    const agreement = await lockAgreementById(em, agreementId)
    const { lease, names } = await findSnapshots(em, agreementId)
    if (lease) {
      const records = { agreement, lease, names, ...(await loadRecords(em, agreement)) }
      const content = await drawCertificate(records, deps.now())
      await saveCertificate(em, agreementId, content, deps.now())
    }
    agreement.evidence_due_at = null
  })
}

async function loadRecords(em: EntityManager, agreement: Agreement) {
  const agreement_id = agreement.id
  const { tenantIds } = await loadLockedAgreement(em, agreement)
  const signed = { agreement_id, status: 'SIGNED' } as const
  const signatures = await em.find(AgreementSignature, signed, { orderBy: { id: 'asc' } })
  const latest = { orderBy: { position: 'desc' }, limit: MAX_EVENTS } as const
  const events = await em.find(AgreementEvent, { agreement_id }, latest)
  const documents = await em.find(SignedDocument, { agreement_id })

  const userIds = [agreement.landlord_id, agreement.manager_id, ...tenantIds]
  const users = await em.find(User, { id: { $in: userIds.filter(id => typeof id === 'number') } })
  const phones = new Map(users.map(({ id, phone }) => [id, phone]))
  return { tenantIds, signatures, events: events.toReversed(), documents, phones }
}

type Snapshots = Awaited<ReturnType<typeof findSnapshots>>
type Records = Awaited<ReturnType<typeof loadRecords>> & {
  agreement: Agreement
  lease: NonNullable<Snapshots['lease']>
  names: Snapshots['names']
}

async function drawCertificate(records: Records, generated_at: Date) {
  const { renderCertificate } = await import('./certificate-pdf')
  return renderCertificate({
    agreement: toSignedAgreement(records),
    premises: records.lease.premises,
    parties: toParties(records),
    documents: toDocuments(records),
    events: toEvents(records),
    generated_at,
  })
}

async function saveCertificate(em: EntityManager, agreementId: number, content: Uint8Array, now: Date) {
  const certificate = { sha256: toSha256(content), content: Buffer.from(content), created_at: now }
  await getKysely(em)
    .insertInto('agreement_certificates')
    .values({ agreement_id: agreementId, ...certificate })
    .onConflict(conflict => conflict.column('agreement_id').doUpdateSet(certificate))
    .execute()
}

function toSignedAgreement({ agreement, lease }: Records): CertificateData['agreement'] {
  const { agreement_end_date } = agreement
  return {
    ...agreement,
    ...lease.terms,
    extended_to: agreement_end_date === lease.terms.agreement_end_date ? null : agreement_end_date,
    status_date: agreement.status === 'ACTIVE' ? agreement.signed_date : agreement.termination_date,
  }
}

/** Lists who has signed, the landlord's side first. */
function toParties({ agreement, tenantIds, signatures, names, phones }: Records): CertificateData['parties'] {
  const ids = [agreement.landlord_id, agreement.manager_id, ...tenantIds]
  return ids.flatMap(id => {
    const signature = signatures.find(({ signer_id }) => signer_id === id)
    if (!signature) return []
    const { signer_id, signer_role: role, created_at: asked_at } = signature
    return [{ name: names[signer_id] ?? null, phone: phones.get(signer_id)!, role, ...signature, asked_at }]
  })
}

/** Lists the signed PDF of each signature's request, which is missing if the provider did not return it. */
function toDocuments({ documents, signatures }: Records): CertificateData['documents'] {
  const byRequest = Map.groupBy(signatures, ({ provider_request_id }) => provider_request_id)
  return [...byRequest].map(([requestId, [signature]]) => ({
    signature_id: signature!.signature_id,
    stored: documents.find(({ provider_request_id }) => provider_request_id === requestId),
  }))
}

/** Names the landlord and those who have signed; others have not agreed to be shown. */
function toEvents({ events, names }: Records): CertificateData['events'] {
  return events.map(({ position, type, occurred_at, actor_id, hash }) => ({
    position,
    type: type as TimelineEventType,
    occurred_at,
    hash,
    actor: actor_id ? (names[actor_id] ?? `User ${actor_id}`) : null,
  }))
}
