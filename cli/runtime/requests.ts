import { startSpinner } from '../output/progress'
import { keepAddress } from './report'
import type { Terminal } from './terminal'

type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

const PROGRESS_AFTER_MS = 1_000
const SECRETS = new Set(['password', 'current_password', 'otp', 'pan', 'access_token'])

/** Sends the requests of a command: shows progress, reports them for `--verbose`, stops for `--dry-run`. */
export function createRequests(
  terminal: Terminal,
  { verbose, dryRun }: { verbose?: boolean; dryRun?: boolean },
) {
  const end = Promise.withResolvers<void>()
  const reporter = verbose ? createReporter(terminal) : createProgress(terminal)

  const fetch: Fetch = async (input, init) => {
    const request = input instanceof Request ? input : new Request(input, init)
    if (dryRun && request.method !== 'GET') {
      await showRequest(terminal, request)
      end.resolve()
      return new Promise<never>(() => {})
    }
    const report = reporter(request)
    try {
      const response = await globalThis.fetch(input, init)
      report(toOutcome(response))
      return response
    } catch (error) {
      keepAddress(error, request.url)
      report('no response')
      throw error
    }
  }
  /** `dryRunEnd` comes when the request was shown that would have been sent. */
  return { fetch, dryRunEnd: end.promise }
}

function toOutcome({ status, headers }: Response) {
  const id = headers.get('x-request-id')
  return id ? `${status}, request ${id}` : String(status)
}

type StartReport = (request: Request) => (outcome: string) => void

function createReporter({ err }: Terminal): StartReport {
  return ({ method, url }) => {
    const startedAt = performance.now()
    err(`> ${method} ${url}`)
    return outcome => err(`< ${outcome}, ${Math.round(performance.now() - startedAt)} ms`)
  }
}

/** Shows a spinner on stderr while a request lasts longer than a second. */
function createProgress(terminal: Terminal): StartReport {
  return () => {
    const stop = startSpinner(terminal, 'Waiting for the server', PROGRESS_AFTER_MS)
    return () => stop()
  }
}

/** Shows a request without its secrets: text for people, JSON for programs. */
async function showRequest(terminal: Terminal, request: Request) {
  const { method, url } = request
  const body = await readBody(request.clone())
  const headers = { ...Object.fromEntries(request.headers), ...hideToken(request.headers) }
  if (!terminal.isStdoutTty) return terminal.out(JSON.stringify({ method, url, headers, body }, null, 2))
  terminal.out(`${method} ${url}`)
  for (const [name, value] of Object.entries(headers)) terminal.out(`${name}: ${value}`)
  if (body !== undefined) terminal.out(`\n${JSON.stringify(body, null, 2)}`)
}

/** Of a file it says how long it is. */
async function readBody(request: Request): Promise<unknown> {
  const bytes = await request.bytes()
  if (bytes.length === 0) return undefined
  const isJson = request.headers.get('content-type')?.includes('json')
  return isJson ? JSON.parse(new TextDecoder().decode(bytes), hideSecret) : { bytes: bytes.length }
}

const hideSecret = (name: string, value: unknown) => (SECRETS.has(name) ? '…' : value)

const hideToken = (headers: Headers) => (headers.has('authorization') ? { authorization: 'Bearer …' } : {})
