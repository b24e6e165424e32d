import { Elysia } from 'elysia'
import { DraftResponse, LeaseDocument } from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { parseJsonBody, trimBody } from '../../http/body/json'
import { readBody } from '../../http/body/read'
import { createCheck } from '../../http/body/schemas'
import { consumeFile, FILE_BODY, FILE_REASONS, readAlone } from '../../http/body/uploads'
import { toJsonContent, toStandardSchema } from '../../http/openapi/schemas'
import { actorRoutes, created } from '../../http/routes'
import { MAX_DOCUMENT_BYTES } from '../../providers/download'
import { AgreementPath } from '../queries'
import { AGREEMENT_CHANGE } from '../reasons'
import { updateAgreement } from './service'
import { requireDraft, requireLease, uploadLease } from './upload'
import examples from './examples.json'

const checkDocument = createCheck(LeaseDocument)

/** Its body may be bytes, so it parses it. */
export const leaseUploadRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/agreements', tags: ['Agreements'], detail: { examples } }).use(
    actorRoutes(deps).post(
      '/:id/document',
      async ({ actor, change, params, body }) => {
        if (!(body instanceof Uint8Array)) {
          const document = checkDocument(body).value as LeaseDocument
          return change(updateAgreement, params.id, { document })
        }
        await requireDraft(deps, actor, params.id)
        await consumeFile(deps, actor)
        await readAlone(deps, actor, () => requireLease(body))
        return change(uploadLease, params.id, body)
      },
      {
        params: AgreementPath,
        parse: ({ request, contentType }) => parseBody(request, contentType),
        response: created(DraftResponse),
        detail: {
          operationId: 'setDocument',
          summary: 'Set the lease of a draft: a template, or a PDF',
          description:
            'Send a template and a language as JSON, with which the lease is worded from the terms; or the bytes of a PDF ' +
            'of at most 10 MiB with another `Content-Type`. It replaces what the draft had. A file that no lease of the ' +
            'landlord has any more is deleted; a landlord stores 1 GiB at most.',
          requestBody: {
            required: true,
            content: { ...toJsonContent(toStandardSchema(LeaseDocument)), ...FILE_BODY },
          },
          reasons: [...AGREEMENT_CHANGE, ...FILE_REASONS, 'file_not_pdf', 'invalid_fields', 'storage_full'],
        },
      },
    ),
  )

/** The JSON of a template is checked once the user is known. */
async function parseBody(request: Request, contentType = ''): Promise<unknown> {
  if (!/json/i.test(contentType)) return readBody(request, MAX_DOCUMENT_BYTES)
  return trimBody(await parseJsonBody(request, contentType))
}
