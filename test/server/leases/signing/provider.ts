import { afterEach } from 'bun:test'
import { serveUntilEnd } from '../../../support/provider-double'
import { signWebhook } from '../../../../server/providers/signing/setu/signature'
import { sendRequest, type TestUser } from '../../../support/users'

type Reply = (request: Request) => Response | Promise<Response>
type Kept = {
  id: string
  documentId: string
  signer: { identifier: string; displayName: string }
  status: string
  signerStatus: string
  errCode: string | null
  validUpto?: string
  cancelled: boolean
}
type Call = { method: string; path: string; headers: Headers; body: any }

export const SECRET = 'the secret of a provider of our own with more than 32 bytes'
/** The signed document of a request. */
export const signedPdf = (request: string) => `%PDF-1.7 signed ${request}`
export const MISSING = '00000000-0000-4000-8000-000000000000'

type Replies = {
  create?: Reply
  read?: Reply
  cancel?: Reply
  pdf?: Reply
  /** Holds the response back; it is never sent if this never resolves. */
  after?: (call: Call) => Promise<unknown> | undefined
}
type State = { kept: Map<string, Kept>; calls: Call[]; replies: Replies; validUpto: string | undefined }

/** A provider that speaks the documented wire format, records its requests, and fails on demand. */
export function signingProvider() {
  const state: State = { kept: new Map(), calls: [], replies: {}, validUpto: undefined }
  const { kept, calls, replies } = state
  const url = serveUntilEnd(async request => {
    const response = await respond(state, request)
    await replies.after?.(calls.at(-1)!)
    return response
  })
  afterEach(() => {
    for (const step of Object.keys(replies) as (keyof Replies)[]) delete replies[step]
    state.validUpto = undefined
  })
  const of = (documentId: string) => [...kept.values()].findLast(each => each.documentId === documentId)!

  return {
    env: toEnv(url),
    calls,
    replies,
    kept,
    /** The newest request for one of our signatures. */
    of,
    creates: (documentUrl?: string) =>
      calls.filter(
        ({ method, path, body }) =>
          method === 'POST' && path === '/api/esign' && (!documentUrl || body.documentUrl === documentUrl),
      ),
    expireAt: (until: string | undefined) => void (state.validUpto = until),
    /** Changes a request at the provider, without a webhook. */
    becomes: (documentId: string, change: Partial<Kept>) => Object.assign(of(documentId), change),
    /** The signer signs at the provider, without a webhook. */
    completes: (documentId: string) =>
      Object.assign(of(documentId), { status: 'sign_complete', signerStatus: 'signed', errCode: null }),
    /** The signer refuses, or the time runs out, at the provider and without a webhook. */
    ends: (documentId: string, end: keyof typeof endCodes) =>
      Object.assign(of(documentId), { errCode: endCodes[end] }),
    webhook: sendWebhook,
    news: toWebhookPayload,
  }
}

const endCodes = { declined: 'signer_declined', expired: 'session_expired' }

export const toEnv = (url: string) => ({
  ESIGN_API_URL: url,
  ESIGN_CLIENT_ID: 'client',
  ESIGN_CLIENT_SECRET: 'hush',
  ESIGN_PRODUCT_INSTANCE_ID: 'product',
  ESIGN_WEBHOOK_SECRET: SECRET,
  PUBLIC_URL: 'https://api.example.com',
})

async function respond({ kept, calls, replies, validUpto }: State, request: Request) {
  const { pathname: path } = new URL(request.url)
  const { method, headers } = request
  const [, , , name = '', action] = path.split('/')
  const isCreate = method === 'POST' && !name
  const body = isCreate ? await request.json() : undefined
  calls.push({ method, path, headers, body })
  if (isCreate) {
    if (replies.create) return replies.create(request)
    const created = createRequest(body as Kept, validUpto)
    kept.set(created.id, created)
    return Response.json(toBody(created))
  }

  const found = kept.get(decodeURIComponent(name))
  if (action === 'delete') {
    if (replies.cancel) return replies.cancel(request)
    if (found) found.cancelled = true
    return new Response(null, { status: found ? 204 : 404 })
  }
  if (action === 'pdf') {
    if (replies.pdf) return replies.pdf(request)
    return new Response(signedPdf(name), { headers: { 'content-type': 'application/pdf' } })
  }
  if (replies.read) return replies.read(request)
  if (found && !found.cancelled) return Response.json(toBody(found))
  const error = { code: 'not_found', detail: 'No such request', traceId: 'x' }
  return Response.json({ error }, { status: 404 })
}

const createRequest = ({ documentId, signer }: Kept, validUpto: string | undefined): Kept => ({
  id: crypto.randomUUID(),
  documentId,
  signer,
  status: 'sign_initiated',
  signerStatus: 'pending',
  errCode: null,
  validUpto,
  cancelled: false,
})

const toBody = ({ id, documentId, signer, status, signerStatus, errCode, validUpto }: Kept) => ({
  id,
  documentId,
  status,
  signers: [
    { id: `signer-${id}`, ...signer, status: signerStatus, url: `https://sign.example.com/${id}`, errCode },
  ],
  ...(validUpto && { validUpto }),
})

type WebhookOptions = { header?: string; secret?: string; signature?: string | null }

export function sendWebhook(
  url: string,
  payload: unknown,
  { header = 'x-setu-signature', secret = SECRET, signature }: WebhookOptions = {},
) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const given = signature === undefined ? signWebhook(body, secret) : signature
  const headers = given === null ? {} : { [header]: given }
  return sendRequest(url, 'POST', '/webhooks/esign', { body, headers })
}

type WebhookContent = { errCode?: string | null; nonce?: unknown; signerStatus?: string; status?: string }

/** The payload of a webhook about a request, by default in its current state. */
const toWebhookPayload = (
  event: string,
  request: Pick<Kept, 'id'> & Partial<Kept>,
  { errCode = null, nonce = '', signerStatus, status }: WebhookContent = {},
) => ({
  event,
  timeStamp: `2026-01-01T00:00:00Z ${nonce ?? ''}`.trim(),
  data: {
    esign: {
      id: request.id,
      documentId: request.documentId,
      status: status ?? request.status,
      signers: [{ id: `signer-${request.id}`, status: signerStatus ?? request.signerStatus, errCode }],
    },
  },
})

export type Provider = ReturnType<typeof signingProvider>

export const start = (
  starter: TestUser,
  agreement: { id: number },
  signer: { id: number },
  more: Record<string, unknown> = {},
) => starter.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: signer.id, ...more })

/** Signs at the provider, and returns the response to its webhook. */
export function signsAt(provider: Provider, url: string, documentId: string) {
  return provider.webhook(url, provider.news('ESIGN_COMPLETE', provider.completes(documentId)))
}

/** Starts a party's signing and completes it. */
export async function signs(
  provider: Provider,
  url: string,
  starter: TestUser,
  agreement: { id: number },
  signer: { id: number },
) {
  const { body } = await start(starter, agreement, signer)
  await signsAt(provider, url, body.data.signature_id)
  return body.data.signature_id as string
}
