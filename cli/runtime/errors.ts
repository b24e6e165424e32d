export const SUCCESS = 0
export const FAILURE = 1
export const USAGE = 2
export const NOT_SIGNED_IN = 4
export const NOT_FOUND = 5
export const INVALID = 6
export const REFUSED = 7
export const UNREACHABLE = 8
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

/** The exit code for an HTTP status, as for the errors of the client. */
export function toExitCode(status: number) {
  if (status < 400) return SUCCESS
  const exitCodes: Record<number, number> = { 401: NOT_SIGNED_IN, 403: REFUSED, 404: NOT_FOUND }
  if (status === 408 || status === 503) return UNREACHABLE
  return exitCodes[status] ?? (status < 500 && status !== 429 ? INVALID : FAILURE)
}
