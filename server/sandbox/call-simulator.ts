import type { SandboxCall, SandboxProvider } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { equalsInConstantTime, getBearerToken } from '../http/constant-time'
import { sandboxSecret } from '../providers/index'
import type { Behaviour, SimulatedFailure, SimulatedFailures } from './simulated-failures'

const TIMEOUT_MS = 120_000
const DEFAULT_DELAY_MS = 10_000

/** Returns an error in the provider's own format. */
export type ErrorFormat = (status: number) => Response

/** `subjects` are the ids and phone numbers that the call is about. */
export type ProviderCall = {
  provider: SandboxProvider
  call: SandboxCall
  subjects: readonly string[]
  request: Request
  toError: ErrorFormat
}
type Respond = () => Promise<Response>

/** Returns whether a request comes from an adapter of this installation. */
export function isInternalCall({ config }: Deps, request: Request) {
  const secret = request.headers.get('x-client-secret') ?? getBearerToken(request)
  return equalsInConstantTime(secret, sandboxSecret(config))
}

/** Answers a provider call as the first matching simulated failure says, or normally. */
export function createCallSimulator(failures: SimulatedFailures) {
  return async (providerCall: ProviderCall, respond: Respond): Promise<Response> => {
    const { provider, call, subjects } = providerCall
    const failure = await failures.consume('call', provider, call, subjects)
    return failure ? simulations[failure.behaviour](providerCall, failure, respond) : respond()
  }
}

type Simulation = (
  call: ProviderCall,
  failure: SimulatedFailure<'call'>,
  respond: Respond,
) => Promise<Response>

const simulations: Record<Behaviour<'call'>, Simulation> = {
  error: async ({ toError }, { status, retry_after_s }) => {
    const response = toError(status ?? 500)
    if (retry_after_s !== null) response.headers.set('retry-after', String(retry_after_s))
    return response
  },
  timeout: async ({ request }) => {
    await waitUntilAborted(request, TIMEOUT_MS)
    return abortResponse()
  },
  slow: async ({ request }, { delay_ms }, respond) => {
    await waitUntilAborted(request, delay_ms ?? DEFAULT_DELAY_MS)
    return respond()
  },
  garbage: async ({ call }) =>
    new Response('<html><body>Bad gateway</body></html>', {
      headers: { 'content-type': call === 'pdf' ? 'application/pdf' : 'application/json' },
    }),
  malformed: async () => Response.json({ ok: true, items: [] }),
  lost: async ({ request }, { delay_ms }, respond) => {
    await respond()
    await waitUntilAborted(request, delay_ms ?? 0)
    return abortResponse()
  },
}

/** The connection closes before the first byte. */
function abortResponse() {
  return new Response(new ReadableStream({ start: controller => controller.error(undefined) }))
}

/** Waits until the caller disconnects, at most `maxMs`. */
function waitUntilAborted(request: Request, maxMs: number) {
  return new Promise<void>(resolve => {
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, maxMs)
    if (request.signal.aborted) end()
    else request.signal.addEventListener('abort', end, { once: true })
  })
}
