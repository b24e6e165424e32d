import type { Deps } from '../../server/deps'
import { checkAnswer } from './description'

/** A response as a client reads it; `data` and `error` are those of Variant B's envelope. */
export type TestResponse = { status: number; headers: Headers; body: any; data: any; error: any }
/** A running server, or its URL; one of this process has its dependencies. */
export type Target = string | { url: string; deps?: Deps }

type RequestOptions = { token?: string; body?: unknown; headers?: Record<string, string> }

/** For a request that only prepares a test: if it fails, the test ends with what the server said. */
export function requireSuccess(response: TestResponse, what: string) {
  if (response.status < 400) return response
  throw new Error(`${what} answered ${response.status}: ${JSON.stringify(response.body)}`)
}

const BYTES = 'application/octet-stream'

function toSentBody(body: unknown) {
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
}

/** Sends one request; a text or bytes are sent as the body itself, anything else as JSON. */
export async function sendRequest(
  target: Target,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<TestResponse> {
  const { token, body, headers } = options
  const url = typeof target === 'string' ? target : target.url
  const address = `${url}${path}`
  const response = await fetch(address, {
    method,
    redirect: 'manual',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': body instanceof Uint8Array ? BYTES : 'application/json' }),
      ...headers,
    },
    body: toSentBody(body),
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  const read = isJson ? JSON.parse(text) : text
  checkAnswer(method, address, { status: response.status, headers: response.headers, body: read })
  return {
    status: response.status,
    headers: response.headers,
    body: read,
    data: read?.data,
    error: read?.error,
  }
}
