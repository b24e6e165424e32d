import { createHash } from 'node:crypto'
import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { DocumentQuery } from '@kiraya/sdk/contract'
import { Agreement, AgreementSignature, PropertyUnit, SignedDocument } from '../../db/entities'
import { query } from '../../db/orm'
import type { Deps } from '../deps'
import { notFound } from '../faults'
import { idOf, type Asker } from '../http/actor'
import { tenantsOf } from './access'
import { visibleAgreement } from './queries'
import { record } from './timeline'

/** Fetches the signed PDF of a signature's request and keeps it with its SHA-256, once; another signature may have brought it already. */
export async function keepDocument(deps: Deps, { id, agreement_id, signature_id, provider_request_id }: AgreementSignature) {
  const em = deps.orm.em.fork(), request = { provider: deps.signing.name, provider_request_id: provider_request_id! }, now = deps.now()
  const content = await em.count(SignedDocument, request) ? undefined : await deps.signing.download(request.provider_request_id)
  await em.transactional(async tx => {
    const agreement = await tx.findOneOrFail(Agreement, { id: agreement_id }, { lockMode: LockMode.PESSIMISTIC_WRITE, filters: false })
    if (content && !await tx.count(SignedDocument, request)) {
      const sha256 = createHash('sha256').update(content).digest('hex')
      tx.create(SignedDocument, { ...request, agreement_id, sha256, size: content.length, content: Buffer.from(content), created_at: now })
      const held = { agreement, unit: await tx.findOneOrFail(PropertyUnit, { id: agreement.property_unit_id }, { filters: false }), tenantIds: await tenantsOf(tx, agreement) }
      await record(tx, now, held, 'document_stored', null, { signature_id, sha256, size: content.length })
    }
    await tx.nativeUpdate(AgreementSignature, { id }, { document_due_at: null })
  })
}

/** The signed PDF: that of the given signature, else of the last. One that is not kept yet is fetched now. */
export async function signedDocument(deps: Deps, asker: Asker, id: string, { signature_id }: DocumentQuery) {
  const { agreement_number, signature } = await asker.one('Agreement', visibleAgreement(asker.db, asker.me, idOf(id, 'Agreement')).select(['a.agreement_number', e => asker.db.selectFrom('agreement_signatures as s')
    .where('s.agreement_id', '=', e.ref('a.id')).where('s.status', '=', 'SIGNED').where(sql<boolean>`a.signed_date is not null`)
    .$if(signature_id !== undefined, these => these.where('s.signature_id', '=', signature_id!)).orderBy('s.signed_at', 'desc').orderBy('s.id', 'desc').limit(1).select('s.id').as('signature')]))
  if (signature === null) throw notFound('Signed document')
  const em = deps.orm.em.fork(), signed = await em.findOneOrFail(AgreementSignature, { id: signature }), request = { provider: signed.provider, provider_request_id: signed.provider_request_id! }
  const find = () => em.findOne(SignedDocument, request, { populate: ['content'] })
  let document = await find()
  if (!document) {
    await keepDocument(deps, signed)
    document = await find()
  }
  return { agreement_number, content: document!.content as Uint8Array, sha256: document!.sha256 }
}

/** A PDF as a download; the digest is RFC 9530's. */
export const pdfAnswer = (name: string, content: Uint8Array, sha256 = createHash('sha256').update(content).digest('hex')) => new Response(content as Uint8Array<ArrayBuffer>, {
  headers: {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${name.replace(/[^\w .-]/g, '_')}.pdf"; filename*=UTF-8''${encodeURIComponent(`${name}.pdf`)}`,
    'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    etag: `"${sha256}"`,
    'cache-control': 'private, no-store',
  },
})

/** Signed PDFs that are due, taken by putting their next try off. */
export async function dueDocuments(deps: Deps, most: number) {
  const at = deps.now(), db = query(deps.orm.em.fork())
  return db.updateTable('agreement_signatures').set({ document_due_at: sql`${at}::timestamptz + greatest(interval '1 minute', ${at}::timestamptz - signed_at)` })
    .where('id', 'in', db.selectFrom('agreement_signatures').where('document_due_at', '<=', at.toISOString()).where('provider', '=', deps.signing.name).orderBy('document_due_at').limit(most).select('id').forUpdate().skipLocked())
    .returning('id').execute()
}
