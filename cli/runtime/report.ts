import { CommanderError } from 'commander'
import type { KirayaError } from '@kiraya/sdk'
import { sanitizeText } from '../output/sanitize'
import { findAdvice, outcomes } from './advice'
import { ExitError, FAILURE, SUCCESS, USAGE, UsageError } from './errors'
import type { Terminal } from './terminal'

/** What a failure says to a person or, as JSON, to a program. */
type Report = {
  code: string
  /** The stable word for the cause, if the server names one. */
  reason?: string
  message: string
  advice?: string
  details?: unknown
  request_id?: string
  exit_code: number
}

/** Prints what failed and what to do next, with the command as it was called, and returns the exit code. */
export function reportError(error: unknown, terminal: Terminal, isJson = false, command = 'kiraya'): number {
  if (error instanceof CommanderError && error.exitCode === 0) return SUCCESS
  const report = toReport(error, command)
  if (isJson) terminal.err(JSON.stringify({ error: report }))
  // Commander has printed its own message already.
  else if (!(error instanceof CommanderError)) printReport(report, terminal)
  return report.exit_code
}

function printReport({ code, message, request_id, advice }: Report, terminal: Terminal) {
  const request = request_id ? `, request ${request_id}` : ''
  const origin = code in outcomes ? ` (${code}${request})` : ''
  terminal.err(sanitizeText(message + origin))
  if (advice) terminal.err(advice)
}

function toReport(error: unknown, command: string): Report {
  const message = toMessage(error)
  if (isKirayaError(error)) {
    const { code, reason, details, requestId: request_id } = error
    const advice = findConnectionAdvice(error) ?? findAdvice(error)?.replaceAll('{command}', command)
    return { code, reason, message, advice, details, request_id, exit_code: outcomes[code].exitCode }
  }
  if (error instanceof CommanderError) return { code: 'USAGE', message, exit_code: USAGE }
  if (!(error instanceof ExitError)) return { code: 'FAILURE', message, exit_code: FAILURE }
  return { code: error instanceof UsageError ? 'USAGE' : 'STOPPED', message, exit_code: error.exitCode }
}

/** Checks the code instead of the class, because loading the SDK would slow down every help text. */
const isKirayaError = (error: unknown): error is KirayaError =>
  error instanceof Error && 'code' in error && String(error.code) in outcomes

export function toMessage(error: unknown): string {
  const failure = describeFileFailure(error) ?? describeConnectionFailure(error)
  return failure ?? (error instanceof Error ? error.message : String(error))
}

/** Names the file that a person gave, or returns undefined. */
function describeFileFailure(error: unknown) {
  const { code, path } = Object(error) as NodeJS.ErrnoException
  if (!path) return undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no file or folder ${path}`
  if (code === 'EISDIR') return `${path} is a folder, not a file`
  const isRefused = code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
  return isRefused ? `You may not read or write ${path}` : undefined
}

/** What the codes of the runtimes mean; the first that fits applies. */
const causes: [codes: RegExp, meaning: string, advice?: string][] = [
  [/refused/i, 'the connection was refused'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'the host is unknown'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'its certificate has expired or is not valid yet', 'Renew it'],
  [/ALTNAME_INVALID|HOSTNAME_MISMATCH/, 'its certificate is for another host'],
  [
    /CERT|UNABLE_TO_(VERIFY|GET|DECODE)|INVALID_CA|PATH_LENGTH|INVALID_PURPOSE/,
    'its certificate is not trusted',
    'Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of its authority',
  ],
  [/^(HPE_|ERR_SSL_|EPROTO)/, 'what answers there does not speak this protocol, http or https'],
]

type Failure = { code?: string; cause?: unknown }

const addresses = new WeakMap<object, string>()

/** Keeps the address of a request that failed. The SDK throws another error, which has this one or its cause. */
export function keepAddress(error: unknown, url: string) {
  if (!(error instanceof Error)) return
  addresses.set(error, url)
  if (error.cause instanceof Error) addresses.set(error.cause, url)
}

/** Returns a sentence with the address that did not answer and the cause, or undefined. */
export function describeConnectionFailure(error: unknown) {
  const chain = toChain(error)
  const address = chain.map(one => addresses.get(one)).find(url => url !== undefined)
  if (!address) return undefined
  const { meaning = 'the connection failed or was lost' } = findCause(chain) ?? {}
  return `${new URL(address).origin} is unreachable: ${meaning}`
}

/** Returns what to do about a failure that another address does not solve. */
export const findConnectionAdvice = (error: unknown) => findCause(toChain(error))?.advice

function findCause(chain: Failure[]) {
  const code = chain.find(one => one.code !== 'NETWORK_ERROR' && one.code)?.code ?? ''
  const [, meaning, advice] = causes.find(([codes]) => codes.test(code)) ?? []
  return meaning === undefined ? undefined : { meaning, advice }
}

function toChain(error: unknown) {
  const chain: Failure[] = []
  for (let one = error; one instanceof Error; one = one.cause) chain.push(one as Failure)
  return chain
}
