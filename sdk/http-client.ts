import ky, { HTTPError, type ResponsePromise } from 'ky'
import { toKirayaError } from './error-mapping.ts'
import { KirayaError, NetworkError, TimeoutError } from './errors.ts'
import { renameFields, toCamelCase, toSnakeCase } from './field-names.ts'
import type { Page } from './pagination.ts'
import { normalizeNetworkErrors, RETRIED_STATUSES, shouldRetry, type Fetch } from './retries.ts'

export type Variant = 'a' | 'b'
/** English or Hindi. */
export type Language = 'en' | 'hi'

export type ClientOptions = {
  /** The server's address, such as `https://api.example.com`. */
  baseUrl: string
  /** An access token from an earlier sign-in. */
  token?: string
  /**
   * The generation of the onboarding API to speak. Methods and types stay the same, except that users of `a`
   * have no `user_id`. Default `b`.
   */
  variant?: Variant
  /** The language of the server's messages. Default: what the browser or `fetch` asks for, else English. */
  language?: Language
  /** Replaces the global `fetch`. */
  fetch?: Fetch
  /**
   * Milliseconds until a call fails, all attempts included. A server that waits for a provider may take 45
   * seconds. Default 60,000.
   */
  timeoutMs?: number
}

type Query = Record<string, string | number | boolean | undefined>
type RequestOptions = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  json?: unknown
  searchParams?: Query
  headers?: Record<string, string>
}
type ReadResponse<T> = (response: ResponsePromise) => Promise<T>

const VARIANT_A_PATHS = /^(auth(\/verify)?$|profile)/

/** Sends requests with the token in the variant's form, and throws each failure as a `KirayaError`. */
export type HttpClient = ReturnType<typeof createHttpClient>

export function createHttpClient(options: ClientOptions) {
  const { token, variant = 'b' } = options
  const send = createSender(options)

  const sendAuthorized = <T>(path: string, request: RequestOptions, read?: ReadResponse<T>) => {
    const isVariantA = variant === 'a' && VARIANT_A_PATHS.test(path)
    const json = isVariantA ? renameFields(request.json, toCamelCase) : request.json
    const authorization = client.token && { authorization: `Bearer ${client.token}` }
    return send<T>(path, { ...request, json, headers: { ...authorization, ...request.headers } }, read)
  }

  /**
   * Returns the envelope's data. Without an envelope, as the token's variant decides, the body is the data.
   */
  async function getData<T>(path: string, request: RequestOptions) {
    const body = await sendAuthorized<{ success?: true; data: T }>(path, request)
    return body?.success ? body.data : (renameFields(body, toSnakeCase) as T)
  }

  const client = {
    token,
    variant,
    get: <T>(path: string, searchParams?: Query) => getData<T>(path, { method: 'get', searchParams }),
    post: <T>(path: string, json: unknown = {}) => getData<T>(path, { method: 'post', json }),
    /** The idempotency key lets the server create the record once, even if the request arrives twice. */
    create: <T>(path: string, json: unknown = {}) =>
      getData<T>(path, { method: 'post', json, headers: { 'idempotency-key': crypto.randomUUID() } }),
    put: <T>(path: string, json: unknown) => getData<T>(path, { method: 'put', json }),
    patch: <T>(path: string, json: unknown) => getData<T>(path, { method: 'patch', json }),
    delete: <T>(path: string, json?: unknown) => getData<T>(path, { method: 'delete', json }),
    getFile: (path: string, searchParams?: Query) => {
      const readBytes = async (response: ResponsePromise) => new Uint8Array(await response.arrayBuffer())
      return sendAuthorized(path, { method: 'get', searchParams }, readBytes)
    },
    getPage: async <T>(path: string, searchParams?: Query): Promise<Page<T>> => {
      const { data, metadata } = await sendAuthorized<Page<T>>(path, { method: 'get', searchParams })
      return { data, metadata }
    },
  }
  return client
}

function createSender({ baseUrl, fetch = globalThis.fetch, language, timeoutMs = 60_000 }: ClientOptions) {
  const http = ky.create({
    prefix: baseUrl,
    headers: language && { 'accept-language': language },
    timeout: false,
    retry: {
      methods: ['get', 'put', 'delete', 'post', 'patch'],
      statusCodes: RETRIED_STATUSES,
      jitter: true,
      shouldRetry,
    },
    fetch: normalizeNetworkErrors(fetch),
  })

  return async <T>(
    path: string,
    request: RequestOptions,
    read: ReadResponse<T> = response => response.json(),
  ): Promise<T> => {
    // ky's own timeout ends with the headers; this one covers every attempt and the whole body.
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await read(http(path, { ...request, signal }))
    } catch (error) {
      if (signal.aborted) throw new TimeoutError('The request timed out', { code: 'TIMEOUT', cause: error })
      throw toClientError(error)
    }
  }
}

function toClientError(cause: unknown): KirayaError {
  if (cause instanceof HTTPError)
    return toKirayaError(cause.response.status, cause.data, cause.response.headers)
  if (cause instanceof SyntaxError) return toKirayaError(500, { message: 'The response is not valid JSON' })
  return new NetworkError('The server is unreachable or the connection was lost', {
    code: 'NETWORK_ERROR',
    cause,
  })
}
