import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db } from '../../db/database'
import { runInSlot } from '../../db/deadlines'
import { MaintenanceAttachment, MaintenanceFile } from '../../db/entities'
import type { Actor, Deps, Tx } from '../deps'
import { refuse } from '../errors'
import { findVisible, loadView } from '../http/changes'
import type { Reader, UserId } from '../http/reads/reader'
import { results } from '../messages/results'
import { lockMaintenanceRequest, lockMaintenanceRequestForChange } from './access'
import type { StoredFile } from './files'
import { requireNotClosed } from './moves'
import {
  selectAttachment,
  selectAttachmentRow,
  selectMaintenanceRequestRow,
  type AttachmentPath,
  type MaintenancePath,
} from './queries'

const MAX_ATTACHMENTS = 10

/** @throws NOT_FOUND The actor does not see the request. */
export async function requireVisibleMaintenanceRequest({ db }: Deps, actor: Actor, path: MaintenancePath) {
  const given = { userId: actor.id, ...path }
  const [visible] = await runInSlot(() => executeCompiled(db, selectVisibleId, given))
  if (!visible) throw refuse('maintenance_request_not_found')
}

function selectVisibleId(db: Db, { userId, ...path }: MaintenancePath & { userId: number }) {
  return selectMaintenanceRequestRow(db, sql.val(userId), path).select('r.id')
}

/** Attaches a file to a request that is neither closed nor cancelled. */
export async function attachFile(tx: Tx, path: MaintenancePath, { content_type, content }: StoredFile) {
  const { em, actor } = tx
  const locked = await lockMaintenanceRequestForChange(tx, path)
  requireNotClosed(locked)
  const maintenance_request_id = locked.request.id
  const count = await em.count(MaintenanceAttachment, { maintenance_request_id })
  if (count >= MAX_ATTACHMENTS) throw refuse('too_many_attachments', { max: MAX_ATTACHMENTS })

  const attachment = em.create(MaintenanceAttachment, {
    attachment_id: crypto.randomUUID(),
    maintenance_request_id,
    content_type,
    size: content.length,
    created_by_id: actor.id,
  })
  await em.flush()
  await em.insert(MaintenanceFile, { attachment_id: attachment.id, content: Buffer.from(content) })
  return loadView(tx, selectAttachment, { ...path, attachmentId: { id: attachment.id } })
}

/** Deletes a file, for the user who attached it. */
export async function detachFile(tx: Tx, path: AttachmentPath) {
  await lockMaintenanceRequest(tx, path)
  const attachment = await findVisible(tx, selectFile, path)
  if (!attachment) throw refuse('attachment_not_found')
  if (attachment.created_by_id !== tx.actor.id) throw refuse('not_own_attachment')
  await tx.em.nativeDelete(MaintenanceAttachment, attachment.id)
  return { message: results.attachment_deleted }
}

/**
 * Loads a file with its bytes.
 * @throws NOT_FOUND The user sees no such attachment.
 */
export async function loadFile({ db }: Deps, reader: Reader, path: AttachmentPath) {
  const { id, ...file } = await reader.row(selectFile, path, 'attachment_not_found')
  const [stored] = await executeCompiled(db, selectContent, { id })
  if (!stored) throw refuse('attachment_not_found')
  return { ...file, content: stored.content as Uint8Array }
}

function selectFile(db: Db, userId: UserId, path: AttachmentPath) {
  return selectAttachmentRow(db, userId, path).select([
    'attachment.id',
    'attachment.attachment_id',
    'attachment.content_type',
    'attachment.created_by_id',
  ])
}

function selectContent(db: Db, { id }: { id: number }) {
  return db.selectFrom('maintenance_files').where('attachment_id', '=', id).select('content')
}
