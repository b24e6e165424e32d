import ky from 'ky'
import { Call, type CallResponse } from './call.ts'
import { ServerError, UnauthorizedError } from './errors.ts'
import { renameFields, toCamelCase } from './field-names.ts'
import { getRequestId, observeAttempts } from './hooks.ts'
import {
  createKey,
  prepare,
  refuseInput,
  requireBaseUrl,
  requireNumbers,
  requireWhole,
  type Path,
} from './inputs.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { PagePromise, type Page } from './pages.ts'
import { readBytes, readData, readPage, type ReadBody } from './responses.ts'
import { BACKOFF, normalizeNetworkErrors, RETRIED_STATUSES, shouldRetry } from './retries.ts'
import { createSession } from './session.ts'
import { limitTime } from './time-limit.ts'
import { trackUpload, type UploadOptions } from './uploads.ts'
import type { Session } from '#types'
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

/** A token that is not renewed in time stays as it is, so that the call itself goes on. */
const RENEWAL_TIMEOUT_MS = 5_000
const VARIANT_A_PATHS = /^(auth(\/verify)?$|profile)/

/** Sends requests with the token in the variant's form, and throws each failure as a `KirayaError`. */
export type HttpClient = ReturnType<typeof createHttpClient>

export function createHttpClient(options: ClientOptions) {
  // A copy, so that the language can change.
  const settings = { ...options }
  const send = createSender(settings)
  const { variant = 'b', timeoutMs = 60_000 } = settings
  requireWhole('timeoutMs', timeoutMs, 1)
  const session = createSession(options, async token => {
    const renewal = { method: 'post', path: 'auth/renew' } as const
    const { data } = await limitTime(RENEWAL_TIMEOUT_MS, undefined, signal =>
      send<Session>('auth/renew', renewal, { token, signal, maxRetries: 0 }),
    )
    return data.access_token
  })

  async function perform<T>(spec: RequestSpec<T>, callOptions: UploadOptions): Promise<CallResponse<T>> {
    let token: string | undefined
    const work = async (signal: AbortSignal) => {
      const path = await prepare(() => (typeof spec.path === 'string' ? spec.path : spec.path()))
      token = await session.load()
      // What begins or ends a session does not renew it.
      if (!spec.onSuccess) token = await session.renew(token)
      const isVariantA = variant === 'a' && VARIANT_A_PATHS.test(path)
      const body = await prepare(() => toBody(spec, token, isVariantA))
      return send(path, { ...spec, body }, { ...callOptions, token, signal })
    }
    const limitMs = requireWhole('timeoutMs', callOptions.timeoutMs ?? timeoutMs, 1)
    const response = await limitTime(limitMs, callOptions.signal, work).catch(async (error: unknown) => {
      if (token && !spec.hasProof && error instanceof UnauthorizedError) await session.end(token, error)
      throw error
    })
    await spec.onSuccess?.(response.data)
    return response
  }

  const call = <T>(spec: RequestSpec<T>, options: UploadOptions = {}) => new Call<T>(perform(spec, options))
  /** A body may be a function of the token. */
  const createMethod =
    (method: Method, isRepeatable = false) =>
    <T>(path: Path, body: unknown, options?: UploadOptions, details?: Details<T>) =>
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
      new PagePromise<T>((page = query?.page) =>
        call<Page<T>>(
          { method: 'get', path, query: { ...query, page }, read: readPage },
          options,
        ).withResponse(),
      ),
  }
}

async function toBody<T>({ body }: RequestSpec<T>, token: string | undefined, isVariantA: boolean) {
  const input: unknown = typeof body === 'function' ? await body(token) : body
  requireNumbers(input)
  if (input === undefined || input instanceof Blob) return input
  return JSON.stringify(isVariantA ? renameFields(input, toCamelCase) : input)
}

/** A call under way. */
type Attempts = UploadOptions & { token: string | undefined; signal: AbortSignal }

function createSender(options: ClientOptions) {
  const prefix = requireBaseUrl(options.baseUrl)
  const { fetch = globalThis.fetch, maxRetries = 2 } = options
  requireWhole('maxRetries', maxRetries, 0)

  return async <T>(path: string, spec: RequestSpec<T>, call: Attempts) => {
    const { signal } = call
    const retries = requireWhole('maxRetries', call.maxRetries ?? maxRetries, 0)
    const sendAttempt = observeAttempts(normalizeNetworkErrors(fetch), options)
    const response = await ky(path, {
      prefix,
      method: spec.method,
      body: (spec.body as Blob | string | undefined) ?? null,
      searchParams: toSearchParams(spec.query),
      headers: toHeaders(spec, { ...call, language: call.language ?? options.language }),
      // ky combines it with one of its own.
      signal: typeof AbortSignal.any === 'function' ? signal : null,
      timeout: false,
      retry: {
        limit: spec.hasProof ? 0 : retries,
        methods: ['get', 'put', 'delete', 'post', 'patch'],
        statusCodes: RETRIED_STATUSES,
        ...BACKOFF,
        shouldRetry: failure =>
          shouldRetry(failure, spec.isRepeatable || /^(get|put|delete)$/.test(spec.method)),
      },
      fetch: (async (request: Request, init?: RequestInit) => {
        signal.throwIfAborted()
        const { init: upload, end } = trackUpload(spec.body, call)
        const response = await sendAttempt(request, { ...init, ...upload, signal })
        end()
        return response
      }) as typeof globalThis.fetch,
    })
    const { status, headers } = response
    const head = { status, headers, requestId: getRequestId(headers) }
    const request = `${spec.method.toUpperCase()} ${prefix}/${path}`
    const { data, warnings = [] } = await (spec.read ?? readData<T>)(response).catch((error: unknown) =>
      refuseAnswer(request, head, error),
    )
    return { data, warnings, ...head }
  }
}

function toHeaders<T>({ body, isRepeatable }: RequestSpec<T>, { token, ...call }: Attempts) {
  const headers = new Headers()
  const values = {
    'x-kiraya-client': getClientName(),
    'content-type': typeof body === 'string' ? 'application/json' : undefined,
    authorization: token && `Bearer ${token}`,
    'idempotency-key': call.idempotencyKey ?? (isRepeatable ? createKey() : undefined),
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
