import type { TimelineEventType } from '@kiraya/sdk/contract'
import type { Db, EntityManager } from '../../db/database'
import {
  Agreement,
  AgreementCertificate,
  AgreementEvent,
  AgreementSignature,
  Property,
  PropertyUnit,
  SignedDocument,
  User,
} from '../../db/entities'
import type { Deps } from '../deps'
import { refuse } from '../faults'
import { parseRecordId, type RecordId } from '../domain/record-id'
import type { SessionReader, UserIdExpression } from '../http/authentication'
import { findTenantIds } from './access'
import type { CertificateData } from './certificate-pdf'
import { selectVisibleAgreement } from './queries'
import type { SignerRole } from './states'

/**
 * Loads the certificate of completion, a PDF: the stored one if a party was erased, else a new one.
 * @throws NOT_FOUND The agreement is not visible, or not signed by all.
 */
export async function loadCertificate(deps: Deps, reader: SessionReader, id: string) {
  const given = parseRecordId(id, 'agreement_not_found')
  const visible = await reader.row('agreement_not_found', selectSignedDate, given)
  if (!visible.signed_date) throw refuse('certificate_not_found')

  const em = deps.db.em.fork()
  const agreement = await em.findOneOrFail(Agreement, visible.id)
  const stored = await em.findOne(
    AgreementCertificate,
    { agreement_id: agreement.id },
    { populate: ['content'] },
  )
  const content = (stored?.content as Uint8Array | undefined) ?? (await generateCertificate(deps, agreement))
  return { agreement_number: agreement.agreement_number, content }
}

function selectSignedDate(db: Db, userId: UserIdExpression, id: RecordId) {
  return selectVisibleAgreement(db, userId, id).select(['a.id', 'a.signed_date'])
}

/** Generates the certificate from the current records. */
export async function generateCertificate(deps: Deps, agreement: Agreement) {
  const records = await loadRecords(deps.db.em.fork(), agreement)
  const statusDate = agreement.status === 'ACTIVE' ? agreement.signed_date : agreement.termination_date
  // Its fonts and text shaper take memory: they are loaded by the processes that need them.
  const { renderCertificate } = await import('./certificate-pdf')
  return renderCertificate({
    agreement: { ...agreement, status_date: statusDate },
    unit: records.unit,
    property: records.property,
    parties: toParties(records),
    documents: toDocuments(records),
    events: toEvents(records),
    generated_at: deps.now(),
  })
}

type Records = Awaited<ReturnType<typeof loadRecords>>

async function loadRecords(em: EntityManager, agreement: Agreement) {
  const agreement_id = agreement.id
  const unit = await em.findOneOrFail(PropertyUnit, agreement.property_unit_id, { filters: false })
  const property = await em.findOneOrFail(Property, unit.property_id, { filters: false })
  const tenantIds = await findTenantIds(em, agreement)
  const sent = { agreement_id, provider_request_id: { $ne: null } }
  const signatures = await em.find(AgreementSignature, sent, { orderBy: { id: 'asc' } })
  const events = await em.find(AgreementEvent, { agreement_id }, { orderBy: { position: 'asc' } })
  const documents = await em.find(SignedDocument, { agreement_id }, { orderBy: { id: 'asc' } })

  const actorIds = events.map(({ actor_id }) => actor_id)
  const userIds = [agreement.landlord_id, agreement.manager_id, ...tenantIds, ...actorIds]
  const users = await em.find(User, { id: { $in: userIds.filter(id => typeof id === 'number') } })
  const usersById = new Map(users.map(user => [user.id, user]))
  return { agreement, unit, property, tenantIds, signatures, events, documents, usersById }
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
  const { first_name, last_name, phone } = records.usersById.get(userId)!
  const signature = findCountingSignature(records, userId)
  return {
    first_name,
    last_name,
    phone,
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
function toEvents(records: Records): CertificateData['events'] {
  const { agreement, events, usersById } = records
  const getName = (userId: number) => {
    const isShown = userId === agreement.landlord_id || hasSigned(records, userId)
    const user = isShown ? usersById.get(userId) : undefined
    return [user?.first_name, user?.last_name].filter(Boolean).join(' ') || `User ${userId}`
  }
  return events.map(({ position, type, occurred_at, actor_id, hash }) => ({
    position,
    type: type as TimelineEventType,
    occurred_at,
    hash,
    actor: actor_id ? getName(actor_id) : null,
  }))
}
