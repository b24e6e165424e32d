import ky, { HTTPError, type ResponsePromise } from 'ky'
import { toCamelCase, toKirayaError, renameKeys, toSnakeCase } from './error-mapping'
import { KirayaError, NetworkError, TimeoutError } from './errors'
import type { Page } from './pagination'

export type Variant = 'a' | 'b'
export type ClientOptions = {
  /** Where the server is, such as `https://api.example.com`. */
  baseUrl: string
  /** An access token from an earlier sign-in. */
  token?: string
  /** The generation of the API to speak; the methods and their types stay the same, but that A's users have no `user_id`. Default `b`. */
  variant?: Variant
  fetch?: (input: Request | URL | string, init?: RequestInit) => Promise<Response>
  /** Milliseconds until a call fails; a server that waits for a provider may take 45 seconds. Default 60,000. */
  timeoutMs?: number
}
type Query = Record<string, string | number | boolean | undefined>
type Call = { method: string; json?: unknown; searchParams?: Query; once?: boolean }

/** Longer than this a caller is not kept waiting for another try, but told. */
const MAX_RETRY_AFTER_S = 5

/** One request after the other through ky: the token, the variant's form, and every failure as one of our errors. */
export type HttpClient = ReturnType<typeof createHttpClient>
export function createHttpClient({
  baseUrl,
  token,
  variant = 'b',
  fetch: given = globalThis.fetch,
  timeoutMs = 60_000,
}: ClientOptions) {
  const http = ky.create({
    prefix: baseUrl,
    timeout: false,
    retry: { methods: ['get', 'put', 'delete', 'post', 'patch'], jitter: true, shouldRetry },
    fetch: normalizeNetworkErrors(given),
  })
  async function send<T>(
    path: string,
    { once, ...call }: Call,
    read: (answer: ResponsePromise) => Promise<T> = answer => answer.json(),
  ): Promise<T> {
    // One limit for all tries and the whole of the answer: ky's own end with its head.
    const signal = AbortSignal.timeout(timeoutMs)
    const { token } = client
    const json =
      variant === 'a' && PATHS_OF_VARIANT_A.test(path) ? renameKeys(call.json, toCamelCase) : call.json
    try {
      return await read(
        http(path, {
          ...call,
          json,
          signal,
          headers: {
            ...(token && { authorization: `Bearer ${token}` }),
            ...(once && { 'idempotency-key': crypto.randomUUID() }),
          },
        }),
      )
    } catch (error) {
      throw signal.aborted
        ? new TimeoutError('No answer came in time', { code: 'TIMEOUT', cause: error })
        : toClientError(error)
    }
  }

  /** The envelope's data, or the whole of an answer that has no envelope: the token decides its form too. */
  const data = async <T>(path: string, call: Call) => {
    const answer = await send<{ success?: true; data: T }>(path, call)
    return answer?.success ? answer.data : (renameKeys(answer, toSnakeCase) as T)
  }

  const client = {
    token,
    variant,
    get: <T>(path: string, searchParams?: Query) => data<T>(path, { method: 'get', searchParams }),
    post: <T>(path: string, json: unknown = {}) => data<T>(path, { method: 'post', json }),
    /** What creates something; the server does it once, however often it is sent. */
    create: <T>(path: string, json: unknown = {}) => data<T>(path, { method: 'post', json, once: true }),
    put: <T>(path: string, json: unknown) => data<T>(path, { method: 'put', json }),
    patch: <T>(path: string, json: unknown) => data<T>(path, { method: 'patch', json }),
    delete: <T>(path: string, json?: unknown) => data<T>(path, { method: 'delete', json }),
    file: (path: string, searchParams?: Query) =>
      send(path, { method: 'get', searchParams }, async answer => new Uint8Array(await answer.arrayBuffer())),
    /** A page: its items and where it stands. */
    page: async <T>(path: string, searchParams?: Query): Promise<Page<T>> => {
      const { data, metadata } = await send<Page<T>>(path, { method: 'get', searchParams })
      return { data, metadata }
    },
  }
  return client
}

const PATHS_OF_VARIANT_A = /^(auth(\/verify)?$|profile)/

/** What changes something is sent again only where it cannot have happened, or is done once by its key; the rest as ky would. */
function shouldRetry({ error }: { error: Error }) {
  const { request, response, cause } = error as {
    request?: Request
    response?: Response
    cause?: { cause?: { code?: string } }
  }
  const repeatable =
    !/^P[OA]/.test(`${request?.method}`) ||
    request?.headers.has('idempotency-key') ||
    response?.status === 429 ||
    /Refused/i.test(cause?.cause?.code ?? '')
  return repeatable && !(Number(response?.headers.get('retry-after')) > MAX_RETRY_AFTER_S) && undefined
}

function toClientError(cause: unknown): KirayaError {
  if (cause instanceof HTTPError)
    return toKirayaError(cause.response.status, cause.data, cause.response.headers)
  if (cause instanceof SyntaxError) return toKirayaError(500, { message: 'The answer cannot be read' })
  return new NetworkError('The server cannot be reached, or the connection broke', {
    code: 'NETWORK_ERROR',
    cause,
  })
}

/** Bun and Node tell of a lost connection in words of their own; ky tries again what fails in a browser's. */
const normalizeNetworkErrors =
  (send: NonNullable<ClientOptions['fetch']>): typeof send =>
  (...call) =>
    send(...call).catch((error: Error) => {
      throw new TypeError('fetch failed', { cause: error.cause ?? error })
    })
