/** Sends a request, as the global `fetch` does. */
export type Fetch = (request: Request, init?: RequestInit) => Response | Promise<Response>

/** A caller would wait too long for a longer one, so the error is thrown at once. */
const MAX_RETRY_AFTER_S = 5

/** Not 413, as in ky: a body that is too large stays so. */
export const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504]

/** The wait before an attempt doubles up to a bound, less at most a quarter, so that clients do not come all at once. */
export const BACKOFF = {
  delay: (attempt: number) => Math.min(500 * 2 ** (attempt - 1), 8_000),
  jitter: (delayMs: number) => delayMs * (1 - Math.random() / 4),
}

/** A response with an error, or ky's error around that of `normalizeNetworkErrors`. */
type FailedRequest = {
  response?: Response
  cause?: { cause?: { code?: string } }
}

/**
 * Whether ky may try again; undefined leaves the decision to ky's own rules. `isRepeatable`: the server acts
 * once however often the request arrives.
 */
export function shouldRetry({ error }: { error: Error }, isRepeatable: boolean): false | undefined {
  const { response, cause } = error as FailedRequest
  // Else it is repeated only if it had no effect.
  const hadNoEffect = response?.status === 429 || /Refused/i.test(cause?.cause?.code ?? '')
  if (!isRepeatable && !hadNoEffect) return false
  const retryAfterS = Number(response?.headers.get('retry-after'))
  if (retryAfterS > MAX_RETRY_AFTER_S) return false
  return undefined
}

/** Bun and Node report a lost connection in their own ways; ky retries only a browser's TypeError. */
export const normalizeNetworkErrors =
  (fetch: Fetch): Fetch =>
  (request, init) => {
    const send = async () => fetch(request, init)
    return send().catch((error: Error) => {
      throw new TypeError('fetch failed', { cause: error.cause ?? error })
    })
  }
