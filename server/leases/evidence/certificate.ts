import type { TimelineEventType } from '@kiraya/sdk/contract'
import type { Db, EntityManager } from '../../../db/database'
import {
  Agreement,
  AgreementCertificate,
  AgreementEvent,
  AgreementSignature,
  SignedDocument,
  User,
} from '../../../db/entities'
import type { Deps } from '../../deps'
import { refuse } from '../../faults'
import { parseRecordId, type RecordId } from '../../domain/record-id'
import type { Reader, UserId } from '../../http/reads/reader'
import { findTenantIds } from '../access'
import type { CertificateData } from './certificate-pdf'
import { selectVisibleAgreement } from '../queries'
import { storeMissingDocuments } from './signed-documents'
import { findSnapshots } from '../snapshots'
import type { SignerRole } from '../states'

/** A certificate has no room for more; the hash of the last one stands for all. */
const MAX_EVENTS = 1000

/**
 * Loads the certificate of completion, a PDF: the stored one if a party was erased, else a new one.
 * @throws NOT_FOUND The agreement is not visible, or not signed by all.
 */
export async function loadCertificate(deps: Deps, reader: Reader, id: string) {
  const given = parseRecordId(id, 'agreement_not_found')
  const visible = await reader.row(selectSignedDate, given, 'agreement_not_found')
  if (!visible.signed_date) throw refuse('certificate_not_found')

  const em = deps.db.em.fork()
  const agreement = await em.findOneOrFail(Agreement, visible.id)
  const stored = await em.findOne(
    AgreementCertificate,
    { agreement_id: agreement.id },
    { populate: ['content'] },
  )
  const content = stored?.content as Uint8Array | undefined
  return {
    agreement_number: agreement.agreement_number,
    content: content ?? (await generateInTurn(deps, reader, agreement.id)),
  }
}

/** The turn of a document is for drawing: a slow provider must not hold it. */
async function generateInTurn(deps: Deps, reader: Reader, agreementId: number) {
  await deps.runSigning(reader.userId, () => storeMissingDocuments(deps, agreementId))
  const { content } = await reader.inDocumentTurn(() => drawCertificate(deps, agreementId))
  return content
}

function selectSignedDate(db: Db, userId: UserId, id: RecordId) {
  return selectVisibleAgreement(db, userId, id).select(['a.id', 'a.signed_date'])
}

/**
 * Generates the certificate of an agreement that is signed by all: of what was fixed as it was signed, with its
 * signed documents, which are downloaded now if they are not stored yet.
 * @throws SERVICE_UNAVAILABLE A signed document cannot be downloaded.
 */
export async function generateCertificate(deps: Deps, agreementId: number) {
  await storeMissingDocuments(deps, agreementId)
  return drawCertificate(deps, agreementId)
}

/** Draws the certificate once its signed documents are stored. */
async function drawCertificate(deps: Deps, agreementId: number) {
  const em = deps.db.em.fork()
  const agreement = await em.findOneOrFail(Agreement, agreementId, { filters: false })
  const records = await loadRecords(em, agreement)
  const { renderCertificate } = await import('./certificate-pdf')
  const content = await renderCertificate({
    agreement: toSignedAgreement(records),
    premises: records.lease.premises,
    parties: toParties(records),
    documents: toDocuments(records),
    events: toEvents(records),
    generated_at: deps.now(),
  })
  return { content, timeline_length: agreement.timeline_length }
}

type Records = Awaited<ReturnType<typeof loadRecords>>

async function loadRecords(em: EntityManager, agreement: Agreement) {
  const agreement_id = agreement.id
  const { lease, names } = await findSnapshots(em, agreement_id)
  if (!lease) throw refuse('certificate_in_progress') // for an erasure
  const tenantIds = await findTenantIds(em, agreement)
  const sent = { agreement_id, provider_request_id: { $ne: null } }
  const signatures = await em.find(AgreementSignature, sent, { orderBy: { id: 'asc' } })
  const latest = { orderBy: { position: 'desc' }, limit: MAX_EVENTS } as const
  const events = await em.find(AgreementEvent, { agreement_id }, latest)
  const documents = await em.find(SignedDocument, { agreement_id }, { orderBy: { id: 'asc' } })

  const userIds = [agreement.landlord_id, agreement.manager_id, ...tenantIds]
  const users = await em.find(User, { id: { $in: userIds.filter(id => typeof id === 'number') } })
  const phones = new Map(users.map(({ id, phone }) => [id, phone]))
  return { agreement, lease, names, tenantIds, signatures, events: events.toReversed(), documents, phones }
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

/** Lists the landlord's side first. A landlord or manager who has not signed is left out. */
function toParties(records: Records): CertificateData['parties'] {
  const { agreement, tenantIds } = records
  const landlordSide: [number | null | undefined, SignerRole][] = [
    [agreement.landlord_id, 'LANDLORD'],
    [agreement.manager_id, 'MANAGER'],
  ]
  const parties = landlordSide.flatMap(([userId, role]) =>
    userId && hasSigned(records, userId) ? [toParty(records, userId, role)] : [],
  )
  return [...parties, ...tenantIds.map(userId => toParty(records, userId, 'TENANT'))]
}

function toParty(records: Records, userId: number, role: SignerRole): CertificateData['parties'][number] {
  const signature = findCountingSignature(records, userId)
  return {
    name: records.names[userId] ?? null,
    phone: records.phones.get(userId)!,
    role,
    signature: signature ? { ...signature, asked_at: signature.created_at } : null,
  }
}

/** Finds the signature of a party that is signed, else the latest one. */
function findCountingSignature({ signatures }: Records, userId: number) {
  const own = signatures.filter(({ signer_id }) => signer_id === userId)
  return own.find(({ status }) => status === 'SIGNED') ?? own.at(-1)
}

function hasSigned({ signatures }: Records, userId: number) {
  return signatures.some(({ signer_id, status }) => signer_id === userId && status === 'SIGNED')
}

function toDocuments({ documents, signatures }: Records): CertificateData['documents'] {
  const signed = signatures.filter(({ status }) => status === 'SIGNED')
  return documents.map(({ provider_request_id, sha256, size, created_at }) => {
    const signature = signed.find(known => known.provider_request_id === provider_request_id)!
    return { signature_id: signature.signature_id, sha256, size, stored_at: created_at }
  })
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
