import { CommanderError } from 'commander'
import type { KirayaError } from '@kiraya/sdk'
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
export class UsageError extends Error {}

export class MissingFlagsError extends UsageError {
  constructor(flags: string[], condition = '') {
    const verb = flags.length > 1 ? 'are' : 'is'
    super(`${flags.join(', ')} ${verb} required${condition}`)
  }
}

type Outcome = { exitCode: number; advice?: string }

const outcomes: Record<KirayaError['code'], Outcome> = {
  UNAUTHORIZED: { exitCode: NOT_SIGNED_IN, advice: 'Sign in: kiraya login --phone <number>' },
  NOT_FOUND: { exitCode: NOT_FOUND, advice: 'Find the id with the list command' },
  VALIDATION_ERROR: { exitCode: INVALID, advice: 'Correct the input and try again' },
  BAD_REQUEST: { exitCode: INVALID },
  PAYLOAD_TOO_LARGE: { exitCode: INVALID, advice: 'Shorten the texts, or send fewer of them at once' },
  FORBIDDEN: { exitCode: REFUSED },
  NETWORK_ERROR: {
    exitCode: UNREACHABLE,
    advice: 'Is the server running? Set its address with --url or KIRAYA_URL',
  },
  TIMEOUT: { exitCode: UNREACHABLE, advice: 'Try again, or check the address in --url or KIRAYA_URL' },
  REQUEST_TIMEOUT: { exitCode: UNREACHABLE, advice: 'Try again: the connection is too slow' },
  SERVICE_UNAVAILABLE: { exitCode: UNREACHABLE, advice: 'Try again later' },
  TOO_MANY_REQUESTS: { exitCode: FAILURE },
  ABORTED: { exitCode: FAILURE },
  INTERNAL_SERVER_ERROR: { exitCode: FAILURE, advice: 'Report the request id to the operator' },
}

/** Prints what failed and what to do next, and returns the exit code. */
export function reportError(error: unknown, terminal: Terminal): number {
  // Commander has printed its message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? SUCCESS : USAGE
  if (isKirayaError(error)) return reportKirayaError(error, terminal)
  const message = error instanceof Error ? error.message : String(error)
  terminal.err(sanitizeText(message))
  return error instanceof UsageError ? USAGE : FAILURE
}

function reportKirayaError(error: KirayaError, terminal: Terminal) {
  const outcome = outcomes[error.code]
  const request = error.requestId ? `, request ${error.requestId}` : ''
  terminal.err(sanitizeText(`${error.message} (${error.code}${request})`))
  const advice = toAdvice(error, outcome)
  if (advice) terminal.err(advice)
  return outcome.exitCode
}

function toAdvice({ retryAfter }: KirayaError, { exitCode, advice }: Outcome) {
  if (exitCode === FAILURE && retryAfter !== undefined) return `Wait ${retryAfter} seconds`
  return advice
}

/** Checks the code instead of the class, because loading the SDK would slow down every help text. */
const isKirayaError = (error: unknown): error is KirayaError =>
  error instanceof Error && 'code' in error && String(error.code) in outcomes
