import { HTTPError } from 'ky'
import { toKirayaError } from './error-mapping.ts'
import { AbortError, KirayaError, NetworkError, TimeoutError } from './errors.ts'

/**
 * Ends work with the signal or after the time limit, and throws its failure as a `KirayaError`. It covers every attempt
 * and the whole body, where ky's own timeout ends with the headers, and does without `AbortSignal.any`.
 */
export async function limitTime<T>(
  timeoutMs: number,
  cancel: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
) {
  const timeout = AbortSignal.timeout(timeoutMs)
  const controller = new AbortController()
  const sources = cancel ? [cancel, timeout] : [timeout]
  let stop = () => {}
  try {
    cancel?.throwIfAborted()
    // A `fetch` of the application's may ignore the signal, as one does that calls the server in this process.
    return await new Promise<T>((resolve, reject) => {
      stop = () => {
        controller.abort()
        reject(controller.signal.reason as Error)
      }
      for (const source of sources) source.addEventListener('abort', stop)
      work(controller.signal).then(resolve, reject)
    })
  } catch (cause) {
    if (cancel?.aborted) throw new AbortError('The call was cancelled', { code: 'ABORTED', cause })
    if (timeout.aborted) throw new TimeoutError('The request timed out', { code: 'TIMEOUT', cause })
    throw toClientError(cause)
  } finally {
    // The sources live on, and would keep the response.
    for (const source of sources) source.removeEventListener('abort', stop)
  }
}

function toClientError(cause: unknown): KirayaError {
  if (cause instanceof KirayaError) return cause
  // Without `data` the answer is no JSON, as a proxy's page is not, or it breaks off.
  if (cause instanceof HTTPError)
    return toKirayaError(cause.response.status, cause.data, cause.response.headers)
  const message =
    'The server is unreachable or the connection was lost. In a browser, CORS may be the cause: ' +
    "the server's FRONTEND_ORIGIN must list the origin of this page"
  return new NetworkError(message, { code: 'NETWORK_ERROR', cause })
}
