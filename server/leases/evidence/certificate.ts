import type { TimelineEntryType } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import { getKysely, type EntityManager } from '../../../db/database'
import { TimelineEntry, AgreementSignature, SignedDocument, type Agreement } from '../../../db/entities'
import type { Deps } from '../../deps'
import type { CertificateData } from '../../documents/data'
import { PAPER } from '../../domain/consent'
import { maskPhone } from '../../domain/formats'
import { renderDocument } from '../../documents/render'
import { toSha256 } from '../../domain/sha256'
import { lockAgreementById } from '../access'
import { entryKinds } from '../entries'
import { formatAddress, formatTerm, roleLabels } from '../lease-labels'
import { listObjections, selectPeople, toNaming } from '../people'
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
      const found = await loadRecords(em, agreement)
      const records = { ...found, agreement, lease, getName: toNaming(found.people, names) }
      const content = await renderDocument('certificate', toCertificate(records, deps.now()))
      await saveCertificate(em, agreementId, content, deps.now())
    }
    agreement.evidence_due_at = null
  })
}

async function loadRecords(em: EntityManager, agreement: Agreement) {
  const agreement_id = agreement.id
  const signed = { agreement_id, status: 'SIGNED' } as const
  const signatures = await em.find(AgreementSignature, signed, { orderBy: { id: 'asc' } })
  const latest = { orderBy: { position: 'desc' }, limit: MAX_ENTRIES } as const
  const entries = await em.find(TimelineEntry, { agreement_id }, latest)
  const documents = await em.find(SignedDocument, { agreement_id })

  const people = await executeCompiled(em, selectPeople, { agreementId: agreement_id })
  return { signatures, entries: entries.toReversed(), documents, people }
}

type Records = Awaited<ReturnType<typeof loadRecords>> & {
  agreement: Agreement
  lease: NonNullable<Awaited<ReturnType<typeof findSnapshots>>['lease']>
  /** Names the landlord and those who have signed; others by what the landlord says, or not at all. */
  getName: (id: number) => string
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

function toSignedAgreement(records: Records): CertificateData['agreement'] {
  const { agreement, lease } = records
  const { agreement_id, agreement_number, agreement_end_date, status } = agreement
  const { terms, premises } = lease
  return {
    agreement_id,
    agreement_number,
    status,
    status_date:
      (status === 'ACTIVE' ? (agreement.recorded_on ?? agreement.signed_date) : agreement.termination_date) ??
      null,
    unit_name: premises.unit_name,
    address: formatAddress(premises),
    term: formatTerm(terms),
    extended_to: agreement_end_date === terms.agreement_end_date ? null : agreement_end_date,
    rent_amount: terms.rent_amount,
    deposit_amount: terms.deposit_amount ?? null,
    recorded: toRecorded(records),
    document: toSentDocument(agreement),
  }
}

function toSentDocument(agreement: Agreement) {
  const { document_sha256: sha256, document_template: template, document_version: version } = agreement
  return sha256 ? { sha256, template: template ?? null, version: version ?? null } : null
}

function toRecorded(records: Records) {
  const { recorded_on, signed_date, ...agreement } = records.agreement
  const { voided_on = null, registration_number = null, stamp_number = null } = agreement
  if (!recorded_on) return null
  const objections = listObjections(records.people, records.getName)
  return { recorded_on, signed_on: signed_date!, voided_on, registration_number, stamp_number, objections }
}

/** Lists who has signed, the landlord's side first. */
function toParties(records: Records): CertificateData['parties'] {
  const { people, signatures } = records
  const signed = people.flatMap(person => {
    const signature = signatures.find(({ signer_id }) => signer_id === person.id)
    return signature ? [{ signature, ...person }] : []
  })
  return signed.map(({ signature, phone, accepted_at }) => ({
    name: records.getName(signature.signer_id),
    phone: phone && maskPhone(phone),
    role: roleLabels[signature.signer_role],
    signature_id: signature.signature_id,
    provider: signature.provider,
    provider_request_id: signature.provider_request_id ?? null,
    provider_signature_id: signature.provider_signature_id ?? null,
    asked_at: signature.created_at.toISOString(),
    viewed_at: signature.viewed_at?.toISOString() ?? null,
    signed_at: signature.signed_at?.toISOString() ?? null,
    accepted_at,
  }))
}

/** Lists the signed PDF of each signature's request, which is missing if the provider did not return it. */
function toDocuments(records: Records): CertificateData['documents'] {
  const sent = records.signatures.filter(({ provider }) => provider !== PAPER)
  const byRequest = Map.groupBy(sent, ({ provider_request_id }) => provider_request_id)
  return [...byRequest].map(([requestId, [signature]]) => {
    const found = records.documents.find(({ provider_request_id }) => provider_request_id === requestId)
    return {
      signed_by: records.getName(signature!.signer_id),
      signature_id: signature!.signature_id,
      stored: found
        ? { sha256: found.sha256, size: found.size, created_at: found.created_at.toISOString() }
        : null,
    }
  })
}

function toEntries(records: Records): CertificateData['entries'] {
  return records.entries.map(({ position, type, occurred_at, actor_id, hash }) => ({
    position,
    label: entryKinds[type as TimelineEntryType].label,
    occurred_at: occurred_at.toISOString(),
    hash,
    actor: actor_id ? records.getName(actor_id) : 'Kiraya',
  }))
}
