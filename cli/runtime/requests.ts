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

  /** Sends a request in any case, such as one that says itself that it is a dry run. */
  const send: Fetch = async (input, init) => {
    const { method, url } = input instanceof Request ? input : new Request(input, init)
    const report = verbose
      ? startReport(terminal, method, url)
      : startSpinner(terminal, 'Waiting for the server', PROGRESS_AFTER_MS)
    try {
      const response = await globalThis.fetch(input, init)
      const id = response.headers.get('x-request-id')
      report(id ? `${response.status}, request ${id}` : String(response.status))
      return response
    } catch (error) {
      keepAddress(error, url)
      report('no response')
      throw error
    }
  }
  const fetch: Fetch = async (input, init) => {
    const request = input instanceof Request ? input : new Request(input, init)
    if (!dryRun || request.method === 'GET') return send(input, init)
    await showRequest(terminal, request)
    end.resolve()
    return new Promise<never>(() => {})
  }
  /** `dryRunEnd` comes when the request was shown that would have been sent. */
  return { fetch, send, dryRunEnd: end.promise }
}

function startReport({ err }: Terminal, method: string, url: string) {
  const startedAt = performance.now()
  err(`> ${method} ${url}`)
  return (outcome: string) => err(`< ${outcome}, ${Math.round(performance.now() - startedAt)} ms`)
}

/** Shows a request without its secrets: text for people, JSON for programs. */
async function showRequest(terminal: Terminal, request: Request) {
  const { method, url } = request
  const body = await readBody(request.clone())
  const headers: Record<string, string> = Object.fromEntries(request.headers)
  if (headers.authorization) headers.authorization = 'Bearer …'
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
