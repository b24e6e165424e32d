import { afterAll, afterEach } from 'bun:test'
import { signWebhook } from '../../../../server/providers/signing/setu/signature'
import { sendRequest, type TestUser } from '../../../support/users'

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

const SECRET = 'the secret of a provider of our own, of more than 32 bytes'
export const LEASE = '%PDF-1.7 the lease'
const PDF = { 'content-type': 'application/pdf' }
const refused = (status: number, code: string) =>
  Response.json({ error: { code, detail: 'hush', traceId: 'x' } }, { status })

/** A provider of our own that speaks the native interface, keeps what it is asked, and fails as it is told; documents lie with it too. */
export function nativeProvider() {
  const uploads = new Map<string, { name: string; content: string; headers: Headers; isUsed: boolean }>()
  const requests: Kept[] = []
  const creates: any[] = []
  const deleted: string[] = []
  const unlocked: Headers[] = []
  const replies: Partial<Record<Step, Reply>> = {}
  let validUpto: string | undefined
  const find = (id: string) => requests.find(request => request.id === id)
  const stateOf = ({ signers }: Kept) =>
    signers.every(({ status }) => status === 'signed')
      ? 'sign_complete'
      : signers.some(({ status }) => status === 'in_progress')
        ? 'sign_in_progress'
        : signers.some(({ status }) => status === 'signed')
          ? 'sign_pending'
          : 'sign_initiated'
  const answer = ({ content: _, ...request }: Kept) => Response.json(request)
  /** Each signature is a line at the end of the document. */
  const pdf = ({ content, signers }: Kept) =>
    [
      content,
      ...signers
        .filter(({ status }) => status === 'signed')
        .map(({ displayName }) => `signed by ${displayName}`),
    ].join('\n')

  const steps: Record<Step, (request: Request, id: string) => Response | Promise<Response>> = {
    document: () => new Response(LEASE, { headers: PDF }),
    upload: async request => {
      const form = await request.formData()
      const file = form.get('document') as File
      const id = crypto.randomUUID()
      uploads.set(id, {
        name: String(form.get('name')),
        content: await file.text(),
        headers: request.headers,
        isUsed: false,
      })
      return Response.json({ id, name: form.get('name') }, { status: 201 })
    },
    create: async request => {
      const body = (await request.json()) as any
      const document = uploads.get(body.documentId)
      const id = crypto.randomUUID()
      creates.push(body)
      if (!document || document.isUsed) return refused(400, 'invalid_document')
      document.isUsed = true
      const signers = body.signers.map(({ identifier, displayName }: Signer) => ({
        id: crypto.randomUUID(),
        identifier,
        displayName,
        status: 'pending',
        url: `https://sign.example.com/${id}/${identifier}`,
        errCode: null,
      }))
      requests.push({
        id,
        documentId: body.documentId,
        status: 'sign_initiated',
        signers,
        content: document.content,
        ...(validUpto && { validUpto }),
      })
      return Response.json(await answer(find(id)!).json(), { status: 201 })
    },
    read: (_, id) =>
      find(id) && !deleted.includes(id) ? answer(find(id)!) : refused(404, 'signature_request_not_found'),
    download: (_, id) =>
      find(id) && !deleted.includes(id)
        ? Response.json({
            id,
            downloadUrl: `http://127.0.0.1:${listener.port}/unlocked/${id}`,
            validUpto: '2030-01-01T00:00:00+05:30',
          })
        : refused(404, 'document_not_found'),
    delete: (_, id) => {
      const isKnown = find(id) && !deleted.includes(id)
      deleted.push(id)
      return isKnown ? new Response(null, { status: 204 }) : refused(404, 'signature_request_not_found')
    },
  }
  const stepOf = (method: string, [, first, second, id, action]: string[]): Step =>
    first !== 'api'
      ? 'document'
      : second === 'documents'
        ? 'upload'
        : !id
          ? 'create'
          : action === 'download'
            ? 'download'
            : action === 'delete' && method === 'POST'
              ? 'delete'
              : 'read'
  const listener: ReturnType<typeof Bun.serve> = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: async request => {
      const path = new URL(request.url).pathname.split('/')
      if (path[1] === 'unlocked') {
        unlocked.push(request.headers)
        return new Response(pdf(find(path[2]!)!), { headers: PDF })
      }
      const step = stepOf(request.method, path)
      if (path[1] === 'api' && request.headers.get('x-client-secret') !== 'hush')
        return refused(401, 'unauthorized')
      const reply = replies[step]
      if (step === 'create' && reply) creates.push(await request.json())
      return reply ? reply() : steps[step](request, path[3] ?? '')
    },
  })
  afterAll(() => listener.stop(true))
  afterEach(() => {
    for (const step of Object.keys(replies) as Step[]) delete replies[step]
    validUpto = undefined
  })

  const of = (requestId: string) => find(requestId)!
  const signerOf = (requestId: string, { phone }: Pick<TestUser, 'phone'>) =>
    of(requestId).signers.find(({ identifier }) => identifier === phone)!
  return {
    env: {
      ESIGN_PROTOCOL: 'native',
      ESIGN_API_URL: `http://127.0.0.1:${listener.port}/`,
      ESIGN_CLIENT_ID: 'client',
      ESIGN_CLIENT_SECRET: 'hush',
      ESIGN_PRODUCT_INSTANCE_ID: 'product',
      ESIGN_WEBHOOK_SECRET: SECRET,
      PUBLIC_URL: 'https://api.example.com',
    },
    /** Where the document lies that agreements name; the path tells those of different tests apart. */
    document_url: (name: string) => `http://127.0.0.1:${listener.port}/${name}.pdf`,
    uploads,
    requests,
    creates,
    deleted,
    unlocked,
    replies,
    of,
    signerOf,
    pdf,
    expireAt: (until: string | undefined) => void (validUpto = until),
    /** What happens to somebody at the provider, without anybody being told. */
    becomes: (requestId: string, person: Pick<TestUser, 'phone'>, change: Partial<Signer>) => {
      Object.assign(signerOf(requestId, person), change)
      of(requestId).status = stateOf(of(requestId))
    },
    /** Tells of a request as it is now. */
    tell: (
      url: string,
      requestId: string,
      { event = 'ESIGN_WEBHOOK_NOTIFICATION', nonce = 0, about = {} as Record<string, unknown> } = {},
    ) => {
      const { id, documentId, status, signers } = of(requestId)
      const body = JSON.stringify({
        event,
        timeStamp: `2026-01-01T00:00:00Z ${nonce}`,
        data: {
          esign: {
            id,
            documentId,
            status,
            signers: signers.map(({ url: _, ...signer }) => signer),
            ...about,
          },
        },
      })
      return sendRequest(url, 'POST', '/webhooks/esign', {
        body,
        headers: { 'x-setu-signature': signWebhook(body, SECRET) },
      })
    },
  }
}
