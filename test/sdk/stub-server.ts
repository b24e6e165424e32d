import type { KirayaError } from '../../sdk'

type Respond = (request: Request, received: ReceivedRequest) => Response | Promise<Response>
type ReceivedRequest = {
  method: string
  path: string
  authorization: string | null
  idempotencyKey: string | null
  headers: Headers
  /** JSON as its value, a file as a text with a character for each byte. */
  body: unknown
}

/** A server that answers request n with response n, repeats the last one, and records every request. */
export function createStubServer(...responses: Respond[]) {
  const requests: ReceivedRequest[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async request => {
      const received = await toReceivedRequest(request)
      requests.push(received)
      const index = Math.min(requests.length, responses.length) - 1
      return responses[index]!(request, received)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    [Symbol.dispose]: () => void server.stop(true),
  }
}

async function toReceivedRequest(request: Request): Promise<ReceivedRequest> {
  const { pathname, search } = new URL(request.url)
  const bytes = Buffer.from(await request.arrayBuffer())
  const isJson = request.headers.get('content-type') === 'application/json'
  const content: unknown = isJson ? JSON.parse(bytes.toString()) : bytes.toString('latin1')
  return {
    method: request.method,
    path: pathname + search,
    authorization: request.headers.get('authorization'),
    idempotencyKey: request.headers.get('idempotency-key'),
    headers: request.headers,
    body: bytes.length > 0 ? content : undefined,
  }
}

/** Variant B's success. */
export const dataResponse =
  (data: unknown = { user: {}, status: 'LOGIN_SUCCESSFUL' }) =>
  () =>
    Response.json({ success: true, data })

/** An empty list. */
export const emptyPage = () =>
  Response.json({ success: true, data: [], metadata: { page: 1, limit: 50, total: 0, total_pages: 1 } })

/** Variant B's failure. */
export const errorResponse =
  (status: number, code: string, headers: Record<string, string> = {}, details?: unknown) =>
  () => {
    const error = { code, message: 'No', details }
    const body = { success: false, data: null, error }
    return Response.json(body, { status, headers: { 'x-request-id': 'r1', ...headers } })
  }

/** Variant A's failure. */
export const plainErrorResponse = (statusCode: number, message: string | string[]) => () =>
  Response.json(
    { statusCode, message, error: 'Bad' },
    { status: statusCode, headers: { 'x-request-id': 'r2' } },
  )

/** A response whose body begins and never ends. */
export const stuckResponse = () => {
  const beginning = new TextEncoder().encode('{"success":')
  return new Response(new ReadableStream({ start: stream => stream.enqueue(beginning) }))
}

const SUCCESS_BODY = JSON.stringify({ success: true, data: { message: 'Fine' } })

const toRawResponse = (contentLength: number) =>
  [
    'HTTP/1.1 200 OK',
    'content-type: application/json',
    `content-length: ${contentLength}`,
    'connection: close',
    '',
    SUCCESS_BODY,
  ].join('\r\n')

function createRawServer(respond: (socket: Bun.Socket, callCount: number) => void) {
  let callCount = 0
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data: socket => {
        callCount++
        respond(socket, callCount)
      },
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    getCallCount: () => callCount,
    [Symbol.dispose]: () => void server.stop(true),
  }
}

/** A server that closes its first connection without a response, then succeeds. */
export const createConnectionLosingServer = () =>
  createRawServer((socket, callCount) => {
    if (callCount === 1) socket.terminate()
    else socket.end(toRawResponse(SUCCESS_BODY.length))
  })

/** A server that closes each connection in the middle of its response. */
export const createTruncatingServer = () =>
  createRawServer(socket => void socket.end(toRawResponse(SUCCESS_BODY.length + 1_000)))

export const catchError = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as KirayaError,
  )

/** A token like the server's, except for the signature. */
export function createTestToken(claims: object) {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${btoa('{}')}.${payload}.x`
}
