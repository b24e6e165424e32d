import { CommanderError } from 'commander'
import type { KirayaError } from '@kiraya/sdk'
import { readLanguage, say, toSentence, type Language, type PlainKey, type Text } from './messages'
import { sanitizeText, type Terminal } from './terminal'

const SUCCESS = 0
const FAILURE = 1
const USAGE = 2
const NOT_SIGNED_IN = 4
const NOT_FOUND = 5
const INVALID = 6
const REFUSED = 7
const UNREACHABLE = 8

export const exitCodesHelp =
  'Exit codes: 0 success, 1 failure, 2 usage, 4 not signed in, 5 not found, 6 invalid, ' +
  '7 refused, 8 unreachable'

/** The command line is wrong. */
export class UsageError extends Error {
  constructor(readonly text: Text) {
    super(toSentence(text, 'en'))
  }
}

export class MissingFlagsError extends UsageError {
  constructor(flags: string[], { isInteractive = true } = {}) {
    super(say(isInteractive ? 'flags_missing' : 'flags_missing_without_terminal', { flags }))
  }
}

/** A file has errors, which have been printed. */
export class InvalidFileError extends UsageError {}

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

/** Prints what failed and what to do next, and returns the exit code. */
export function reportError(error: unknown, terminal: Terminal): number {
  // Commander has printed its message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? SUCCESS : USAGE
  if (isKirayaError(error)) return reportKirayaError(error, terminal)
  terminal.err(sanitizeText(toMessage(error, readLanguage(terminal.env))))
  if (error instanceof InvalidFileError) return INVALID
  return error instanceof UsageError ? USAGE : FAILURE
}

function toMessage(error: unknown, language: Language) {
  if (error instanceof UsageError) return toSentence(error.text, language)
  return error instanceof Error ? error.message : String(error)
}

function reportKirayaError(error: KirayaError, terminal: Terminal) {
  const outcome = outcomes[error.code]
  const language = readLanguage(terminal.env)
  const isTranslated = language !== 'en' && outcome.message !== undefined
  const message = isTranslated ? say(outcome.message!)(language) : error.message
  const request = error.requestId ? `, request ${error.requestId}` : ''
  terminal.err(sanitizeText(`${message} (${error.code}${request})`))
  const advice = toAdvice(error, outcome)
  if (advice) terminal.err(advice(language))
  return outcome.exitCode
}

function toAdvice({ retryAfter }: KirayaError, { exitCode, advice }: Outcome) {
  if (exitCode === FAILURE && retryAfter !== undefined) return say('advice_wait', { seconds: retryAfter })
  return advice && say(advice)
}

/** Checks the code instead of the class, because loading the SDK would slow down every help text. */
const isKirayaError = (error: unknown): error is KirayaError =>
  error instanceof Error && 'code' in error && String(error.code) in outcomes
