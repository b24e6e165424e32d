import type { HttpClient } from './http-client.ts'
import { path, type RecordId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import { normalizePhone } from './phone.ts'
import { requireFile, type Upload, type UploadOptions } from './uploads.ts'
import type {
  MaintenanceAttachment,
  MaintenanceChange,
  MaintenanceComment,
  MaintenanceCommentQuery,
  MaintenanceQuery,
  MaintenanceRequest,
  MaintenanceRequestDetails,
  MaintenanceStatusInput,
  Message,
  NewMaintenanceComment,
  NewMaintenanceRequest,
} from '#types'

/**
 * What is to be repaired in the user's units. Amounts are Indian rupees, timestamps ISO 8601. Every method throws a
 * `NotFoundError` for a request, a unit or an attachment that the user may not see.
 */
export interface MaintenanceCalls extends ReturnType<typeof createMaintenance> {}

export const createMaintenance = (http: HttpClient) => ({
  /**
   * Raises a request for a unit that the user lets, manages or rents, and returns it.
   * @throws {ValidationError} A field is not valid.
   * @example
   * const request = await kiraya.maintenance.create({
   *   property_unit_id: 5,
   *   category: 'plumbing',
   *   title: 'The kitchen tap leaks',
   * })
   */
  create: (request: NewMaintenanceRequest, options?: CallOptions) =>
    http.post<MaintenanceRequestDetails>('maintenance-requests', request, options),

  /**
   * Lists the requests for units that the user lets or manages, and of leases as a tenant. `await` returns a page, `for await` yields all.
   * @example
   * const { data, metadata } = await kiraya.maintenance.list({ open: true, priority: 'urgent' })
   */
  list: (query?: MaintenanceQuery, options?: CallOptions) =>
    http.list<MaintenanceRequest>('maintenance-requests', query, options),

  /**
   * Returns one request with its attachments and the changes of its status.
   * @example
   * const { status, attachments, entries } = await kiraya.maintenance.get(7)
   */
  get: (id: RecordId, options?: CallOptions) =>
    http.get<MaintenanceRequestDetails>(path`maintenance-requests/${id}`, options),

  /**
   * Changes the given fields and returns the request; null clears an optional one. `withResponse()` has a warning
   * if the visit is at short notice.
   * @throws {ValidationError} A field is not valid, or the cost is charged already.
   * @throws {ForbiddenError} The field is not this user's to change, or not in this state.
   * @example
   * await kiraya.maintenance.update(7, { vendor_name: 'Ravi Plumbers', scheduled_at: '2026-12-05T10:00:00+05:30' })
   */
  update: (id: RecordId, change: MaintenanceChange, options?: CallOptions) =>
    http.patch<MaintenanceRequestDetails>(
      path`maintenance-requests/${id}`,
      () => ({ ...change, vendor_phone: change.vendor_phone && normalizePhone(change.vendor_phone) }),
      options,
    ),

  /**
   * Moves a request to another state and returns it. A cost that the tenant bears is charged when it is resolved;
   * `charge_id` names the charge.
   * @throws {ValidationError} The cost cannot be charged.
   * @throws {ForbiddenError} The state does not follow, or only the other side may set it.
   * @example
   * await kiraya.maintenance.update(7, { cost: 850, borne_by: 'tenant' })
   * const { charge_id } = await kiraya.maintenance.status(7, { status: 'resolved', comment: 'New washer' })
   */
  status: (id: RecordId, status: MaintenanceStatusInput, options?: CallOptions) =>
    http.post<MaintenanceRequestDetails>(path`maintenance-requests/${id}/status`, status, options),

  /**
   * Lists the comments on a request, internal ones for the landlord's side alone. `await` returns a page, `for await`
   * yields all.
   * @example
   * const { data } = await kiraya.maintenance.comments(7)
   */
  comments: (id: RecordId, query?: MaintenanceCommentQuery, options?: CallOptions) =>
    http.list<MaintenanceComment>(path`maintenance-requests/${id}/comments`, query, options),

  /**
   * Comments on a request and returns the comment.
   * @throws {ForbiddenError} A tenant writes an internal comment.
   * @example
   * await kiraya.maintenance.comment(7, { text: 'The tenant is away until Friday', is_internal: true })
   */
  comment: (id: RecordId, comment: NewMaintenanceComment, options?: CallOptions) =>
    http.post<MaintenanceComment>(path`maintenance-requests/${id}/comments`, comment, options),

  /**
   * Attaches a picture (JPEG, PNG or WebP) or a PDF of at most 5 MiB to a request, and returns the attachment.
   * Pictures become WebP.
   * @throws {ValidationError} The file is of another kind, or the request has ten already.
   * @throws {ForbiddenError} The request is closed or cancelled, or the user's lease has ended.
   * @throws {PayloadTooLargeError} The file is larger.
   * @example
   * const { attachment_id } = await kiraya.maintenance.attach(7, picture) // such as the File of an <input>
   */
  attach: (id: RecordId, file: Upload, options?: UploadOptions) =>
    http.post<MaintenanceAttachment>(
      path`maintenance-requests/${id}/attachments`,
      () => requireFile(file),
      options,
    ),

  /**
   * Returns the bytes of an attachment: WebP or a PDF, as its `content_type` says.
   * @example
   * const { attachments } = await kiraya.maintenance.get(7)
   * for (const { attachment_id, content_type } of attachments) {
   *   const bytes = await kiraya.maintenance.download(7, attachment_id)
   *   const file = new Blob([bytes], { type: content_type })
   * }
   */
  download: (id: RecordId, attachmentId: RecordId, options?: CallOptions) =>
    http.getFile(path`maintenance-requests/${id}/attachments/${attachmentId}`, options),

  /**
   * Removes an attachment from a request.
   * @throws {ForbiddenError} Another user attached it.
   * @example
   * await kiraya.maintenance.detach(7, '6ba7b819-9dad-41d1-80b4-00c04fd430c8')
   */
  detach: (id: RecordId, attachmentId: RecordId, options?: CallOptions) =>
    http.delete<Message>(path`maintenance-requests/${id}/attachments/${attachmentId}`, options),
})
