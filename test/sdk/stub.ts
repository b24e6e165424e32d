import type { KirayaError } from '../../sdk'

/** A server that answers each request in turn from a list, the last one for ever, and keeps what it was asked. */
export function createStubServer(...answers: ((request: Request) => Response | Promise<Response>)[]) {
  const asked: {
    method: string
    path: string
    authorization: string | null
    key: string | null
    body: unknown
  }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async request => {
      const { pathname, search } = new URL(request.url)
      const text = await request.text()
      asked.push({
        method: request.method,
        path: pathname + search,
        authorization: request.headers.get('authorization'),
        key: request.headers.get('idempotency-key'),
        body: text ? JSON.parse(text) : undefined,
      })
      return answers[Math.min(asked.length, answers.length) - 1]!(request)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, asked, [Symbol.dispose]: () => void server.stop(true) }
}

/** Variant B's failure. */
export const errorResponse =
  (status: number, code: string, headers: Record<string, string> = {}, details?: unknown) =>
  () =>
    Response.json(
      { success: false, data: null, error: { code, message: 'No', details } },
      { status, headers: { 'x-request-id': 'r1', ...headers } },
    )
/** Variant A's failure. */
export const plainErrorResponse = (statusCode: number, message: string | string[]) => () =>
  Response.json(
    { statusCode, message, error: 'Bad' },
    { status: statusCode, headers: { 'x-request-id': 'r2' } },
  )
/** Variant B's success. */
export const dataResponse =
  (data: unknown = { user: {}, status: 'LOGIN_SUCCESSFUL' }) =>
  () =>
    Response.json({ success: true, data })
const raw = (answer: (socket: Bun.Socket, calls: number) => void) => {
  let calls = 0
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: socket => answer(socket, ++calls) },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    calls: () => calls,
    [Symbol.dispose]: () => void server.stop(true),
  }
}
const head = (length: number) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`
const fine = JSON.stringify({ success: true, data: { message: 'Fine' } })
/** A server that cuts its first connection without a word, then answers. */
export const cuttingServer = () =>
  raw((socket, calls) => void (calls > 1 ? socket.end(head(fine.length) + fine) : socket.terminate()))
/** A server that hangs up within its answer. */
export const breakingServer = () => raw(socket => void socket.end(head(1_000) + fine))

export const catchError = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as KirayaError,
  )

/** A token as the server's are, but for its signature. */
export const createTestToken = (claims: object) =>
  `${btoa('{}')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
