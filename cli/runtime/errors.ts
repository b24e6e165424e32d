import { CommanderError } from 'commander'
import type { KirayaError } from '@kiraya/sdk'
import { findAdvice } from './advice'
import { describeConnectionFailure } from './connection-failures'
import { sanitizeText } from '../output/sanitize'

const SUCCESS = 0
const FAILURE = 1
const USAGE = 2
const NOT_SIGNED_IN = 4
export const NOT_FOUND = 5
const INVALID = 6
export const REFUSED = 7
const UNREACHABLE = 8
export const TIMED_OUT = 9
const CANCELLED = 130

export const exitCodesHelp =
  'Exit codes: 0 success, 1 failure, 2 usage, 4 not signed in, 5 not found, 6 invalid, ' +
  '7 refused, 8 unreachable, 9 waited in vain, 130 cancelled'

/** The command ends with an exit code of its own. */
export class ExitError extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message)
  }
}

/** The command line is wrong. */
export class UsageError extends ExitError {
  constructor(message: string, exitCode = USAGE) {
    super(message, exitCode)
  }
}

/** A person left a question unanswered. */
export class CancelledError extends ExitError {
  constructor() {
    super('Cancelled: nothing has changed', CANCELLED)
  }
}

export class MissingFlagsError extends UsageError {
  constructor(flags: string[]) {
    super(`${flags.join(', ')} ${flags.length > 1 ? 'are' : 'is'} required`)
  }
}

/** A file has errors, which have been printed. */
export class InvalidFileError extends ExitError {
  constructor(message: string) {
    super(message, INVALID)
  }
}

type Outcome = { exitCode: number; advice?: string }

const outcomes: Record<KirayaError['code'], Outcome> = {
  UNAUTHORIZED: { exitCode: NOT_SIGNED_IN, advice: 'Sign in: {command} login --phone <number>' },
  NOT_FOUND: { exitCode: NOT_FOUND, advice: 'Find the id with the list command' },
  VALIDATION_ERROR: { exitCode: INVALID, advice: 'Correct the input and try again' },
  BAD_REQUEST: { exitCode: INVALID },
  PAYLOAD_TOO_LARGE: { exitCode: INVALID, advice: 'Shorten the texts, or send fewer of them at once' },
  FORBIDDEN: { exitCode: REFUSED },
  NETWORK_ERROR: {
    exitCode: UNREACHABLE,
    advice: 'Is the server running? Set its address with --url or KIRAYA_URL',
  },
  TIMEOUT: {
    exitCode: UNREACHABLE,
    advice: 'Try again, or check the address in --url or KIRAYA_URL',
  },
  REQUEST_TIMEOUT: { exitCode: UNREACHABLE, advice: 'Try again: the connection is too slow' },
  SERVICE_UNAVAILABLE: { exitCode: UNREACHABLE, advice: 'Try again later' },
  TOO_MANY_REQUESTS: { exitCode: FAILURE },
  ABORTED: { exitCode: FAILURE },
  INTERNAL_SERVER_ERROR: { exitCode: FAILURE, advice: 'Report the request id to the operator' },
}

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
/** Writes a line to stderr. */
type ErrorOutput = { err: (text: string) => void }
type ReportOptions = {
  /** Writes the report as JSON. */
  isJson?: boolean
  /** How hints name the command, with its runner and its profile. */
  command?: string
}

/** Prints what failed and what to do next, and returns the exit code. */
export function reportError(error: unknown, terminal: ErrorOutput, options: ReportOptions = {}): number {
  if (error instanceof CommanderError && error.exitCode === 0) return SUCCESS
  const report = toReport(error, options.command ?? 'kiraya')
  if (options.isJson) terminal.err(JSON.stringify({ error: report }))
  // Commander has printed its own message already.
  else if (!(error instanceof CommanderError)) printReport(report, terminal)
  return report.exit_code
}

function printReport({ code, message, request_id, advice }: Report, terminal: ErrorOutput) {
  const request = request_id ? `, request ${request_id}` : ''
  const origin = code in outcomes ? ` (${code}${request})` : ''
  terminal.err(sanitizeText(message + origin))
  if (advice) terminal.err(advice)
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

/** Returns what an error says to a person. */
export function toMessage(error: unknown): string {
  const failure = describeFileFailure(error) ?? describeConnectionFailure(error)
  return failure ?? (error instanceof Error ? error.message : String(error))
}

function toReport(error: unknown, command: string): Report {
  if (isKirayaError(error)) return toRequestReport(error, command)
  const message = toMessage(error)
  if (error instanceof CommanderError) return { code: 'USAGE', message, exit_code: USAGE }
  if (!(error instanceof ExitError)) return { code: 'FAILURE', message, exit_code: FAILURE }
  return { code: error instanceof UsageError ? 'USAGE' : 'STOPPED', message, exit_code: error.exitCode }
}

function toRequestReport(error: KirayaError, command: string): Report {
  const { code, reason, details, requestId: request_id } = error
  const outcome = outcomes[code]
  const message = toMessage(error)
  const advice = toAdvice(error, outcome)
  return {
    code,
    reason,
    message,
    advice: advice?.replaceAll('{command}', command),
    details,
    request_id,
    exit_code: outcome.exitCode,
  }
}

function toAdvice(error: KirayaError, { exitCode, advice }: Outcome) {
  const { retryAfter } = error
  if (exitCode === FAILURE && retryAfter !== undefined) return `Wait ${retryAfter} seconds`
  return findAdvice(error, advice)
}

/** The exit code for an HTTP status, as for the errors of the client. */
export function toExitCode(status: number) {
  if (status < 400) return SUCCESS
  const exitCodes: Record<number, number> = { 401: NOT_SIGNED_IN, 403: REFUSED, 404: NOT_FOUND }
  if (status === 408 || status === 503) return UNREACHABLE
  return exitCodes[status] ?? (status < 500 && status !== 429 ? INVALID : FAILURE)
}

/** Checks the code instead of the class, because loading the SDK would slow down every help text. */
const isKirayaError = (error: unknown): error is KirayaError =>
  error instanceof Error && 'code' in error && String(error.code) in outcomes
