import ky, { HTTPError, type RetryOptions } from 'ky'
import { Call, type CallResponse } from './call.ts'
import { toKirayaError } from './error-mapping.ts'
import {
  AbortError,
  KirayaError,
  NetworkError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
} from './errors.ts'
import { renameFields, toCamelCase } from './field-names.ts'
import { getRequestId, observeAttempts } from './hooks.ts'
import { refuseInput, requireBaseUrl, requireNumbers, requireWhole, type Path } from './inputs.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { createList, type PageBody } from './pages.ts'
import { readBytes, readData, readPage, type ReadBody } from './responses.ts'
import { normalizeNetworkErrors, RETRIED_STATUSES, shouldRetry } from './retries.ts'
import { createSession } from './session.ts'
import { getClientName } from './version.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** What a method says of its request beside method, path, body and options. */
type Details<T> = {
  query?: object | undefined
  /** The request proves who sends it: it uses up a one-time secret, so it is sent once, and 401 blames that proof. */
  hasProof?: boolean
  onSuccess?: (data: T) => unknown
  /** By default the data of the envelope. */
  read?: ReadBody<T>
}
type RequestSpec<T> = Details<T> & {
  method: Method
  path: Path
  /** It is sent as JSON, a Blob as its bytes. A function computes it from the token. */
  body?: unknown
  /** The server acts once for each idempotency key. */
  isRepeatable?: boolean
}

const VARIANT_A_PATHS = /^(auth(\/verify)?$|profile)/

/** Sends requests with the token in the variant's form, and throws each failure as a `KirayaError`. */
export type HttpClient = ReturnType<typeof createHttpClient>

export function createHttpClient(options: ClientOptions) {
  // A copy, so that the language can change.
  const settings = { ...options }
  const send = createSender(settings)
  const session = createSession(options)
  const { variant = 'b' } = settings

  async function perform<T>(spec: RequestSpec<T>, callOptions: CallOptions): Promise<CallResponse<T>> {
    const path = typeof spec.path === 'string' ? spec.path : spec.path()
    const token = await session.load()
    const input: unknown = typeof spec.body === 'function' ? await spec.body(token) : spec.body
    const isVariantA = variant === 'a' && VARIANT_A_PATHS.test(path)
    requireNumbers(input)
    const body = isVariantA ? renameFields(input, toCamelCase) : input
    try {
      const response = await send(path, { ...spec, body }, token, callOptions)
      await spec.onSuccess?.(response.data)
      return response
    } catch (error) {
      if (token && !spec.hasProof && error instanceof UnauthorizedError) await session.end(token, error)
      throw error
    }
  }

  const call = <T>(spec: RequestSpec<T>, options: CallOptions = {}) => new Call<T>(perform(spec, options))
  /** A body may be a function of the token. */
  const createMethod =
    (method: Method, isRepeatable = false) =>
    <T>(path: Path, body: unknown, options?: CallOptions, details?: Details<T>) =>
      call<T>({ method, path, body, isRepeatable, ...details }, options)

  return {
    session,
    settings,
    variant,
    get: <T>(path: Path, options?: CallOptions, query?: object) =>
      call<T>({ method: 'get', path, query }, options),
    /** Sends an idempotency key, so that a request that arrives twice changes nothing more. */
    post: createMethod('post', true),
    /** Sends none. */
    send: createMethod('post'),
    put: createMethod('put'),
    patch: createMethod('patch'),
    delete: <T>(path: Path, options?: CallOptions, body?: object, details?: Details<T>) =>
      call<T>({ method: 'delete', path, body, ...details }, options),
    getFile: (path: Path, options?: CallOptions, query?: object) =>
      call({ method: 'get', path, query, read: readBytes }, options),
    /** A list: `await` returns a page, `for await` yields every item. */
    list: <T>(path: Path, query?: { page?: number | undefined }, options?: CallOptions) =>
      createList<T>((page = query?.page) =>
        call<PageBody<T>>(
          { method: 'get', path, query: { ...query, page }, read: readPage },
          options,
        ).withResponse(),
      ),
  }
}

function createSender(options: ClientOptions) {
  const prefix = requireBaseUrl(options.baseUrl)
  const { fetch = globalThis.fetch, timeoutMs = 60_000, maxRetries = 2 } = options
  requireLimits({ timeoutMs, maxRetries })

  return async <T>(path: string, spec: RequestSpec<T>, token: string | undefined, call: CallOptions) => {
    const limits = requireLimits({
      timeoutMs: call.timeoutMs ?? timeoutMs,
      maxRetries: call.maxRetries ?? maxRetries,
    })
    return limitTime(limits.timeoutMs, call.signal, async signal => {
      signal.throwIfAborted()
      const response = await ky(path, {
        prefix,
        method: spec.method,
        ...(spec.body instanceof Blob ? { body: spec.body } : { json: spec.body }),
        searchParams: toSearchParams(spec.query),
        headers: toHeaders(spec, token, { ...call, language: call.language ?? options.language }),
        signal,
        timeout: false,
        retry: toRetryOptions(spec, limits.maxRetries),
        fetch: observeAttempts(normalizeNetworkErrors(fetch), options) as typeof globalThis.fetch,
      })
      const { status, headers } = response
      const head = { status, headers, requestId: getRequestId(headers) }
      const request = `${spec.method.toUpperCase()} ${prefix}/${path}`
      const { data, warnings = [] } = await (spec.read ?? readData<T>)(response).catch((error: unknown) =>
        refuseAnswer(request, head, error),
      )
      return { data, warnings, ...head }
    })
  }
}

/**
 * Ends work with the signal or after the time limit, and throws its failure as a `KirayaError`. ky's own timeout ends
 * with the headers; this one covers every attempt and the whole body.
 */
export async function limitTime<T>(
  timeoutMs: number,
  cancel: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
) {
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = cancel ? AbortSignal.any([cancel, timeout]) : timeout
  try {
    return await endWithSignal(work(signal), signal)
  } catch (cause) {
    if (cancel?.aborted) throw new AbortError('The call was cancelled', { code: 'ABORTED', cause })
    if (timeout.aborted) throw new TimeoutError('The request timed out', { code: 'TIMEOUT', cause })
    throw toClientError(cause)
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

function toHeaders<T>({ isRepeatable }: RequestSpec<T>, token: string | undefined, call: CallOptions) {
  const headers = new Headers()
  const values = {
    'x-kiraya-client': getClientName(),
    authorization: token && `Bearer ${token}`,
    'idempotency-key': call.idempotencyKey ?? (isRepeatable ? crypto.randomUUID() : undefined),
    'accept-language': call.language,
    ...call.headers,
  }
  for (const [name, value] of Object.entries(values)) {
    try {
      if (value !== undefined) headers.set(name, value)
    } catch {
      // The platform's message may contain the value, which may be a token.
      refuseInput(`The value of the header ${name} cannot be sent`)
    }
  }
  return headers
}

const toRetryOptions = <T>(
  { hasProof, isRepeatable, method }: RequestSpec<T>,
  maxRetries: number,
): RetryOptions => ({
  limit: hasProof ? 0 : maxRetries,
  methods: ['get', 'put', 'delete', 'post', 'patch'],
  statusCodes: RETRIED_STATUSES,
  jitter: true,
  shouldRetry: failure => shouldRetry(failure, isRepeatable || /^(get|put|delete)$/.test(method)),
})

type ResponseHead = Omit<CallResponse<unknown>, 'data' | 'warnings'>

/** A search field that is empty asks for everything. */
const toSearchParams = (query?: { q?: string }) => query && { ...query, q: query.q || undefined }

/** What answers is another server, or a page of the application. */
function refuseAnswer(request: string, { status, headers, requestId }: ResponseHead, cause: unknown): never {
  if (!(cause instanceof SyntaxError)) throw cause
  const [type] = (headers.get('content-type') ?? 'no content type').split(';')
  const found = type!.endsWith('/json') ? "JSON that is not the API's" : type
  const message = `${request} answered with ${found}; does baseUrl point to the API?`
  throw new ServerError(message, { code: 'INTERNAL_SERVER_ERROR', status, requestId, cause })
}

function toClientError(cause: unknown): KirayaError {
  if (cause instanceof KirayaError) return cause
  // Without `data` the answer is no JSON, as a proxy's page is not, or it breaks off.
  if (cause instanceof HTTPError)
    return toKirayaError(cause.response.status, cause.data, cause.response.headers)
  return new NetworkError('The server is unreachable or the connection was lost', {
    code: 'NETWORK_ERROR',
    cause,
  })
}
