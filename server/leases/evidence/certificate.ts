import type { TimelineEntryType } from '@kiraya/sdk/contract'
import { getKysely, type EntityManager } from '../../../db/database'
import { TimelineEntry, AgreementSignature, SignedDocument, User, type Agreement } from '../../../db/entities'
import type { Deps } from '../../deps'
import type { CertificateData } from '../../documents/data'
import { toShownName } from '../../documents/names'
import { maskPhone } from '../../domain/formats'
import { renderDocument } from '../../documents/render'
import { toSha256 } from '../../domain/sha256'
import { loadLockedAgreement, lockAgreementById } from '../access'
import { entryKinds } from '../entries'
import { formatAddress, formatTerm, roleLabels } from '../lease-labels'
import { findSnapshots } from '../snapshots'

/** A certificate has no room for more; the hash of the last one stands for all. */
const MAX_ENTRIES = 1000

/**
 * Renders and stores the certificate of an agreement that is signed by all: of what was fixed as it was signed, with its
 * signed PDFs. Once an erasure has removed the snapshots, the stored certificate is final.
 */
export function storeCertificate(deps: Deps, agreementId: number) {
  return deps.db.transactional(async em => {
    const agreement = await lockAgreementById(em, agreementId)
    const { lease, names } = await findSnapshots(em, agreementId)
    if (lease) {
      const records = { agreement, lease, names, ...(await loadRecords(em, agreement)) }
      const content = await renderDocument('certificate', toCertificate(records, deps.now()))
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
  const latest = { orderBy: { position: 'desc' }, limit: MAX_ENTRIES } as const
  const entries = await em.find(TimelineEntry, { agreement_id }, latest)
  const documents = await em.find(SignedDocument, { agreement_id })

  const userIds = [agreement.landlord_id, agreement.manager_id, ...tenantIds]
  const users = await em.find(User, { id: { $in: userIds.filter(id => typeof id === 'number') } })
  const phones = new Map(users.map(({ id, phone }) => [id, phone]))
  return { tenantIds, signatures, entries: entries.toReversed(), documents, phones }
}

type Snapshots = Awaited<ReturnType<typeof findSnapshots>>
type Records = Awaited<ReturnType<typeof loadRecords>> & {
  agreement: Agreement
  lease: NonNullable<Snapshots['lease']>
  names: Snapshots['names']
}

function toCertificate(records: Records, generatedAt: Date): CertificateData {
  return {
    agreement: toSignedAgreement(records),
    parties: toParties(records),
    documents: toDocuments(records),
    entries: toEntries(records),
    generated_at: generatedAt.toISOString(),
  }
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
  const { agreement_id, agreement_number, agreement_end_date, status } = agreement
  const { terms, premises } = lease
  return {
    agreement_id,
    agreement_number,
    status,
    status_date: (status === 'ACTIVE' ? agreement.signed_date : agreement.termination_date) ?? null,
    unit_name: premises.unit_name,
    address: formatAddress(premises),
    term: formatTerm(terms),
    extended_to: agreement_end_date === terms.agreement_end_date ? null : agreement_end_date,
    rent_amount: terms.rent_amount,
    deposit_amount: terms.deposit_amount ?? null,
  }
}

/** Lists who has signed, the landlord's side first. */
function toParties(records: Records): CertificateData['parties'] {
  const { agreement, tenantIds, signatures, phones } = records
  const ids = [agreement.landlord_id, agreement.manager_id, ...tenantIds]
  const signed = ids.flatMap(id => signatures.filter(({ signer_id }) => signer_id === id).slice(0, 1))
  return signed.map(signature => ({
    name: getSignerName(records, signature),
    phone: maskPhone(phones.get(signature.signer_id)!),
    role: roleLabels[signature.signer_role],
    signature_id: signature.signature_id,
    provider: signature.provider,
    provider_request_id: signature.provider_request_id ?? null,
    provider_signature_id: signature.provider_signature_id ?? null,
    asked_at: signature.created_at.toISOString(),
    viewed_at: signature.viewed_at?.toISOString() ?? null,
    signed_at: signature.signed_at?.toISOString() ?? null,
  }))
}

function getSignerName({ names, phones }: Records, { signer_id }: AgreementSignature) {
  const [name, phone] = [names[signer_id], phones.get(signer_id)!]
  return name ? toShownName(name, phone) : maskPhone(phone)
}

/** Lists the signed PDF of each signature's request, which is missing if the provider did not return it. */
function toDocuments(records: Records): CertificateData['documents'] {
  const byRequest = Map.groupBy(records.signatures, ({ provider_request_id }) => provider_request_id)
  return [...byRequest].map(([requestId, [signature]]) => {
    const found = records.documents.find(({ provider_request_id }) => provider_request_id === requestId)
    return {
      signed_by: getSignerName(records, signature!),
      signature_id: signature!.signature_id,
      stored: found
        ? { sha256: found.sha256, size: found.size, created_at: found.created_at.toISOString() }
        : null,
    }
  })
}

/** Names the landlord and those who have signed; others have not agreed to be shown. */
function toEntries({ entries, names, phones }: Records): CertificateData['entries'] {
  const toActor = (name: string | null | undefined, id: number) =>
    name ? toShownName(name, phones.get(id)) : `User ${id}`
  return entries.map(({ position, type, occurred_at, actor_id, hash }) => ({
    position,
    label: entryKinds[type as TimelineEntryType].label,
    occurred_at: occurred_at.toISOString(),
    hash,
    actor: actor_id ? toActor(names[actor_id], actor_id) : 'Kiraya',
  }))
}
