import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { Agreement, AgreementSignature } from '../../../db/entities'
import type { Deps, Tx } from '../../deps'
import { renderDocument } from '../../documents/render'
import { isUuid } from '../../domain/record-id'
import { refuse } from '../../errors'
import { deleteUnusedFiles, storeFile } from '../../files/files'
import { lockAgreementById } from '../access'
import { LEASE_VERSION, loadLeaseData } from './lease-data'

export const SERVED_PATH = '/documents'
export const toServedPath = (key: string) => `${SERVED_PATH}/${key}`

/** Words a lease from its terms. */
export async function renderLease(em: EntityManager, agreement: Agreement) {
  const { document_template: template, document_language: language } = agreement
  return renderDocument(template!, await loadLeaseData(em, agreement), language!)
}

/** Deletes the file that a draft had before a change, unless another lease has it; the change is flushed. */
export async function deleteReplacedFile(
  tx: Pick<Tx, 'em' | 'files'>,
  { document_sha256, landlord_id }: Agreement,
  before: string | null | undefined,
) {
  if (before && before !== document_sha256) await deleteUnusedFiles(tx, landlord_id)
}

/**
 * Loads the stored lease that a signer gets; a worded one is made with the first request to sign. Undefined if the draft was
 * changed.
 */
export async function loadSentLease(deps: Deps, signature: AgreementSignature, revision: number) {
  const em = deps.db.fork()
  const agreement = await em.findOneOrFail(Agreement, signature.agreement_id, { filters: false })
  const { landlord_id, document_template, status } = agreement
  if (agreement.revision !== revision) return undefined
  let sha256 = agreement.document_sha256
  if (document_template && status === 'DRAFT') {
    const content = await renderLease(em, agreement)
    sha256 = await deps.db.transactional(em => fixLease({ ...deps, em }, signature, revision, content))
    if (!sha256) return undefined
  }
  const content = await deps.files.get(deps.db, { landlord_id, sha256: sha256! })
  if (!content) throw refuse('signing_in_progress')
  return content
}

type FileTx = Pick<Deps, 'files' | 'now'> & { em: EntityManager }

/** Stores a worded lease, unless another request is under way: all parties get the same. */
async function fixLease(
  tx: FileTx,
  { id, agreement_id }: AgreementSignature,
  revision: number,
  content: Uint8Array,
) {
  const { em, now } = tx
  const agreement = await lockAgreementById(em, agreement_id)
  const { document_sha256: before, is_active, status } = agreement
  if (agreement.revision !== revision || !is_active) return undefined
  const underWay = { agreement_id, id: { $ne: id }, status: 'PENDING', expires_at: { $gt: now() } } as const
  const isFixed = status !== 'DRAFT' || (before && (await em.count(AgreementSignature, underWay)) > 0)
  if (isFixed) return before
  await storeLease(tx, agreement, content)
  return agreement.document_sha256
}

export const toLeaseFile = ({ agreement_number, landlord_id }: Agreement, content: Uint8Array) => ({
  landlord_id,
  name: `${agreement_number}.pdf`,
  content_type: 'application/pdf',
  content,
})

/** Stores the worded lease that is signed from now on, in place of an earlier one. */
export async function storeLease(tx: FileTx, agreement: Agreement, content: Uint8Array) {
  const { document_sha256: before } = agreement
  agreement.document_version = LEASE_VERSION
  agreement.document_sha256 = await storeFile(tx, toLeaseFile(agreement, content))
  await tx.em.flush()
  await deleteReplacedFile(tx, agreement, before)
}

/** What the timeline says of the stored lease that is signed. */
export function toFixedDocument({ document_sha256, document_template, document_version }: Agreement) {
  if (!document_sha256) return {}
  const worded = document_template ? { document_template, document_version } : {}
  return { document_sha256, ...worded }
}

/** Loads the lease at a provider's address, which ends with the signing. */
export async function loadServedLease({ db, files, now }: Deps, key: string) {
  const [found] = isUuid(key) ? await executeCompiled(db, selectServed, { key, now: now() }) : []
  const content = found?.sha256 && (await files.get(db, { ...found, sha256: found.sha256 }))
  if (!content) throw refuse('no_stored_document')
  return { agreement_number: found.agreement_number, content }
}

function selectServed(db: Db, { key, now }: { key: string; now: Date }) {
  return db
    .selectFrom('agreement_signatures as s')
    .innerJoin('agreements as a', 'a.id', 's.agreement_id')
    .where('s.document_key', '=', key)
    .where('s.status', '=', 'PENDING')
    .where(sql<boolean>`s.expires_at > ${now}`)
    .select(['a.agreement_number', 'a.landlord_id', 'a.document_sha256 as sha256'])
}
