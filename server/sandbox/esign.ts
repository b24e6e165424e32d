import { Type, type Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { SandboxCore } from './core'
import { handleCreateCall, handleRequestCall, pdfResponse, toEsignError } from './esign-calls'
import { claimUpload } from './document-store'
import { createDownloadLink } from './esign-documents'
import { renderSignedPdf } from './signed-pdf'
import { getSubjects, type NewSigningRequest, type SigningRequest } from './signing-model'
import { cancelSigningRequest, createSigningRequest } from './signing-requests'
import { toProviderRequest } from './signing-views'

const PREFIX = '/sandbox/esign/api'

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

/** Simulates both HTTP interfaces of the e-signing provider. */
export const esignRoutes = (sandbox: SandboxCore) =>
  new Elysia({ prefix: PREFIX }).use(flexiRoutes(sandbox)).use(nativeRoutes(sandbox))

/** One signer a request, on a document that the provider fetches from an address. */
const flexiRoutes = (sandbox: SandboxCore) =>
  new Elysia()
    .post('/esign', ({ request, body }) =>
      handleCreateCall(
        sandbox,
        { request, body, schema: FlexiInput },
        ({ documentId, signer }) => [documentId, signer.identifier],
        ({ documentId, documentUrl, signer, flexiOptions = null }) =>
          createRequest(sandbox, {
            documentId,
            documentUrl,
            document: null,
            flexiOptions,
            signers: [signer],
          }),
      ),
    )
    .get('/esign/:id', ({ request, params }) =>
      handleRequestCall(sandbox, { request, call: 'status', id: params.id, isNative: false }, found =>
        Response.json(toProviderRequest(sandbox, found)),
      ),
    )
    .get('/esign/:id/pdf', ({ request, params }) =>
      handleRequestCall(sandbox, { request, call: 'pdf', id: params.id, isNative: false }, found =>
        downloadFlexi(sandbox, found),
      ),
    )
    .post('/esign/:id/delete/', ({ request, params }) =>
      handleRequestCall(sandbox, { request, call: 'cancel', id: params.id, isNative: false }, found =>
        cancelRequest(sandbox, found),
      ),
    )

/** All signers in one request, on an uploaded document. */
const nativeRoutes = (sandbox: SandboxCore) =>
  new Elysia()
    .post('/signature', ({ request, body }) =>
      handleCreateCall(
        sandbox,
        { request, body, schema: NativeInput },
        ({ documentId, signers }) => [documentId, ...signers.map(({ identifier }) => identifier)],
        input => createNativeRequest(sandbox, input),
      ),
    )
    .get('/signature/:id', ({ request, params }) =>
      handleRequestCall(sandbox, { request, call: 'status', id: params.id, isNative: true }, found =>
        Response.json(toProviderRequest(sandbox, found)),
      ),
    )
    .get('/signature/:id/download/', ({ request, params }) =>
      handleRequestCall(sandbox, { request, call: 'pdf', id: params.id, isNative: true }, async found =>
        Response.json({ id: found.id, ...(await createDownloadLink(sandbox, found)) }),
      ),
    )
    .post('/signature/:id/delete/', ({ request, params }) =>
      handleRequestCall(sandbox, { request, call: 'cancel', id: params.id, isNative: true }, found =>
        cancelRequest(sandbox, found),
      ),
    )

async function createNativeRequest(
  sandbox: SandboxCore,
  { documentId, signers }: Static<typeof NativeInput>,
) {
  const claim = await claimUpload(sandbox, documentId)
  if (!claim) return toEsignError(400, 'document_not_found', 'No such document')
  if (!claim.isOurs)
    return toEsignError(400, 'document_already_used', 'A document can be used by one request only')
  const { name, size, sha256 } = claim.upload
  const document = { name, size, sha256 }
  return createRequest(sandbox, { documentId, documentUrl: null, document, flexiOptions: null, signers })
}

async function createRequest(sandbox: SandboxCore, input: NewSigningRequest) {
  const request = await createSigningRequest(sandbox, input)
  return Response.json(toProviderRequest(sandbox, request))
}

async function downloadFlexi(sandbox: SandboxCore, request: SigningRequest) {
  const linkRule = await sandbox.faultRules.consume('file', 'esign', 'pdf', getSubjects(request))
  return linkRule
    ? Response.json(await createDownloadLink(sandbox, request))
    : pdfResponse(await renderSignedPdf(sandbox, request), 'signed.pdf')
}

async function cancelRequest(sandbox: SandboxCore, { id }: SigningRequest) {
  await cancelSigningRequest(sandbox, id)
  return new Response(null, { status: 204 })
}
