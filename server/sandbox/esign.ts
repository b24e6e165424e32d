import { createHash, randomUUID } from 'node:crypto'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import type { SandboxCall } from '@kiraya/sdk/contract'
import { MAX_DOCUMENT_BYTES } from '../providers/download'
import { rethrowFaultOr } from '../faults'
import { createRecordStore } from './record-store'
import { renderSignedPdf } from './sample-pdfs'
import type { Sandbox } from './index'
import type { SandboxRequest as SigningRequest } from './signing-requests'
import { isInternalCall, toProviderError } from './call-simulator'

const LINK_MS = 15 * 60_000
const PREFIX = '/sandbox/esign/api'

const Phone = Type.String({ minLength: 1, maxLength: 64 })
const Name = Type.String({ minLength: 1, maxLength: 1000 })
const Id = Type.String({ minLength: 1, maxLength: 255 })
const Signer = Type.Object({ identifier: Phone, displayName: Name })
const Initiate = Type.Object({
  documentId: Type.String(),
  documentUrl: Type.String(),
  signer: Signer,
  redirectUrl: Type.String(),
  flexiOptions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
const Signature = Type.Object({
  documentId: Id,
  redirectUrl: Type.String(),
  signers: Type.Array(Signer, { minItems: 1, maxItems: 102 }),
})

/** The content is a record of its own, so that the rest can change without it. */
type Upload = {
  id: string
  name: string
  size: number
  sha256: string
  content: string
  usedBy: string | null
}
type Link = { id: string; request: string; validUpto: string }

const unauthorized = () => toProviderError(401, 'unauthorized', 'The credentials are not valid')
const unknown = () => toProviderError(404, 'not_found', 'No such request')
const failing = (status: number, headers: Record<string, string>) =>
  toProviderError(
    status,
    status === 429 ? 'too_many_requests' : 'internal_error',
    'The sandbox was told to fail',
    headers,
  )
const pdfAnswer = (bytes: Uint8Array, name: string) =>
  new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { 'content-type': 'application/pdf', 'content-disposition': `inline; filename="${name}"` },
  })

/** Stands in for the e-signing provider over both of its interfaces: `esign` asks one signer about a document at an address, `signature` all about one that was uploaded. */
export const esignRoutes = (sandbox: Sandbox) => {
  const { deps, clock, faultRules: faults, signingRequests, simulateCall } = sandbox
  const uploads = createRecordStore<Upload>(deps.orm, 'document')
  const contents = createRecordStore<{ base64: string }>(deps.orm, 'content')
  const links = createRecordStore<Link>(deps.orm, 'link')
  const base = () => (deps.config.isProduction ? deps.publicUrl() : deps.ownUrl())

  /** A call that is checked, then goes as the control says. */
  async function call<S extends TSchema>(
    request: Request,
    on: SandboxCall,
    given: unknown,
    schema: S,
    about: (input: Static<S>) => readonly string[] | Promise<readonly string[]>,
    answer: (input: Static<S>) => Promise<Response>,
  ) {
    if (!isInternalCall(deps, request)) return unauthorized()
    if (!Value.Check(schema, given))
      return toProviderError(
        400,
        'invalid_request',
        `${Value.Errors(schema, given).First()?.path || 'the body'} is not valid`,
      )
    return simulateCall('esign', on, await about(given), request, failing, () => answer(given))
  }
  /** A call about a request that is there, of the interface by which it was made. */
  const onRequest = (
    request: Request,
    on: SandboxCall,
    id: string,
    isNative: boolean,
    answer: (found: SigningRequest) => Promise<Response> | Response,
  ) => {
    const find = async () =>
      await signingRequests
        .find(id)
        .then(part =>
          part?.request.id === id && !!part.request.document === isNative && !part.request.cancelled
            ? part.request
            : undefined,
        )
    return call(
      request,
      on,
      id,
      Type.String(),
      async () => {
        const found = await find()
        return found ? signingRequests.aboutOf(found) : [id]
      },
      async () => {
        const found = await find()
        return found ? answer(found) : unknown()
      },
    )
  }
  const cancel = async ({ id }: SigningRequest) => {
    await signingRequests.cancel(id)
    return new Response(null, { status: 204 })
  }
  const linkTo = async ({ id: request }: SigningRequest) => {
    const now = await clock.now()
    const id = randomUUID()
    const validUpto = new Date(now.getTime() + LINK_MS).toISOString()
    await links.add(id, { id, request, validUpto }, now)
    return { downloadUrl: `${base()}/sandbox/files/${id}`, validUpto }
  }

  const flexi = new Elysia({ prefix: PREFIX })
    .post('/esign', ({ request, body }) =>
      call(
        request,
        'create',
        body,
        Initiate,
        ({ documentId, signer }) => [documentId, signer.identifier],
        async ({ documentId, documentUrl, signer, flexiOptions = null }) =>
          Response.json(
            signingRequests.answer(
              await signingRequests.create({
                documentId,
                documentUrl,
                document: null,
                flexiOptions,
                signers: [signer],
              }),
            ),
          ),
      ),
    )
    .get('/esign/:id', ({ request, params }) =>
      onRequest(request, 'status', params.id, false, found => Response.json(signingRequests.answer(found))),
    )
    .get('/esign/:id/pdf', ({ request, params }) =>
      onRequest(request, 'pdf', params.id, false, async found =>
        (await faults.take('esign', 'pdf', 'file', signingRequests.aboutOf(found)))
          ? Response.json(await linkTo(found))
          : pdfAnswer(renderSignedPdf(found), 'signed.pdf'),
      ),
    )
    .post('/esign/:id/delete/', ({ request, params }) =>
      onRequest(request, 'cancel', params.id, false, cancel),
    )

  const native = new Elysia({ prefix: PREFIX })
    .post('/signature', ({ request, body }) =>
      call(
        request,
        'create',
        body,
        Signature,
        ({ documentId, signers }) => [documentId, ...signers.map(({ identifier }) => identifier)],
        async ({ documentId, signers }) => {
          const use = randomUUID()
          const upload = await uploads.change(documentId, before => ({
            ...before,
            usedBy: before.usedBy ?? use,
          }))
          if (!upload) return toProviderError(400, 'document_not_found', 'No such document')
          if (upload.usedBy !== use)
            return toProviderError(400, 'document_already_used', 'A document serves one request')
          const { name, size, sha256 } = upload
          return Response.json(
            signingRequests.answer(
              await signingRequests.create({
                documentId,
                documentUrl: null,
                document: { name, size, sha256 },
                flexiOptions: null,
                signers,
              }),
            ),
          )
        },
      ),
    )
    .get('/signature/:id', ({ request, params }) =>
      onRequest(request, 'status', params.id, true, found => Response.json(signingRequests.answer(found))),
    )
    .get('/signature/:id/download/', ({ request, params }) =>
      onRequest(request, 'pdf', params.id, true, async found =>
        Response.json({ id: found.id, ...(await linkTo(found)) }),
      ),
    )
    .post('/signature/:id/delete/', ({ request, params }) =>
      onRequest(request, 'cancel', params.id, true, cancel),
    )

  /** Documents come as they are, so these routes read their bodies themselves. */
  const files = new Elysia({ prefix: '/sandbox' })
    .post(
      '/esign/api/documents',
      async ({ request }) => {
        if (!isInternalCall(deps, request)) return unauthorized()
        const form = await request.formData().catch(rethrowFaultOr(() => undefined))
        const name = form?.get('name')
        const file = form?.get('document')
        if (typeof name !== 'string' || !name || !(file instanceof Blob))
          return toProviderError(400, 'invalid_request', 'The form needs a name and a document')
        if (file.size > MAX_DOCUMENT_BYTES)
          return toProviderError(400, 'document_too_large', 'A document has at most 10 MiB')
        const bytes = Buffer.from(await file.arrayBuffer())
        if (!bytes.subarray(0, 5).equals(Buffer.from('%PDF-')))
          return toProviderError(400, 'invalid_document', 'The document is no PDF')
        return simulateCall('esign', 'upload', [name], request, failing, async () => {
          const id = randomUUID()
          const content = randomUUID()
          const shown = name.slice(0, 255)
          const now = await clock.now()
          await contents.add(content, { base64: bytes.toString('base64') }, now)
          await uploads.add(
            id,
            {
              id,
              name: shown,
              size: bytes.length,
              sha256: createHash('sha256').update(bytes).digest('hex'),
              content,
              usedBy: null,
            },
            now,
          )
          return Response.json({ id, name: shown })
        })
      },
      { parse: 'none' },
    )
    // The address is the credential, and holds once.
    .get('/files/:id', async ({ params }) => {
      const link = await links.take(params.id)
      const part =
        link && new Date(link.validUpto) > (await clock.now())
          ? await signingRequests.find(link.request)
          : undefined
      return part ? pdfAnswer(renderSignedPdf(part.request), 'signed.pdf') : unknown()
    })
    // Whoever has a signer's address may read what is to be signed, and what was.
    .get('/sign/:id/document.pdf', async ({ params }) => {
      const part = await signingRequests.find(params.id)
      const upload = part && (await uploads.get(part.request.documentId))
      const content = upload && (await contents.get(upload.content))
      return content ? pdfAnswer(Buffer.from(content.base64, 'base64'), 'document.pdf') : unknown()
    })
    .get('/sign/:id/signed.pdf', async ({ params }) => {
      const part = await signingRequests.find(params.id)
      return part ? pdfAnswer(renderSignedPdf(part.request), 'signed.pdf') : unknown()
    })
  return { api: new Elysia().use(flexi).use(native), files }
}
