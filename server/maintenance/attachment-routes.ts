import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { MaintenanceAttachment, Message } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { readBody } from '../http/body/read'
import { consumeFile, FILE_BODY, FILE_REASONS, readAlone } from '../http/body/uploads'
import { toFileResponse } from '../http/reads/file-response'
import { actorRoutes, created, readerRoutes } from '../http/routes'
import { attachFile, detachFile, loadFile, requireVisibleMaintenanceRequest } from './attachments'
import { MAX_FILE_BYTES, readFile } from './files'
import { AttachmentPath, MaintenancePath } from './queries'
import examples from './examples.json'

const Picture = Type.Any({ contentMediaType: 'image/webp' })
const EXTENSIONS = { 'image/webp': 'webp', 'application/pdf': 'pdf' } as const

export const attachmentRoutes = (deps: Deps) => new Elysia().use(downloads(deps)).use(deletions(deps))

/** Its body is bytes, so it parses it. */
export const uploadRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/maintenance-requests', tags: ['Maintenance'], detail: { examples } }).use(
    actorRoutes(deps).post(
      '/:id/attachments',
      async ({ actor, change, params, body }) => {
        // No picture is decoded for a user who does not see the request.
        await requireVisibleMaintenanceRequest(deps, actor, params)
        await consumeFile(deps, actor)
        const read = () => readFile(body as Uint8Array)
        return change(attachFile, params, await readAlone(deps, actor, read))
      },
      {
        params: MaintenancePath,
        parse: ({ request }) => readBody(request, MAX_FILE_BYTES),
        response: created(MaintenanceAttachment),
        detail: {
          operationId: 'attachMaintenanceFile',
          summary: 'Attach a picture or a PDF to a maintenance request',
          description:
            'Send the bytes of the file as the body: a JPEG, PNG or WebP picture or a PDF, at most 5 MiB, whatever ' +
            'its `Content-Type`. A picture is stored as WebP of at most 2,048 pixels on a side, without the place and ' +
            'the camera. A request has at most ten files, and accepts none once it is closed or cancelled.',
          requestBody: { required: true, content: FILE_BODY },
          reasons: [
            ...FILE_REASONS,
            'file_not_supported',
            'lease_ended',
            'picture_too_complex',
            'pictures_busy',
            'maintenance_request_wrong_status',
            'too_many_attachments',
          ],
        },
      },
    ),
  )

const downloads = (deps: Deps) =>
  readerRoutes(deps).get(
    '/:id/attachments/:attachmentId',
    async ({ reader, params }) => {
      const { attachment_id, content_type, content } = await loadFile(deps, reader, params)
      return toFileResponse(`${attachment_id}.${EXTENSIONS[content_type]}`, content_type, content)
    },
    {
      params: AttachmentPath,
      response: { 200: Picture },
      detail: {
        operationId: 'downloadMaintenanceFile',
        summary: 'Download an attachment of a maintenance request',
        description: 'Returns the bytes of a picture (WebP) or a PDF.',
      },
    },
  )

const deletions = (deps: Deps) =>
  actorRoutes(deps).delete(
    '/:id/attachments/:attachmentId',
    ({ change, params }) => change(detachFile, params),
    {
      params: AttachmentPath,
      response: { 200: Message },
      detail: {
        operationId: 'detachMaintenanceFile',
        summary: 'Delete an attachment of a maintenance request',
        description: 'Only the user who attached the file can delete it.',
        reasons: ['not_own_attachment'],
      },
    },
  )
