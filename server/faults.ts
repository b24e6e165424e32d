import type { Broken, ErrorCode } from '@kiraya/sdk/contract'
import { Reason } from './reasons'

/** The domain's errors and the HTTP status that each of them has. */
export const statusOf = {
  VALIDATION_ERROR: 400,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>

type Extra = { details?: unknown; retryAfterS?: number; cause?: unknown; status?: number }

/** Something that a client is told; `cause` is for the log alone. */
export class Fault extends Reason {
  readonly status: number
  readonly details: unknown
  readonly retryAfterS: number | undefined

  constructor(
    readonly code: ErrorCode,
    message: string,
    { details, retryAfterS, cause, status }: Extra = {},
  ) {
    super(message, { cause })
    this.status = status ?? statusOf[code]
    this.details = details
    this.retryAfterS = retryAfterS
  }
}

/** A fault as clients are told of it, but those of Variant A. */
export const enveloped = ({ code, message, details }: Fault) => ({
  success: false,
  data: null,
  error: { code, message, details },
})

export const badRequest = (message: string, details?: unknown) =>
  new Fault('BAD_REQUEST', message, { details })
export const tooLarge = () => new Fault('BAD_REQUEST', 'The body is too large', { status: 413 })
export const tooSlow = () => new Fault('BAD_REQUEST', 'The body did not arrive in time', { status: 408 })
export const unauthorized = (message = 'Sign in first: the token is missing or not valid') =>
  new Fault('UNAUTHORIZED', message)
export const forbidden = (message: string, details?: unknown) => new Fault('FORBIDDEN', message, { details })
export const notFound = (what: string) => new Fault('NOT_FOUND', `${what} not found`)
export const tooMany = (message: string, retryAfterS: number) =>
  new Fault('TOO_MANY_REQUESTS', message, { retryAfterS })
export const unavailable = (message: string, cause?: unknown, retryAfterS = 5) =>
  new Fault('SERVICE_UNAVAILABLE', message, { cause, retryAfterS })

/** For what cannot be done otherwise: a Fault passes. */
export const unlessFault =
  <T>(otherwise: () => T) =>
  (error: unknown) => {
    if (error instanceof Fault) throw error
    return otherwise()
  }

/** `rules` maps a field to the rule that it breaks, as in `{ pin_code: 'must be …' }`. */
export const invalid = (rules: Record<string, string>) =>
  new Fault('VALIDATION_ERROR', sentence(brokenBy(rules)), { details: brokenBy(rules) })
const brokenBy = (rules: Record<string, string>): Broken[] =>
  Object.entries(rules).map(([property, rule]) => ({
    property,
    constraints: { valid: `${property} ${rule}` },
  }))

export const sentence = (broken: Broken[]) =>
  broken.flatMap(({ constraints }) => Object.values(constraints)).join('; ')
