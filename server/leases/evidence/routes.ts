import { DocumentQuery, TimelineResponse } from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { Pdf, toPdfResponse } from '../../http/reads/file-response'
import { readerRoutes } from '../../http/routes'
import { results } from '../../messages/results'
import { loadCertificate } from './service'
import { AgreementPath } from '../queries'
import { SIGNING } from '../reasons'
import { loadSignedDocument } from './signed-documents'
import { selectTimeline, verifyTimeline } from '../timeline'

/** What proves that an agreement was made. */
export const evidenceRoutes = (deps: Deps) =>
  readerRoutes(deps)
    .guard({ params: AgreementPath })
    .get(
      '/:id/timeline',
      async ({ reader, params }) => {
        const stored = await reader.row(selectTimeline, params.id, 'agreement_not_found')
        return { message: results.timeline, data: verifyTimeline(stored) }
      },
      {
        response: { 200: TimelineResponse },
        detail: {
          operationId: 'getTimeline',
          summary: 'List the timeline of an agreement',
          description:
            'Returns what happened to the agreement, oldest first. Each entry has a hash that covers the one before; ' +
            '`intact` is false if an entry was changed or removed.',
        },
      },
    )
    .get(
      '/:id/document',
      async ({ reader, params, query }) => {
        const document = await loadSignedDocument(deps, reader, params.id, query)
        return toPdfResponse(document.agreement_number, document.content, document.sha256)
      },
      {
        query: DocumentQuery,
        response: { 200: Pdf },
        detail: {
          operationId: 'downloadDocument',
          summary: 'Download the signed PDF',
          description:
            'Downloads the signed PDF, once the agreement is ACTIVE. Where each party has a document of its own, ' +
            '`signature_id` chooses one.',
          reasons: [...SIGNING, 'documents_in_progress', 'signed_document_not_found'],
        },
      },
    )
    .get(
      '/:id/certificate',
      async ({ reader, params }) => {
        const { agreement_number, content } = await loadCertificate(deps, reader, params.id)
        return toPdfResponse(`${agreement_number} certificate`, content)
      },
      {
        response: { 200: Pdf },
        detail: {
          operationId: 'downloadCertificate',
          summary: 'Download the certificate of completion, a PDF',
          description:
            'Downloads the certificate of completion: who signed what and when, with the hashes of the documents.',
          reasons: [...SIGNING, 'certificate_not_found', 'documents_in_progress'],
        },
      },
    )
