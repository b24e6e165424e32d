import type { ClientOptions } from './options.ts'
import type { Fetch } from './retries.ts'

/** Reports each attempt of one call to the application. */
export function observeAttempts(fetch: Fetch, { onRequest, onResponse }: ClientOptions): Fetch {
  let attempt = 0
  return async (request, init) => {
    attempt++
    const sent = { method: request.method, url: request.url, attempt }
    callHook(onRequest, sent)
    const startedAt = performance.now()
    const report = (response?: Response, failure?: { error: unknown }) =>
      callHook(onResponse, {
        ...sent,
        status: response?.status,
        durationMs: performance.now() - startedAt,
        requestId: getRequestId(response?.headers),
        ...failure,
      })
    try {
      const response = await fetch(request, init)
      report(response)
      return response
    } catch (error) {
      report(undefined, { error })
      throw error
    }
  }
}

export const getRequestId = (headers?: Headers) => headers?.get('x-request-id') ?? undefined

/** A hook only watches: its failure is no failure of the call. */
export function callHook<Seen>(hook: ((seen: Seen) => void) | undefined, seen: Seen) {
  try {
    hook?.(seen)
  } catch (error) {
    console.error('A hook of the Kiraya client failed:', error)
  }
}
