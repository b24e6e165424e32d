import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import {
  MaintenanceAttachment,
  MaintenanceComment,
  MaintenanceEntry,
  MaintenanceRequest,
  MaintenanceRequestDetails,
  type MaintenanceQuery,
  type MaintenanceStatus,
} from '@kiraya/sdk/contract'
import { anyIdIn, toIsoTimestamp, type Db } from '../../db/database'
import { toColumns } from '../domain/fields'
import { containsText } from '../domain/query'
import type { Parent, UserId } from '../http/reads/reader'
import { hasId, recordPath, type PathIds } from '../http/record-id'
import { selectVisibleUnits } from '../listing/visibility'

export const MaintenancePath = recordPath({ id: 'maintenance_request' })
export type MaintenancePath = PathIds<typeof MaintenancePath>
export const AttachmentPath = recordPath({ id: 'maintenance_request', attachmentId: 'attachment' })
export type AttachmentPath = PathIds<typeof AttachmentPath>

/** The states of requests that are not open. */
export const ENDED: readonly MaintenanceStatus[] = ['resolved', 'closed', 'cancelled']
const isOpen = sql<boolean>`(r.status not in (${sql.join(ENDED.map(status => sql.lit(status)))}))`

/** Requests for the units that a user lets or manages, and under the agreements that they rent or rented. */
function selectVisibleRequests(db: Db, userId: UserId) {
  return db
    .selectFrom('maintenance_requests as r')
    .where(e =>
      e.or([isOfLandlordSide(db, userId), e('r.agreement_id', '=', anyIdIn(selectRented(db, userId)))]),
    )
}

/** Whether a user lets or manages the unit of a request. */
function isOfLandlordSide(db: Db, userId: UserId) {
  return sql<boolean>`r.property_unit_id = ${anyIdIn(selectVisibleUnits(db, userId).select('u.id'))}`
}

function selectRented(db: Db, userId: UserId) {
  return db.selectFrom('agreement_tenants as t').where('t.tenant_id', '=', userId).select('t.agreement_id')
}

/** Selects what the dashboard counts: the requests that `open=true` finds. */
export function selectOpenRequests(db: Db, userId: UserId) {
  return selectVisibleRequests(db, userId).where(isOpen)
}

const requestColumns = toColumns('maintenance_requests as r', MaintenanceRequest)

export function selectMaintenanceRequestPage(db: Db, userId: UserId, filters: MaintenanceQuery) {
  const { q, status, open, category, priority, property_unit_id, agreement_id } = filters
  let requests = selectVisibleRequests(db, userId).select(requestColumns)
  if (q !== undefined) requests = requests.where(containsText(q, sql`r.title`))
  if (status !== undefined) requests = requests.where('r.status', '=', status)
  if (open !== undefined) requests = requests.where(isOpen, '=', open)
  if (category !== undefined) requests = requests.where('r.category', '=', category)
  if (priority !== undefined) requests = requests.where('r.priority', '=', priority)
  if (property_unit_id !== undefined) requests = requests.where('r.property_unit_id', '=', property_unit_id)
  if (agreement_id !== undefined) requests = requests.where('r.agreement_id', '=', agreement_id)
  return requests
}

/** Selects a request without columns, so that it can be locked. */
export function selectMaintenanceRequestRow(db: Db, userId: UserId, { id }: MaintenancePath) {
  return selectVisibleRequests(db, userId).where(hasId('r', 'request_id', id))
}

export function selectAgreementId(db: Db, userId: UserId, path: MaintenancePath) {
  return selectMaintenanceRequestRow(db, userId, path).select('r.agreement_id')
}

export const ofMaintenanceRequest: Parent<MaintenancePath> = {
  select: selectMaintenanceRequestRow,
  missing: 'maintenance_request_not_found',
}

const entryColumns = toColumns('maintenance_entries as entry', MaintenanceEntry, {
  status: sql<MaintenanceStatus>`entry.status`,
  actor_id: sql.ref<number>('entry.created_by_id'),
  comment: sql.ref<string | null>('entry.text'),
  occurred_at: toIsoTimestamp(sql.ref('entry.created_at')),
})
const attachmentColumns = toColumns('maintenance_attachments as attachment', MaintenanceAttachment)

export function selectMaintenanceRequest(db: Db, userId: UserId, path: MaintenancePath) {
  const id = sql.ref<number>('r.id')
  const attachments = db
    .selectFrom('maintenance_attachments as attachment')
    .where('attachment.maintenance_request_id', '=', id)
    .orderBy('attachment.id')
    .select(attachmentColumns)
  const entries = db
    .selectFrom('maintenance_entries as entry')
    .where('entry.maintenance_request_id', '=', id)
    .where('entry.status', 'is not', null)
    .orderBy('entry.id')
    .select(entryColumns)
  return selectMaintenanceRequestRow(db, userId, path).select(
    toColumns('maintenance_requests as r', MaintenanceRequestDetails, {
      attachments: jsonArrayFrom(attachments),
      entries: jsonArrayFrom(entries),
    }),
  )
}

/** The comments on a request that a user sees: internal ones are for the landlord's side alone. */
function selectVisibleComments(db: Db, userId: UserId, path: MaintenancePath) {
  return selectMaintenanceRequestRow(db, userId, path)
    .innerJoin('maintenance_entries as comment', 'comment.maintenance_request_id', 'r.id')
    .where('comment.text', 'is not', null)
    .where(e => e.or([e.not('comment.is_internal'), isOfLandlordSide(db, userId)]))
}

const commentColumns = toColumns('maintenance_entries as comment', MaintenanceComment, {
  text: sql.ref<string>('comment.text'),
})

export function selectCommentPage(db: Db, userId: UserId, path: MaintenancePath) {
  return selectVisibleComments(db, userId, path).select(commentColumns)
}

export function selectComment(
  db: Db,
  userId: UserId,
  { commentId, ...path }: MaintenancePath & { commentId: number },
) {
  return selectCommentPage(db, userId, path).where('comment.id', '=', commentId)
}

/** Selects an attachment of a request, without columns. */
export function selectAttachmentRow(db: Db, userId: UserId, { attachmentId, ...path }: AttachmentPath) {
  return selectMaintenanceRequestRow(db, userId, path)
    .innerJoin('maintenance_attachments as attachment', 'attachment.maintenance_request_id', 'r.id')
    .where(hasId('attachment', 'attachment_id', attachmentId))
}

export function selectAttachment(db: Db, userId: UserId, path: AttachmentPath) {
  return selectAttachmentRow(db, userId, path).select(attachmentColumns)
}
