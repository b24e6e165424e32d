import ky, { HTTPError, TimeoutError as KyTimeout, type KyInstance, type Options } from 'ky'
import { errorOf, KirayaError, NetworkError, TimeoutError } from './errors'

export type Variant = 'a' | 'b'
export type ClientOptions = {
  /** Where the server is, such as `https://api.example.com`. */
  baseUrl: string
  /** An access token from an earlier sign-in. */
  token?: string
  /** The generation of the API to speak; the methods and their types stay the same. Default `b`. */
  variant?: Variant
  fetch?: typeof fetch
  /** Milliseconds until a call fails; a server that waits for a provider may take 45 seconds. */
  timeoutMs?: number
}
type Call = { body?: unknown; query?: object | undefined }

/** One request after the other through ky: the token, the variant's form, and every failure as one of our errors. */
export class Http {
  token: string | undefined
  readonly variant: Variant
  readonly #ky: KyInstance

  constructor({ baseUrl, token, variant = 'b', fetch: given = globalThis.fetch, timeoutMs = 60_000 }: ClientOptions) {
    this.token = token
    this.variant = variant
    this.#ky = ky.create({
      prefix: baseUrl,
      timeout: timeoutMs,
      // A POST is not sent again: it may have happened. Waits that the server asks for are kept short.
      retry: { limit: 2, methods: ['get', 'put', 'delete'], statusCodes: [429, 502, 503, 504], maxRetryAfter: 3000, jitter: true },
      fetch: plainFailures(given),
    })
  }

  get = <T>(path: string, query?: object) => this.#data<T>('get', path, { query })
  post = <T>(path: string, body: unknown = {}) => this.#data<T>('post', path, { body })
  put = <T>(path: string, body: unknown) => this.#data<T>('put', path, { body })
  patch = <T>(path: string, body: unknown) => this.#data<T>('patch', path, { body })
  delete = <T>(path: string) => this.#data<T>('delete', path, {})
  /** A page: its items and where it stands. */
  page = async <T, M>(path: string, query?: object) => {
    const { data, metadata } = await this.#send('get', path, { query }) as { data: T[]; metadata: M }
    return { data, metadata }
  }

  /** The envelope's data, or the whole of an answer that has no envelope. */
  async #data<T>(method: Options['method'] & string, path: string, call: Call): Promise<T> {
    const answer = await this.#send(method, path, call)
    return (isRecord(answer) && answer.success === true ? answer.data : renamed(answer, snake)) as T
  }

  async #send(method: string, path: string, { body, query = {} }: Call): Promise<unknown> {
    const searchParams = Object.entries(query).filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => [name, String(value)])
    try {
      const response = await this.#ky(path, {
        method,
        searchParams,
        headers: this.token ? { authorization: `Bearer ${this.token}` } : {},
        ...body !== undefined && { json: this.variant === 'a' && spokenByA.has(path) ? renamed(body, camel) : body },
      })
      return await response.json()
    } catch (error) {
      throw failureOf(error)
    }
  }
}

const spokenByA = new Set(['auth', 'auth/verify', 'profile/complete', 'profile/ekyc', 'profile/ekyc/complete'])

function failureOf(error: unknown): KirayaError {
  if (error instanceof HTTPError) return errorOf(error.response.status, error.data, error.response.headers)
  if (error instanceof KyTimeout) return new TimeoutError('The server did not answer in time', { code: 'TIMEOUT', cause: error })
  return new NetworkError('The server cannot be reached', { code: 'NETWORK_ERROR', cause: error })
}

/** Bun tells of a lost connection in its own words; ky tries again what fails in fetch's. */
const plainFailures = (send: typeof fetch): typeof fetch => Object.assign((input: Parameters<typeof fetch>[0], init?: Parameters<typeof fetch>[1]) => send(input, init).catch((error: unknown) => {
  throw error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name) ? error : new TypeError('fetch failed', { cause: error })
}), { preconnect: send.preconnect })

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
const renamed = (value: unknown, rename: (name: string) => string): unknown =>
  Array.isArray(value) ? value.map(item => renamed(item, rename))
    : isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]))
      : value
