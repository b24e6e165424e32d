import { CommanderError } from 'commander'
import type { KirayaError } from '@kiraya/sdk'
import { findAdvice } from './advice'
import { describeConnectionFailure } from './connection-failures'
import { readLanguage, say, toSentence, type Language, type PlainKey, type Text } from './messages'
import { sanitizeText } from './sanitize'
import type { Terminal } from './terminal'

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

/** Its message is known in every language. */
export class TranslatedError extends Error {
  constructor(
    readonly text: Text,
    options?: ErrorOptions,
  ) {
    super(toSentence(text, 'en'), options)
  }
}

/** The command ends with an exit code of its own. */
export class ExitError extends TranslatedError {
  constructor(
    text: Text,
    readonly exitCode: number,
  ) {
    super(text)
  }
}

/** The command line is wrong. */
export class UsageError extends ExitError {
  constructor(text: Text, exitCode = USAGE) {
    super(text, exitCode)
  }
}

/** A person left a question unanswered. */
export class CancelledError extends ExitError {
  constructor() {
    super(say('cancelled'), CANCELLED)
  }
}

export class MissingFlagsError extends UsageError {
  constructor(flags: string[], key: 'flags_missing' | 'flags_missing_without_terminal' = 'flags_missing') {
    super(say(key, { flags }))
  }
}

/** A file has errors, which have been printed. */
export class InvalidFileError extends ExitError {
  constructor(text: Text) {
    super(text, INVALID)
  }
}

/** `message` replaces that of the SDK, which is English. */
type Outcome = { exitCode: number; advice?: PlainKey; message?: PlainKey }

const outcomes: Record<KirayaError['code'], Outcome> = {
  UNAUTHORIZED: { exitCode: NOT_SIGNED_IN, advice: 'advice_sign_in' },
  NOT_FOUND: { exitCode: NOT_FOUND, advice: 'advice_find_id' },
  VALIDATION_ERROR: { exitCode: INVALID, advice: 'advice_correct' },
  BAD_REQUEST: { exitCode: INVALID },
  PAYLOAD_TOO_LARGE: { exitCode: INVALID, advice: 'advice_shorten' },
  FORBIDDEN: { exitCode: REFUSED },
  NETWORK_ERROR: {
    exitCode: UNREACHABLE,
    advice: 'advice_is_running',
    message: 'connection_failed',
  },
  TIMEOUT: { exitCode: UNREACHABLE, advice: 'advice_timeout', message: 'timed_out' },
  REQUEST_TIMEOUT: { exitCode: UNREACHABLE, advice: 'advice_slow' },
  SERVICE_UNAVAILABLE: { exitCode: UNREACHABLE, advice: 'advice_later' },
  TOO_MANY_REQUESTS: { exitCode: FAILURE },
  ABORTED: { exitCode: FAILURE },
  INTERNAL_SERVER_ERROR: { exitCode: FAILURE, advice: 'advice_report' },
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
type ReportOptions = {
  /** Writes the report as JSON. */
  isJson?: boolean
  /** How hints name the command, with its runner and its profile. */
  command?: string
}

/** Prints what failed and what to do next, and returns the exit code. */
export function reportError(error: unknown, terminal: Terminal, options: ReportOptions = {}): number {
  if (error instanceof CommanderError && error.exitCode === 0) return SUCCESS
  const report = toReport(error, options.command ?? 'kiraya', readLanguage(terminal.env))
  if (options.isJson) terminal.err(JSON.stringify({ error: report }))
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

const fileFailures: Record<string, 'file_missing' | 'file_is_folder' | 'file_refused'> = {
  ENOENT: 'file_missing',
  ENOTDIR: 'file_missing',
  EISDIR: 'file_is_folder',
  EACCES: 'file_refused',
  EPERM: 'file_refused',
  EROFS: 'file_refused',
}

/** Names the file that a person gave, or returns undefined. */
function describeFileFailure(error: unknown) {
  const { code = '', path } = Object(error) as NodeJS.ErrnoException
  const key = fileFailures[code]
  return key && path ? say(key, { file: path }) : undefined
}

/** Returns what an error says to a person. */
export function toMessage(error: unknown, language: Language): string {
  if (error instanceof TranslatedError) return toSentence(error.text, language)
  const fileFailure = describeFileFailure(error)
  if (fileFailure) return fileFailure(language)
  const connectionFailure = describeConnectionFailure(error)
  if (connectionFailure) return connectionFailure(language)
  // The English of the SDK is more precise.
  const translation = isKirayaError(error) && language !== 'en' ? outcomes[error.code].message : undefined
  if (translation) return say(translation)(language)
  return error instanceof Error ? error.message : String(error)
}

function toReport(error: unknown, command: string, language: Language): Report {
  if (isKirayaError(error)) return toRequestReport(error, command, language)
  const message = toMessage(error, language)
  if (error instanceof CommanderError) return { code: 'USAGE', message, exit_code: USAGE }
  if (!(error instanceof ExitError)) return { code: 'FAILURE', message, exit_code: FAILURE }
  return { code: error instanceof UsageError ? 'USAGE' : 'STOPPED', message, exit_code: error.exitCode }
}

function toRequestReport(error: KirayaError, command: string, language: Language): Report {
  const { code, reason, details, requestId: request_id } = error
  const outcome = outcomes[code]
  const message = toMessage(error, language)
  const advice = toAdvice(error, outcome)
  return {
    code,
    reason,
    message,
    advice: advice && toSentence(advice, language).replaceAll('{command}', command),
    details,
    request_id,
    exit_code: outcome.exitCode,
  }
}

function toAdvice(error: KirayaError, { exitCode, advice }: Outcome) {
  const { retryAfter } = error
  if (exitCode === FAILURE && retryAfter !== undefined) return say('advice_wait', { seconds: retryAfter })
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
