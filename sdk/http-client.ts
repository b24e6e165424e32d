import ky, { HTTPError, type RetryOptions } from 'ky'
import { Call, type CallResponse } from './call.ts'
import { toKirayaError } from './error-mapping.ts'
import { AbortError, KirayaError, NetworkError, TimeoutError, UnauthorizedError } from './errors.ts'
import { renameFields, toCamelCase } from './field-names.ts'
import { getRequestId, observeAttempts } from './hooks.ts'
import { refuseInput, requireBaseUrl, requireWhole, type Path } from './inputs.ts'
import type { CallOptions, ClientOptions, Language } from './options.ts'
import type { Page } from './pagination.ts'
import { readBytes, readData, readPage, type ReadBody } from './responses.ts'
import { normalizeNetworkErrors, RETRIED_STATUSES, shouldRetry } from './retries.ts'
import { createSession } from './session.ts'
import { getClientName } from './version.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** What a method says of its request beside method, path and options. */
type Details<T> = {
  /** The body; a function computes it from the token. */
  json?: unknown
  query?: object | undefined
  /** The server acts once for each idempotency key. */
  isRepeatable?: boolean
  /** The request proves who sends it: it uses up a one-time secret, so it is sent once, and 401 blames that proof. */
  hasProof?: boolean
  onSuccess?: (data: T) => unknown
}
type RequestSpec<T> = Details<T> & { method: Method; path: Path; read: ReadBody<T> }

const VARIANT_A_PATHS = /^(auth(\/verify)?$|profile)/

/** Sends requests with the token in the variant's form, and throws each failure as a `KirayaError`. */
export type HttpClient = ReturnType<typeof createHttpClient>

export function createHttpClient(options: ClientOptions) {
  const send = createSender(options)
  const session = createSession(options)
  const { variant = 'b' } = options

  async function perform<T>(spec: RequestSpec<T>, callOptions: CallOptions): Promise<CallResponse<T>> {
    const path = typeof spec.path === 'string' ? spec.path : spec.path()
    const token = await session.load()
    const body: unknown = typeof spec.json === 'function' ? await spec.json(token) : spec.json
    const isVariantA = variant === 'a' && VARIANT_A_PATHS.test(path)
    const json = isVariantA ? renameFields(body, toCamelCase) : body
    try {
      const response = await send(path, { ...spec, json }, token, callOptions)
      await spec.onSuccess?.(response.data)
      return response
    } catch (error) {
      if (token && !spec.hasProof && error instanceof UnauthorizedError) await session.end(token, error)
      throw error
    }
  }

  const createMethod =
    (method: Method, defaults: { isRepeatable?: boolean } = {}) =>
    <T>(path: Path, options: CallOptions = {}, details: Details<T> = {}) =>
      new Call<T>(perform({ method, path, read: readData, ...defaults, ...details }, options))

  return {
    session,
    variant,
    get: createMethod('get'),
    post: createMethod('post'),
    /** The idempotency key lets the server create the record once, even if the request arrives twice. */
    create: createMethod('post', { isRepeatable: true }),
    put: createMethod('put'),
    patch: createMethod('patch'),
    delete: createMethod('delete'),
    getFile: (path: Path, query: object | undefined, options: CallOptions = {}) =>
      new Call<Uint8Array<ArrayBuffer>>(perform({ method: 'get', path, query, read: readBytes }, options)),
    getPage: <T>(path: Path, query: object | undefined, options: CallOptions = {}) =>
      new Call<Page<T>>(perform<Page<T>>({ method: 'get', path, query, read: readPage }, options)),
  }
}

function createSender(options: ClientOptions) {
  const prefix = requireBaseUrl(options?.baseUrl)
  const { fetch = globalThis.fetch, timeoutMs = 60_000, maxRetries = 2 } = options
  requireLimits({ timeoutMs, maxRetries })

  return async <T>(path: string, spec: RequestSpec<T>, token: string | undefined, call: CallOptions) => {
    const limits = requireLimits({
      timeoutMs: call.timeoutMs ?? timeoutMs,
      maxRetries: call.maxRetries ?? maxRetries,
    })
    const headers = toHeaders(spec, token, call, options.language)
    // ky's own timeout ends with the headers; this one covers every attempt and the whole body.
    const timeout = AbortSignal.timeout(limits.timeoutMs)
    const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout
    const perform = async () => {
      signal.throwIfAborted()
      const response = await ky(path, {
        prefix,
        method: spec.method,
        json: spec.json,
        searchParams: spec.query as Record<string, string>,
        headers,
        signal,
        timeout: false,
        retry: toRetryOptions(spec, limits.maxRetries),
        fetch: observeAttempts(normalizeNetworkErrors(fetch), options) as typeof globalThis.fetch,
      })
      return { data: await spec.read(response), ...toResponseHead(response) }
    }
    try {
      return await endWithSignal(perform(), signal)
    } catch (cause) {
      if (call.signal?.aborted) throw new AbortError('The call was cancelled', { code: 'ABORTED', cause })
      if (timeout.aborted) throw new TimeoutError('The request timed out', { code: 'TIMEOUT', cause })
      throw toClientError(cause)
    }
  }
}

/** A `fetch` of the application's may ignore the signal, as one does that calls the server in this process. */
function endWithSignal<T>(work: Promise<T>, signal: AbortSignal) {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop)
    // The signal lives on for the rest of the time limit, and would keep the response.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function requireLimits(limits: { timeoutMs: number; maxRetries: number }) {
  requireWhole('timeoutMs', limits.timeoutMs, 1)
  requireWhole('maxRetries', limits.maxRetries, 0)
  return limits
}

function toHeaders<T>(
  { isRepeatable }: RequestSpec<T>,
  token: string | undefined,
  call: CallOptions,
  language: Language | undefined,
) {
  const key = call.idempotencyKey ?? (isRepeatable ? crypto.randomUUID() : undefined)
  const headers = new Headers()
  const set = (name: string, value: string | undefined) => {
    try {
      if (value !== undefined) headers.set(name, value)
    } catch {
      // The platform's message may contain the value, which may be a token.
      refuseInput(`The value of the header ${name} cannot be sent`)
    }
  }
  set('x-kiraya-client', getClientName())
  set('authorization', token ? `Bearer ${token}` : undefined)
  set('idempotency-key', key)
  set('accept-language', language)
  for (const [name, value] of Object.entries(call.headers ?? {})) set(name, value)
  return headers
}

const toRetryOptions = <T>({ hasProof, isRepeatable }: RequestSpec<T>, maxRetries: number): RetryOptions => ({
  limit: hasProof ? 0 : maxRetries,
  methods: ['get', 'put', 'delete', 'post', 'patch'],
  statusCodes: RETRIED_STATUSES,
  jitter: true,
  shouldRetry: failure => shouldRetry(failure, isRepeatable),
})

const toResponseHead = ({ status, headers }: Response) => ({
  status,
  headers,
  requestId: getRequestId(headers),
})

function toClientError(cause: unknown): KirayaError {
  if (cause instanceof HTTPError)
    return toKirayaError(cause.response.status, cause.data, cause.response.headers)
  if (cause instanceof SyntaxError) return toKirayaError(500, { message: 'The response is not valid JSON' })
  return new NetworkError('The server is unreachable or the connection was lost', {
    code: 'NETWORK_ERROR',
    cause,
  })
}
