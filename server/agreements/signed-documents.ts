import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { DocumentQuery, TimelineEventType } from '@kiraya/sdk/contract'
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
import { query, type Db } from '../../db/orm'
import { records, transact } from '../../db/records'
import type { Deps } from '../deps'
import { notFound } from '../faults'
import { type SessionReader, type UserIdExpression } from '../http/authentication'
import { getSigningProvider, listSigningProviderNames } from '../providers/signing/lookup'
import { findTenantIds } from './access'
import { selectVisibleAgreement } from './queries'
import { appendEvent } from './timeline'
import { parseRecordId, type RecordId } from '../domain/record-id'

/** Fetches the signed PDF of a signature's request and keeps it with its SHA-256, once; another signature may have brought it already. */
export async function storeSignedDocument(
  deps: Deps,
  { id, agreement_id, signature_id, provider, provider_request_id }: AgreementSignature,
) {
  const db = records(deps.orm)
  const request = { provider, provider_request_id: provider_request_id! }
  const now = deps.now()
  const content = (await db.count(SignedDocument, request))
    ? undefined
    : await getSigningProvider(deps, provider).download(request.provider_request_id)
  await transact(deps.orm, async tx => {
    const agreement = await tx.findOneOrFail(
      Agreement,
      { id: agreement_id },
      { lock: 'update', filters: false },
    )
    if (content && !(await tx.count(SignedDocument, request))) {
      const sha256 = createHash('sha256').update(content).digest('hex')
      await tx.insert(SignedDocument, {
        ...request,
        agreement_id,
        sha256,
        size: content.length,
        content: Buffer.from(content),
        created_at: now,
      })
      const held = {
        agreement,
        unit: await tx.findOneOrFail(PropertyUnit, { id: agreement.property_unit_id }, { filters: false }),
        tenantIds: await findTenantIds(tx, agreement),
      }
      await appendEvent(tx, now, held, 'document_stored', null, {
        signature_id,
        sha256,
        size: content.length,
      })
    }
    await tx.update(AgreementSignature, { id }, { document_due_at: null })
  })
}

const signedBy = (
  db: Db,
  me: UserIdExpression,
  { of, signature_id }: { of: RecordId; signature_id: string | undefined },
) =>
  selectVisibleAgreement(db, me, of).select([
    'a.agreement_number',
    e =>
      db
        .selectFrom('agreement_signatures as s')
        .where('s.agreement_id', '=', e.ref('a.id'))
        .where('s.status', '=', 'SIGNED')
        .where(sql<boolean>`a.signed_date is not null`)
        .$if(signature_id !== undefined, these => these.where('s.signature_id', '=', signature_id!))
        .orderBy('s.signed_at', 'desc')
        .orderBy('s.id', 'desc')
        .limit(1)
        .select('s.id')
        .as('signature'),
  ])
const whenSigned = (db: Db, me: UserIdExpression, id: RecordId) =>
  selectVisibleAgreement(db, me, id).select(['a.id', 'a.signed_date'])

/** The signed PDF: that of the given signature, else of the last. One that is not kept yet is fetched now. */
export async function loadSignedDocument(
  deps: Deps,
  asker: SessionReader,
  id: string,
  { signature_id }: DocumentQuery,
) {
  const { agreement_number, signature } = await asker.row('Agreement', signedBy, {
    of: parseRecordId(id, 'Agreement'),
    signature_id,
  })
  if (signature === null) throw notFound('Signed document')
  const db = records(deps.orm)
  const signed = await db.findOneOrFail(AgreementSignature, { id: signature })
  const request = { provider: signed.provider, provider_request_id: signed.provider_request_id! }
  const find = () => db.findOne(SignedDocument, request, { populate: ['content'] })
  let document = await find()
  if (!document) {
    await storeSignedDocument(deps, signed)
    document = await find()
  }
  return { agreement_number, content: document!.content as Uint8Array, sha256: document!.sha256 }
}

/** The certificate of completion: who signed what when, with the hashes and the provider's ids. */
export async function loadCertificate(deps: Deps, asker: SessionReader, id: string) {
  const { id: agreement_id, signed_date } = await asker.row(
    'Agreement',
    whenSigned,
    parseRecordId(id, 'Agreement'),
  )
  if (!signed_date) throw notFound('Certificate')
  const db = records(deps.orm)
  const kept = await db.findOne(AgreementCertificate, { agreement_id }, { populate: ['content'] })
  const agreement = await db.findOneOrFail(Agreement, { id: agreement_id })
  return {
    agreement_number: agreement.agreement_number,
    content: (kept?.content as Uint8Array | undefined) ?? (await generateCertificate(deps, agreement)),
  }
}

/** The certificate as the records tell it now. */
export async function generateCertificate(deps: Deps, agreement: Agreement) {
  const db = records(deps.orm)
  const agreement_id = agreement.id
  const unit = await db.findOneOrFail(PropertyUnit, { id: agreement.property_unit_id }, { filters: false })
  const property = await db.findOneOrFail(Property, { id: unit.property_id }, { filters: false })
  const tenantIds = await findTenantIds(db, agreement)
  const signatures = await db.find(
    AgreementSignature,
    { agreement_id, provider_request_id: { $ne: null } },
    { orderBy: { id: 'asc' } },
  )
  const signed = signatures.filter(({ status }) => status === 'SIGNED')
  const events = await db.find(AgreementEvent, { agreement_id }, { orderBy: { position: 'asc' } })
  const documents = await db.find(SignedDocument, { agreement_id }, { orderBy: { id: 'asc' } })
  const users = new Map(
    (
      await db.find(User, {
        id: {
          $in: [
            agreement.landlord_id,
            agreement.manager_id,
            ...tenantIds,
            ...events.map(({ actor_id }) => actor_id),
          ].filter(user => user !== null && user !== undefined),
        },
      })
    ).map(user => [user.id, user]),
  )
  const counting = (userId: number) =>
    signed.find(({ signer_id }) => signer_id === userId) ??
    signatures.findLast(({ signer_id }) => signer_id === userId)
  const side = [
    [agreement.landlord_id, 'LANDLORD'],
    [agreement.manager_id, 'MANAGER'],
  ] as const
  const asked = side.flatMap(([user, role]) => (user && counting(user) ? [[user, role] as const] : []))
  const actorName = (userId: number) =>
    [users.get(userId)?.first_name, users.get(userId)?.last_name].filter(Boolean).join(' ') ||
    `User ${userId}`

  const { renderCertificate } = await import('./certificate-pdf') // its fonts and shaper are loaded by those alone who need them
  return renderCertificate({
    agreement: {
      ...agreement,
      status_date: agreement.status === 'ACTIVE' ? agreement.signed_date : agreement.termination_date,
    },
    unit,
    property,
    parties: [...asked, ...tenantIds.map(user => [user, 'TENANT'] as const)].map(([user, role]) => {
      const { first_name, last_name, phone } = users.get(user)!
      const signature = counting(user)
      return {
        first_name,
        last_name,
        phone,
        role,
        signature: signature ? { ...signature, asked_at: signature.created_at } : null,
      }
    }),
    documents: documents.map(({ provider_request_id, sha256, size, created_at }) => ({
      signature_id: signed.find(signature => signature.provider_request_id === provider_request_id)!
        .signature_id,
      sha256,
      size,
      stored_at: created_at,
    })),
    events: events.map(({ position, type, occurred_at, actor_id, hash }) => ({
      position,
      type: type as TimelineEventType,
      occurred_at,
      hash,
      actor: actor_id ? actorName(actor_id) : null,
    })),
    generated_at: deps.now(),
  })
}

/** A PDF as a download; the digest is RFC 9530's. */
export const toPdfResponse = (
  name: string,
  content: Uint8Array,
  sha256 = createHash('sha256').update(content).digest('hex'),
) =>
  new Response(content as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${name.replace(/[^\w .-]/g, '_')}.pdf"; filename*=UTF-8''${encodeURIComponent(`${name}.pdf`)}`,
      'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
      etag: `"${sha256}"`,
      'cache-control': 'private, no-store',
    },
  })

/** Signed PDFs that are due, taken by putting their next try off. */
export async function leaseDueDocuments(deps: Deps, most: number) {
  const at = deps.now()
  const db = query(deps.orm)
  return db
    .updateTable('agreement_signatures')
    .set({
      document_due_at: sql`${at}::timestamptz + greatest(interval '1 minute', ${at}::timestamptz - signed_at)`,
    })
    .where(
      'id',
      'in',
      db
        .selectFrom('agreement_signatures')
        .where('document_due_at', '<=', at.toISOString())
        .where('provider', 'in', listSigningProviderNames(deps))
        .orderBy('document_due_at')
        .limit(most)
        .select('id')
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute()
}
