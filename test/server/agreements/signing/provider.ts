import { afterAll, afterEach } from 'bun:test'
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

const SECRET = 'the secret of a provider of our own, of more than 32 bytes'
/** What the provider gives out as the signed document of a request. */
export const signedPdf = (request: string) => `%PDF-1.7 signed ${request}`
export const MISSING = '00000000-0000-4000-8000-000000000000'

/** An e-signing provider of our own: it speaks the documented wire format, remembers what it is asked, and fails as it is told. */
export function signingProvider() {
  const kept = new Map<string, Kept>()
  const calls: Call[] = []
  const replies: {
    create?: Reply
    read?: Reply
    cancel?: Reply
    pdf?: Reply
    after?: (call: Call) => Promise<never> | undefined
  } = {}
  let validUpto: string | undefined
  const answer = ({ id, documentId, signer, status, signerStatus, errCode, validUpto }: Kept) => ({
    id,
    documentId,
    status,
    signers: [
      { id: `signer-${id}`, ...signer, status: signerStatus, url: `https://sign.example.com/${id}`, errCode },
    ],
    ...(validUpto && { validUpto }),
  })
  const listener = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: async request => {
      const answer = await reply(request)
      return replies.after?.(calls.at(-1)!) ?? answer
    },
  })
  const reply = async (request: Request) => {
    const { pathname: path } = new URL(request.url)
    const { method } = request
    const [, , , name = '', action] = path.split('/')
    const body = method === 'POST' && !name ? await request.json() : undefined
    calls.push({ method, path, headers: request.headers, body })
    if (method === 'POST' && !name) {
      if (replies.create) return replies.create(request)
      const { documentId, signer } = body as Kept
      const id = crypto.randomUUID()
      kept.set(id, {
        id,
        documentId,
        signer,
        status: 'sign_initiated',
        signerStatus: 'pending',
        errCode: null,
        validUpto,
        cancelled: false,
      })
      return Response.json(answer(kept.get(id)!))
    }
    const found = kept.get(decodeURIComponent(name))
    if (action === 'delete') {
      if (replies.cancel) return replies.cancel(request)
      if (found) found.cancelled = true
      return new Response(null, { status: found ? 204 : 404 })
    }
    if (action === 'pdf')
      return replies.pdf
        ? replies.pdf(request)
        : new Response(signedPdf(name), { headers: { 'content-type': 'application/pdf' } })
    if (replies.read) return replies.read(request)
    return found && !found.cancelled
      ? Response.json(answer(found))
      : Response.json(
          { error: { code: 'not_found', detail: 'No such request', traceId: 'x' } },
          { status: 404 },
        )
  }
  afterAll(() => listener.stop(true))
  afterEach(() => {
    delete replies.create
    delete replies.read
    delete replies.cancel
    delete replies.pdf
    delete replies.after
    validUpto = undefined
  })
  const of = (documentId: string) => [...kept.values()].findLast(each => each.documentId === documentId)!

  return {
    env: {
      ESIGN_API_URL: `http://127.0.0.1:${listener.port}`,
      ESIGN_CLIENT_ID: 'client',
      ESIGN_CLIENT_SECRET: 'hush',
      ESIGN_PRODUCT_INSTANCE_ID: 'product',
      ESIGN_WEBHOOK_SECRET: SECRET,
      PUBLIC_URL: 'https://api.example.com',
    },
    calls,
    replies,
    kept,
    /** The newest request for a signature of ours. */
    of,
    creates: (documentUrl?: string) =>
      calls.filter(
        ({ method, path, body }) =>
          method === 'POST' && path === '/api/esign' && (!documentUrl || body.documentUrl === documentUrl),
      ),
    expireAt: (until: string | undefined) => void (validUpto = until),
    /** What the provider knows from now on, without telling anybody. */
    becomes: (documentId: string, change: Partial<Kept>) => Object.assign(of(documentId), change),
    webhook: (
      url: string,
      payload: unknown,
      {
        header = 'x-setu-signature',
        secret = SECRET,
        signature,
      }: { header?: string; secret?: string; signature?: string | null } = {},
    ) => {
      const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
      const given = signature === undefined ? signWebhook(body, secret) : signature
      return sendRequest(url, 'POST', '/webhooks/esign', {
        body,
        headers: given === null ? {} : { [header]: given },
      })
    },
    /** A webhook's payload about a request, by default as the provider sees it now. */
    news: (
      event: string,
      request: Pick<Kept, 'id'> & Partial<Kept>,
      more: { errCode?: string | null; nonce?: unknown; signerStatus?: string; status?: string } = {},
    ) => ({
      event,
      timeStamp: `2026-01-01T00:00:00Z ${more.nonce ?? ''}`,
      data: {
        esign: {
          id: request.id,
          documentId: request.documentId,
          status: more.status ?? request.status,
          signers: [
            {
              id: `signer-${request.id}`,
              status: more.signerStatus ?? request.signerStatus,
              errCode: more.errCode ?? null,
            },
          ],
        },
      },
    }),
  }
}
export type Provider = ReturnType<typeof signingProvider>

export const start = (
  starter: TestUser,
  agreement: { id: number },
  signer: { id: number },
  more: Record<string, unknown> = {},
) => starter.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: signer.id, ...more })

/** Somebody signs at the provider, which tells of it; the answer is that to the webhook. */
export function signsAt(provider: Provider, url: string, documentId: string) {
  const request = provider.becomes(documentId, {
    status: 'sign_complete',
    signerStatus: 'signed',
    errCode: null,
  })
  return provider.webhook(url, provider.news('ESIGN_COMPLETE', request))
}

/** Starts somebody's signing and completes it. */
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
