import { Type, type Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { SandboxCall } from '@kiraya/sdk/contract'
import type { SandboxCore } from './core'
import { handleCreateCall, handleRequestCall, pdfResponse, toEsignError } from './esign-calls'
import { copyOwnLease, hasContent, takeUpload } from './document-store'
import { createDownloadLink } from './esign-documents'
import { renderSignedPdf } from './signed-pdf'
import { getSubjects, type NewSigningRequest, type SigningRequest } from './signing-model'
import { cancelSigningRequest, createSigningRequest } from './signing-requests'
import { toProviderRequest } from './signing-views'

const Signer = Type.Object({
  identifier: Type.String({ minLength: 1, maxLength: 64 }),
  displayName: Type.String({ minLength: 1, maxLength: 1000 }),
})
const FlexiInput = Type.Object({
  documentId: Type.String(),
  documentUrl: Type.String(),
  signer: Signer,
  redirectUrl: Type.String(),
  flexiOptions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
const NativeInput = Type.Object({
  documentId: Type.String({ minLength: 1, maxLength: 255 }),
  redirectUrl: Type.String(),
  signers: Type.Array(Signer, { minItems: 1, maxItems: 102 }),
})

/**
 * Simulates both HTTP interfaces of the e-signing provider: one signer a request, on a document that the provider
 * fetches from an address; or all signers in one request, on an uploaded document.
 */
export const esignRoutes = (sandbox: SandboxCore) =>
  new Elysia({ prefix: '/sandbox/esign/api' })
    .post('/esign', ({ request, body }) =>
      handleCreateCall(
        sandbox,
        { request, body, schema: FlexiInput },
        ({ documentId, signer }) => [documentId, signer.identifier],
        ({ documentId, documentUrl, signer }) =>
          createRequest(sandbox, { documentId, documentUrl, document: null, signers: [signer] }),
      ),
    )
    .post('/signature', ({ request, body }) =>
      handleCreateCall(
        sandbox,
        { request, body, schema: NativeInput },
        ({ documentId, signers }) => [documentId, ...signers.map(({ identifier }) => identifier)],
        input => createNativeRequest(sandbox, input),
      ),
    )
    .use(
      requestRoutes(sandbox, {
        path: '/esign/:id',
        isNative: false,
        pdfPath: 'pdf',
        download: downloadFlexi,
      }),
    )
    .use(
      requestRoutes(sandbox, {
        path: '/signature/:id',
        isNative: true,
        pdfPath: 'download/',
        download: createDownload,
      }),
    )

type Respond = (sandbox: SandboxCore, found: SigningRequest) => Promise<Response> | Response
type Protocol = { path: string; isNative: boolean; pdfPath: string; download: Respond }

/** The calls about one request. */
function requestRoutes(sandbox: SandboxCore, { path, isNative, pdfPath, download }: Protocol) {
  const handle =
    (call: SandboxCall, respond: Respond) =>
    ({ request, params }: { request: Request; params: Record<string, string> }) =>
      handleRequestCall(sandbox, { request, call, id: params.id!, isNative }, found =>
        respond(sandbox, found),
      )
  return new Elysia()
    .get(path, handle('status', showRequest))
    .get(`${path}/${pdfPath}`, handle('pdf', download))
    .post(`${path}/delete/`, handle('cancel', cancelRequest))
}

const showRequest: Respond = (sandbox, request) => Response.json(toProviderRequest(sandbox, request))

async function createRequest(sandbox: SandboxCore, input: NewSigningRequest) {
  const request = await createSigningRequest(sandbox, input)
  await copyOwnLease(sandbox, request)
  return showRequest(sandbox, request)
}

async function createNativeRequest(
  sandbox: SandboxCore,
  { documentId, signers }: Static<typeof NativeInput>,
) {
  const upload = await takeUpload(sandbox, documentId)
  if (upload) {
    const { id: _, ...document } = upload
    return createRequest(sandbox, { documentId, documentUrl: null, document, signers })
  }
  return (await hasContent(sandbox, documentId))
    ? toEsignError(400, 'document_already_used', 'A document can be used by one request only')
    : toEsignError(400, 'document_not_found', 'No such document')
}

async function downloadFlexi(sandbox: SandboxCore, request: SigningRequest) {
  const linkFailure = await sandbox.failures.consume('file', 'esign', 'pdf', getSubjects(request))
  return linkFailure
    ? Response.json(await createDownloadLink(sandbox, request))
    : pdfResponse(await renderSignedPdf(sandbox, request), 'signed.pdf')
}

async function createDownload(sandbox: SandboxCore, request: SigningRequest) {
  return Response.json({ id: request.id, ...(await createDownloadLink(sandbox, request)) })
}

async function cancelRequest(sandbox: SandboxCore, { id }: SigningRequest) {
  await cancelSigningRequest(sandbox, id)
  return new Response(null, { status: 204 })
}
