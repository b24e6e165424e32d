import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import ky, { HTTPError, type KyResponse, type Options } from 'ky'
import { refuse, type ApiError } from '../errors'
import type { Log } from '../observability/log'
import type { Metrics } from '../observability/metrics'
import { LoggableError } from '../observability/safe-errors'
import type { Constants } from '../settings/constants'
import { createCircuitBreaker } from './circuit-breaker'
import { DownloadError, downloadPdf, readLimited, readPdf } from './download'
import { NotSentError, ProviderHttpError, type ErrorKindReader } from './provider-errors'

/** The longest wait between two attempts of a call, unless the provider asks for a longer one. */
export const MAX_RETRY_BACKOFF_MS = 10_000

type Method = 'get' | 'post'
/** Where a PDF is, if a response does not have it. */
const Link = Type.Object({ downloadUrl: Type.String() })

export type ProviderClient = {
  /** Sends a request and checks the JSON of the response; 204 counts as `{}`. A `signal` replaces the total timeout. */
  requestJson: <S extends TSchema>(
    method: Method,
    url: string,
    schema: S,
    options?: Options,
  ) => Promise<Static<S>>
  /** Downloads a PDF: the response itself, or from the URL in it, which gets no credentials. */
  requestPdf: (url: string, options?: Options) => Promise<Uint8Array>
}

/**
 * Creates a client for one provider, with timeouts, safe retries and a circuit breaker.
 * Every failure is a SERVICE_UNAVAILABLE error. Neither it nor the log has a credential or a response body.
 */
export function createProviderClient(
  provider: string,
  settings: Constants,
  log: Log,
  metrics: Metrics,
  readErrorKind: ErrorKindReader = () => undefined,
): ProviderClient {
  const throughBreaker = createCircuitBreaker(provider, settings, log, metrics)

  /** Sends a request and reads its response; each failure becomes an API error. */
  async function request<T>(
    method: Method,
    url: string,
    options: Options,
    read: (response: KyResponse, operation: string) => Promise<T>,
  ): Promise<T> {
    const operation = `${provider} ${method.toUpperCase()} ${new URL(url).pathname}`
    try {
      const response = await ky(url, {
        ...options,
        ...toKyOptions(method, settings, readErrorKind, options.signal),
      })
      return await read(response, operation)
    } catch (error) {
      throw toUnavailable(provider, operation, error, readErrorKind)
    }
  }

  return {
    requestJson: (method, url, schema, options = {}) =>
      throughBreaker(() =>
        request(method, url, options, async (response, operation) => {
          const body = response.status === 204 ? {} : await readJson(response)
          return requireSchema(schema, body, operation)
        }),
      ),

    requestPdf: async (url, options = {}) => {
      const pdfOrUrl = await throughBreaker(() =>
        request('get', url, options, async (response, operation) => {
          const isJson = response.headers.get('content-type')?.includes('json')
          if (!isJson) return readPdf(toChunks(response))
          return requireSchema(Link, await readJson(response), operation).downloadUrl
        }),
      )
      if (typeof pdfOrUrl !== 'string') return pdfOrUrl
      // Outside the circuit breaker: a failure of another host is not the provider's.
      const operation = `${provider} GET ${new URL(url).pathname}`
      return downloadPdf(pdfOrUrl, settings, { signal: options.signal ?? undefined }).catch(error => {
        throw toUnavailable(provider, operation, error)
      })
    },
  }
}

function toKyOptions(
  method: Method,
  settings: Constants,
  readErrorKind: ErrorKindReader,
  signal: Options['signal'] = AbortSignal.timeout(settings.PROVIDER_TOTAL_TIMEOUT_MS),
): Options {
  return {
    method,
    timeout: settings.PROVIDER_TIMEOUT_MS,
    // ky's own total timeout ends with the headers; this one covers the body too.
    signal,
    fetch: fetchWithPlainErrors,
    // A redirect would send the credentials and the body to whichever host it names.
    redirect: 'manual',
    retry: {
      limit: settings.PROVIDER_RETRIES,
      methods: [method],
      // Exponential backoff is ky's default.
      backoffLimit: MAX_RETRY_BACKOFF_MS,
      jitter: true,
      retryOnTimeout: true,
      shouldRetry: ({ error }) => (method === 'get' ? undefined : canSendAgain(error, readErrorKind)),
    },
  }
}

const toChunks = (response: Response) => response.body ?? new Blob([]).stream()

async function readJson(response: Response): Promise<unknown> {
  const bytes = await readLimited(toChunks(response))
  return JSON.parse(bytes.toString())
}

function requireSchema<S extends TSchema>(schema: S, body: unknown, operation: string): Static<S> {
  if (Value.Check(schema, body)) return body
  const path = Value.Errors(schema, body).First()?.path || '/'
  throw new MalformedResponseError(`${operation} gave a malformed response: ${path}`)
}

class MalformedResponseError extends LoggableError {}

function toUnavailable(
  provider: string,
  operation: string,
  error: unknown,
  readErrorKind?: ErrorKindReader,
): ApiError {
  const cause = toCause(operation, error, readErrorKind)
  return refuse('provider_unreachable', { provider }, { cause })
}

/** Other libraries' messages may quote the response, so only their names are logged. */
function toCause(operation: string, error: unknown, readErrorKind?: ErrorKindReader): LoggableError {
  if (error instanceof MalformedResponseError) return error
  if (error instanceof HTTPError)
    return new ProviderHttpError(error.response.status, operation, readErrorKind?.(error.data))
  if (wasRefused(error)) return new NotSentError(`${operation}: refused`)
  if (error instanceof DownloadError) return new LoggableError(`${operation}: ${error.message}`)
  return new LoggableError(`${operation}: ${error instanceof Error ? error.name : 'failed'}`)
}

/**
 * A request that creates something is sent again only if the provider certainly ignored it. Undefined leaves the rest
 * to ky, which heeds Retry-After.
 */
function canSendAgain(error: Error, readErrorKind: ErrorKindReader): boolean | undefined {
  if (!(error instanceof HTTPError)) return wasRefused(error) ? undefined : false
  const kind = readErrorKind(error.data)
  if (kind !== undefined && !['rate_limited', 'failed'].includes(kind)) return false
  if ([429, 503].includes(error.response.status)) return undefined
  return kind === 'rate_limited'
}

/** ky's error has the one of `fetchWithPlainErrors` as its cause, and that Bun's, which has the code. */
function wasRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return /ConnectionRefused|ECONNREFUSED/.test(getCode(error) ?? '') || wasRefused(error.cause)
}

const getCode = (error: Error) => ('code' in error ? String(error.code) : undefined)

/** ky retries the TypeError that browsers throw; Bun throws errors of its own for a lost connection. */
const fetchWithPlainErrors: typeof fetch = Object.assign(
  async (input: Parameters<typeof fetch>[0], init?: Parameters<typeof fetch>[1]) => {
    try {
      return await fetch(input, init)
    } catch (error) {
      const isOverTime = error instanceof Error && error.name === 'TimeoutError'
      throw isOverTime ? error : new TypeError('fetch failed', { cause: error })
    }
  },
  { preconnect: fetch.preconnect },
)
