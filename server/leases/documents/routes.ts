import { Elysia } from 'elysia'
import type { Db } from '../../../db/database'
import { Agreement } from '../../../db/entities'
import type { Deps } from '../../deps'
import { refuse } from '../../errors'
import type { RecordId } from '../../http/record-id'
import { makeAlone, Pdf, toPdfResponse } from '../../http/reads/file-response'
import type { Reader, UserId } from '../../http/reads/reader'
import { readerRoutes } from '../../http/routes'
import { AgreementPath, selectVisibleAgreement } from '../queries'
import { loadServedLease, renderLease, SERVED_PATH } from './sent'

/** For the e-signing provider: the address is the credential. */
export const servedLeaseRoutes = (deps: Deps) =>
  new Elysia().get(`${SERVED_PATH}/:key`, async ({ params }) => {
    const { agreement_number, content } = await loadServedLease(deps, params.key)
    return toPdfResponse(agreement_number, content)
  })

export const draftRoutes = (deps: Deps) =>
  readerRoutes(deps).get(
    '/:id/draft.pdf',
    async ({ reader, params }) => {
      const { agreement_number, content } = await loadDraftPdf(deps, reader, params.id)
      return toPdfResponse(`${agreement_number} draft`, content)
    },
    {
      params: AgreementPath,
      response: { 200: Pdf },
      detail: {
        operationId: 'previewDocument',
        summary: 'Download the lease before it is signed, a PDF',
        description:
          'Returns the lease that the parties sign: the uploaded file, or the worded one, made from the draft as it is ' +
          'now until a request to sign has fixed it. A lease at an address alone is not stored here.',
        reasons: ['document_not_made', 'documents_busy', 'no_stored_document'],
      },
    },
  )

/** @throws NOT_FOUND The agreement is not visible, or its lease is not stored here. */
async function loadDraftPdf(deps: Deps, reader: Reader, key: RecordId) {
  const found = await reader.row(selectDocument, { key }, 'agreement_not_found')
  const { id, agreement_number, landlord_id, document_sha256: sha256, document_template, status } = found
  if (document_template && status === 'DRAFT') {
    const em = deps.db.fork()
    const content = await makeAlone(deps, reader, async () => {
      const draft = await em.findOne(Agreement, id)
      if (!draft?.document_template) throw refuse('no_stored_document')
      return renderLease(em, draft)
    })
    return { agreement_number, content }
  }
  const content = sha256 && (await deps.files.get(deps.db, { landlord_id, sha256 }))
  if (!content) throw refuse('no_stored_document')
  return { agreement_number, content }
}

function selectDocument(db: Db, userId: UserId, { key }: { key: RecordId }) {
  return selectVisibleAgreement(db, userId, key).select([
    'a.id',
    'a.agreement_number',
    'a.landlord_id',
    'a.document_sha256',
    'a.document_template',
    'a.status',
  ])
}
