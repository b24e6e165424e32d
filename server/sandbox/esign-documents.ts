import { randomUUID } from 'node:crypto'
import { Elysia } from 'elysia'
import { isPdf } from '../documents/files'
import { readBody } from '../http/body/read'
import { DownloadError, MAX_DOCUMENT_BYTES } from '../providers/download'
import { isInternalCall } from './call-simulator'
import type { SandboxCore } from './core'
import { loadDocument, saveUpload } from './document-store'
import { pdfResponse, requestNotFound, toEsignError, toSimulatedError, unauthorized } from './esign-calls'
import { createRecordStore } from './record-store'
import { renderSignedPdf } from './signed-pdf'
import type { SigningRequest } from './signing-model'
import { findRequest, findSigner } from './signing-requests'

/** A document with the form around it. */
const MAX_UPLOAD_BYTES = MAX_DOCUMENT_BYTES + 64 * 1024
const LINK_TTL_MS = 15 * 60_000

type DownloadLink = { id: string; request: string; validUpto: string }

const getLinkStore = ({ deps }: SandboxCore) => createRecordStore<DownloadLink>(deps.db, 'link')

/** Uploads and downloads. Bodies are not JSON here, so these routes parse them. */
export const esignDocumentRoutes = (sandbox: SandboxCore) =>
  new Elysia({ prefix: '/sandbox' })
    .post('/esign/api/documents', ({ request }) => handleUpload(sandbox, request), { parse: 'none' })
    // The address is the credential, and works once.
    .get('/files/:id', async ({ params }) => {
      const link = await getLinkStore(sandbox).remove(params.id)
      const isValid = link && new Date(link.validUpto) > (await sandbox.clock.now())
      return signedPdfResponse(sandbox, isValid ? await findRequest(sandbox, link.request) : undefined)
    })
    // A signing address is the credential for its document, before and after signing.
    .get('/sign/:id/document.pdf', ({ params }) => documentResponse(sandbox, params.id))
    .get('/sign/:id/signed.pdf', async ({ params }) => {
      const part = await findSigner(sandbox, params.id)
      return signedPdfResponse(sandbox, part?.request)
    })

async function signedPdfResponse(sandbox: SandboxCore, request: SigningRequest | undefined) {
  return request ? pdfResponse(await renderSignedPdf(sandbox, request), 'signed.pdf') : requestNotFound()
}

async function documentResponse(sandbox: SandboxCore, id: string) {
  const part = await findSigner(sandbox, id)
  if (!part) return requestNotFound()
  try {
    return pdfResponse(await loadDocument(sandbox, part.request), 'document.pdf')
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error
    return toEsignError(404, 'document_not_available', error.message)
  }
}

async function handleUpload(sandbox: SandboxCore, request: Request) {
  if (!isInternalCall(sandbox.deps, request)) return unauthorized()
  const type = request.headers.get('content-type') ?? ''
  const body = new Response(await readBody(request, MAX_UPLOAD_BYTES), { headers: { 'content-type': type } })
  const form = await body.formData().catch(() => undefined)
  const name = form?.get('name')
  const file = form?.get('document')
  if (typeof name !== 'string' || !name || !(file instanceof Blob))
    return toEsignError(400, 'invalid_request', 'The form needs a name and a document')
  if (file.size > MAX_DOCUMENT_BYTES)
    return toEsignError(400, 'document_too_large', 'A document has at most 10 MiB')
  const bytes = Buffer.from(await file.arrayBuffer())
  if (!isPdf(bytes)) return toEsignError(400, 'invalid_document', 'The document is not a PDF')

  return sandbox.simulateCall(
    { provider: 'esign', call: 'upload', subjects: [name], request, toError: toSimulatedError },
    async () => {
      const upload = await saveUpload(sandbox, name.slice(0, 255), bytes)
      return Response.json({ id: upload.id, name: upload.name })
    },
  )
}

/** Creates a one-time address for the signed PDF. */
export async function createDownloadLink(sandbox: SandboxCore, request: SigningRequest) {
  const { config, ownUrl, publicUrl } = sandbox.deps
  const now = await sandbox.clock.now()
  const id = randomUUID()
  const validUpto = new Date(now.getTime() + LINK_TTL_MS).toISOString()
  await getLinkStore(sandbox).add(id, { id, request: request.id, validUpto }, now)
  const baseUrl = config.isProduction ? publicUrl() : ownUrl()
  return { downloadUrl: `${baseUrl}/sandbox/files/${id}`, validUpto }
}
