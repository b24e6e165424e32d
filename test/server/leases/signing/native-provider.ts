import { afterEach } from 'bun:test'
import { serveUntilEnd } from '../../../support/provider-double'
import type { TestUser } from '../../../support/users'
import { sendWebhook, toEnv } from './provider'
import { toTinyPdf } from '../../../support/pdf'

type Signer = {
  id: string
  identifier: string
  displayName: string
  status: 'pending' | 'in_progress' | 'signed'
  url: string
  errCode: string | null
}
type Kept = {
  id: string
  documentId: string
  status: string
  signers: Signer[]
  validUpto?: string
  content: string
}
type Step = 'document' | 'upload' | 'create' | 'read' | 'download' | 'delete'
type Reply = () => Response | Promise<Response>

export const LEASE = toTinyPdf('the lease')
const PDF = { 'content-type': 'application/pdf' }
const refused = (status: number, code: string) =>
  Response.json({ error: { code, detail: 'hush', traceId: 'x' } }, { status })

type Upload = { name: string; content: string; headers: Headers; isUsed: boolean }

const createState = () => ({
  uploads: new Map<string, Upload>(),
  requests: [] as Kept[],
  creates: [] as any[],
  deleted: [] as string[],
  replies: {} as Partial<Record<Step, Reply>>,
  validUpto: undefined as string | undefined,
  origin: '',
})
type State = ReturnType<typeof createState>

/** A provider that speaks the native wire format, records its requests, fails on demand, and stores documents. */
export function nativeProvider() {
  const state = createState()
  state.origin = serveUntilEnd(request => respond(state, request))
  afterEach(() => {
    for (const step of Object.keys(state.replies) as Step[]) delete state.replies[step]
    state.validUpto = undefined
  })

  const of = (requestId: string) => findRequest(state, requestId)!
  const findSigner = (requestId: string, { phone }: Pick<TestUser, 'phone'>) =>
    of(requestId).signers.find(({ identifier }) => identifier === phone)!
  const { origin } = state
  return {
    ...state,
    env: { ...toEnv(`${origin}/`), ESIGN_PROTOCOL: 'native' },
    /** The address of a document; its name tells the documents of different tests apart. */
    document_url: (name: string) => `${origin}/${name}.pdf`,
    of,
    findSigner,
    expireAt: (until: string | undefined) => void (state.validUpto = until),
    /** Changes a signer at the provider, without a webhook. */
    becomes: (requestId: string, user: Pick<TestUser, 'phone'>, change: Partial<Signer>) => {
      Object.assign(findSigner(requestId, user), change)
      of(requestId).status = toRequestStatus(of(requestId))
    },
    /** Sends a webhook about a request in its current state. */
    tell: (url: string, requestId: string, content?: WebhookContent) =>
      sendWebhook(url, toWebhookPayload(of(requestId), content)),
  }
}

const findRequest = ({ requests }: State, id: string) => requests.find(request => request.id === id)

const findOpen = (state: State, id: string) =>
  state.deleted.includes(id) ? undefined : findRequest(state, id)

function toRequestStatus({ signers }: Kept) {
  if (signers.every(({ status }) => status === 'signed')) return 'sign_complete'
  if (signers.some(({ status }) => status === 'in_progress')) return 'sign_in_progress'
  if (signers.some(({ status }) => status === 'signed')) return 'sign_pending'
  return 'sign_initiated'
}

const toResponse = ({ content: _, ...request }: Kept, status = 200) => Response.json(request, { status })

/** Each signature is a line at the end of the document. */
function toPdf({ content, signers }: Kept) {
  const signed = signers.filter(({ status }) => status === 'signed')
  return [content, ...signed.map(({ identifier }) => `signed by ${identifier}`)].join('\n')
}

async function respond(state: State, request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.split('/')
  if (path[1] === 'unlocked') return new Response(toPdf(findRequest(state, path[2]!)!), { headers: PDF })
  const step = toStep(request.method, path)
  if (path[1] === 'api' && request.headers.get('x-client-secret') !== 'hush')
    return refused(401, 'unauthorized')
  const reply = state.replies[step]
  if (step === 'create' && reply) state.creates.push(await request.json())
  return reply ? reply() : steps[step](state, request, path[3] ?? '')
}

function toStep(method: string, [, first, second, id, action]: string[]): Step {
  if (first !== 'api') return 'document'
  if (second === 'documents') return 'upload'
  if (!id) return 'create'
  if (action === 'download') return 'download'
  return action === 'delete' && method === 'POST' ? 'delete' : 'read'
}

type Respond = (state: State, request: Request, id: string) => Response | Promise<Response>

const steps: Record<Step, Respond> = {
  document: () => new Response(LEASE, { headers: PDF }),
  upload: storeUpload,
  create: createRequest,
  read: (state, _, id) => {
    const found = findOpen(state, id)
    return found ? toResponse(found) : refused(404, 'signature_request_not_found')
  },
  download: (state, _, id) => {
    if (!findOpen(state, id)) return refused(404, 'document_not_found')
    const downloadUrl = `${state.origin}/unlocked/${id}`
    return Response.json({ id, downloadUrl, validUpto: '2030-01-01T00:00:00+05:30' })
  },
  delete: (state, _, id) => {
    const isKnown = findOpen(state, id)
    state.deleted.push(id)
    return isKnown ? new Response(null, { status: 204 }) : refused(404, 'signature_request_not_found')
  },
}

async function storeUpload({ uploads }: State, request: Request) {
  const form = await request.formData()
  const file = form.get('document') as File
  const name = String(form.get('name'))
  const id = crypto.randomUUID()
  uploads.set(id, { name, content: await file.text(), headers: request.headers, isUsed: false })
  return Response.json({ id, name: form.get('name') }, { status: 201 })
}

async function createRequest({ uploads, requests, creates, validUpto }: State, request: Request) {
  const body = (await request.json()) as any
  const document = uploads.get(body.documentId)
  creates.push(body)
  if (!document || document.isUsed) return refused(400, 'invalid_document')
  document.isUsed = true

  const id = crypto.randomUUID()
  const signers = body.signers.map(({ identifier, displayName }: Signer) => ({
    id: crypto.randomUUID(),
    identifier,
    displayName,
    status: 'pending',
    url: `https://sign.example.com/${id}/${identifier}`,
    errCode: null,
  }))
  const created: Kept = {
    id,
    documentId: body.documentId,
    status: 'sign_initiated',
    signers,
    content: document.content,
    ...(validUpto && { validUpto }),
  }
  requests.push(created)
  return toResponse(created, 201)
}

type WebhookContent = { event?: string; nonce?: unknown }

function toWebhookPayload(
  { id, documentId, status, signers }: Kept,
  { event = 'ESIGN_WEBHOOK_NOTIFICATION', nonce = 0 }: WebhookContent = {},
) {
  const signersWithoutUrl = signers.map(({ url: _, ...signer }) => signer)
  const esign = { id, documentId, status, signers: signersWithoutUrl }
  return { event, timeStamp: `2026-01-01T00:00:00Z ${nonce}`, data: { esign } }
}
