import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen } from 'cockatiel'
import ky, { HTTPError, type KyInstance, type Options } from 'ky'
import { Value } from '@sinclair/typebox/value'
import type { Static, TSchema } from '@sinclair/typebox'
import type { Config } from '../config'
import { readLimited, DownloadError, downloadPdf, readPdf } from './download'
import { Fault, unavailable } from '../faults'
import type { Log } from '../observability/log'
import type { Metrics } from '../observability/metrics'
import { LoggableError } from '../observability/safe-errors'

/** A provider's refusal. Its body stays out: it may tell of persons. */
export class ProviderHttpError extends LoggableError {
  constructor(
    readonly status: number,
    where: string,
  ) {
    super(`${where} answered ${status}`)
  }
}

export type ProviderClient = ReturnType<typeof createProviderClient>

/**
 * Calls to one provider: timed out, tried again where that is safe, checked before use. Whatever goes wrong is
 * one kind of fault for the client, and no credential of the request gets into it or into the log.
 */
export function createProviderClient(
  provider: string,
  config: Config,
  log: Log,
  metrics: Metrics,
  http: KyInstance = ky,
) {
  // Whole calls are counted, not their tries; a refusal shows that the provider lives.
  const breaker = circuitBreaker(handleWhen(isItsFailure), {
    halfOpenAfter: config.PROVIDER_BREAKER_MS,
    breaker: new ConsecutiveBreaker(config.PROVIDER_BREAKER_FAILURES),
  })
  breaker.onBreak(() =>
    log.warn({ provider }, 'The provider fails again and again; it is left alone for a while'),
  )
  breaker.onReset(() => log.info({ provider }, 'The provider works again'))
  const guarded = async <T>(work: () => Promise<T>) => {
    const measured = metrics.providerCalls.startTimer({ provider })
    try {
      // While one call tries it again the others do not wait for what comes of that.
      if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
      const answer = await breaker.execute(() => metrics.withSpan(`call ${provider}`, { provider }, work))
      measured({ outcome: 'fine' })
      return answer
    } catch (error) {
      const spared = error instanceof BrokenCircuitError
      measured({ outcome: spared ? 'spared' : isItsFailure(error) ? 'failed' : 'refused' })
      throw spared
        ? unavailable(
            `The ${provider} provider cannot be reached`,
            new LoggableError(
              `${provider} is left alone after failing ${config.PROVIDER_BREAKER_FAILURES} times`,
            ),
          )
        : error
    }
  }
  const whereOf = (method: string, url: string) =>
    `${provider} ${method.toUpperCase()} ${new URL(url).pathname}`

  const send = (method: 'get' | 'post', url: string, options: Options) => {
    const where = whereOf(method, url)
    return http(url, {
      ...options,
      method,
      timeout: config.PROVIDER_TIMEOUT_MS,
      totalTimeout: config.PROVIDER_TOTAL_TIMEOUT_MS,
      retry: {
        limit: config.PROVIDER_RETRIES,
        methods: [method],
        jitter: true,
        maxRetryAfter: config.PROVIDER_TOTAL_TIMEOUT_MS,
        retryOnTimeout: method === 'get',
        shouldRetry: ({ error }) => (method === 'get' || cannotHaveHappened(error) ? undefined : false),
      },
      fetch: plainFailures,
      signal: AbortSignal.timeout(config.PROVIDER_TOTAL_TIMEOUT_MS), // covers the body too, where the client library's own time-outs end with the head
    }).catch(error => {
      throw failure(where, error)
    })
  }

  function checked<S extends TSchema>(where: string, schema: S, answer: unknown) {
    if (!Value.Check(schema, answer))
      throw unavailable(
        `The ${provider} provider cannot be reached`,
        new LoggableError(
          `${where} gave a malformed answer: ${Value.Errors(schema, answer).First()?.path || '/'}`,
        ),
      )
    return answer as Static<S>
  }

  /** The JSON that it answers. */
  const json = <S extends TSchema>(
    method: 'get' | 'post',
    url: string,
    schema: S,
    options: Options = {},
  ): Promise<Static<S>> =>
    guarded(async () => {
      const where = whereOf(method, url)
      const response = await send(method, url, options)
      const answer: unknown =
        response.status === 204
          ? {}
          : await readLimited(response.body ?? new Blob([]).stream())
              .then(bytes => JSON.parse(bytes.toString()))
              .catch(error => {
                throw failure(where, error)
              })
      return checked(where, schema, answer)
    })

  /** The PDF that it answers, or that lies at the address that it answers, which is asked without the credentials. */
  async function document(
    url: string,
    schema: TSchema & { static: { downloadUrl: string } },
    options: Options = {},
  ): Promise<Uint8Array> {
    const where = whereOf('get', url)
    const told = (error: unknown) => {
      throw error instanceof Fault ? error : failure(where, error)
    }
    const read = async () => {
      const response = await send('get', url, options)
      const body = response.body ?? new Blob([]).stream()
      return /json/.test(response.headers.get('content-type') ?? '')
        ? (checked(where, schema, JSON.parse(String(await readLimited(body)))).downloadUrl as string)
        : readPdf(body)
    }
    const answer = await guarded(() => read().catch(told))
    // That a place elsewhere fails is not the provider's failure.
    return typeof answer === 'string' ? downloadPdf(answer, config).catch(told) : answer
  }
  return { json, document }

  function failure(where: string, error: unknown) {
    const cause =
      error instanceof HTTPError
        ? new ProviderHttpError(error.response.status, where)
        : new LoggableError(
            `${where}: ${error instanceof DownloadError ? error.message : error instanceof Error ? error.name : 'failed'}`,
          )
    return unavailable(`The ${provider} provider cannot be reached`, cause)
  }
}

const isItsFailure = (error: unknown) =>
  error instanceof Fault &&
  error.status === 503 &&
  !(error.cause instanceof ProviderHttpError && error.cause.status < 500)

/** Whether the provider knows no such thing. */
export const isProviderNotFound = (error: unknown) =>
  error instanceof Fault && error.cause instanceof ProviderHttpError && error.cause.status === 404

/** What creates something is sent again only where the first try certainly came to nothing. */
const cannotHaveHappened = (error: Error) =>
  error instanceof HTTPError
    ? [429, 503].includes(error.response.status)
    : /ConnectionRefused|ECONNREFUSED/.test(codeOf(error) ?? codeOf(error.cause) ?? '')
const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined

/** Bun tells of a lost connection in its own words; the client library tries again what fails in fetch's. */
const plainFailures: typeof fetch = Object.assign(
  (input: Parameters<typeof fetch>[0], init?: Parameters<typeof fetch>[1]) =>
    fetch(input, init).catch(error => {
      throw error?.name === 'AbortError' || error?.name === 'TimeoutError'
        ? error
        : new TypeError('fetch failed', { cause: error })
    }),
  { preconnect: fetch.preconnect },
)
