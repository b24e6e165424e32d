import type { Actor, Deps, Tx } from '../../deps'
import { isPdf } from '../../documents/files'
import { refuse } from '../../errors'
import { storeFile } from '../../files/files'
import { requireReadablePdf } from '../../http/body/uploads'
import type { RecordId } from '../../http/record-id'
import { results } from '../../messages/results'
import { lockForChange } from '../access'
import { deleteReplacedFile, toLeaseFile } from '../documents/sent'
import { isEditable } from '../states'
import { appendEntry } from '../timeline'
import { loadDraft, type AgreementResult } from './drafts'
import { toSource } from './source'

/** No file is read for a user who may not change the draft. */
export function requireDraft(deps: Deps, actor: Actor, id: RecordId) {
  return deps.db.transactional(em => lockForChange({ ...deps, em, actor }, id, 'changed', isEditable))
}

export async function requireLease(bytes: Uint8Array) {
  if (!isPdf(bytes)) throw refuse('file_not_pdf')
  await requireReadablePdf(bytes, 'file_not_pdf')
}

/** Stores a PDF as the lease of a draft. */
export async function uploadLease(tx: Tx, id: RecordId, content: Uint8Array): Promise<AgreementResult> {
  const { em, actor } = tx
  const draft = await lockForChange(tx, id, 'changed', isEditable)
  const { agreement } = draft
  const { document_sha256: before } = agreement
  const document_sha256 = await storeFile(tx, toLeaseFile(agreement, content))
  Object.assign(agreement, { ...toSource({}), document_sha256, document_url: null })
  agreement.revision++
  await appendEntry(em, tx.now(), draft, 'changed', actor.id, { fields: ['document'], document_sha256 })
  await em.flush()
  await deleteReplacedFile(tx, agreement, before)
  return loadDraft(tx, results.agreement_changed, agreement)
}
