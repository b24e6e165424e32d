import type { FieldViolation, ErrorCode } from '@kiraya/sdk/contract'
import { LoggableError } from './observability/safe-errors'

/** The domain's errors and the HTTP status that each of them has. */
export const httpStatusByCode = {
  VALIDATION_ERROR: 400,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>

/** A limit that all clients share: reaching it is an operator's concern. */
export type ServiceLimit = 'otp_total' | 'wrong_otp_total'

type FaultOptions = {
  details?: unknown
  retryAfterS?: number
  cause?: unknown
  serviceLimit?: ServiceLimit
}

/** Something that a client is told; `cause` is for the log alone. */
export class Fault extends LoggableError {
  readonly status: number
  readonly details: unknown
  readonly retryAfterS: number | undefined
  readonly serviceLimit: ServiceLimit | undefined

  constructor(
    readonly code: ErrorCode,
    message: string,
    { details, retryAfterS, cause, serviceLimit }: FaultOptions = {},
  ) {
    super(message, { cause })
    this.status = httpStatusByCode[code]
    this.details = details
    this.retryAfterS = retryAfterS
    this.serviceLimit = serviceLimit
  }
}

/** A fault as clients are told of it, but those of Variant A. */
export const toErrorEnvelope = ({ code, message, details }: Fault) => ({
  success: false,
  data: null,
  error: { code, message, details },
})

export const badRequest = (message: string, details?: unknown) =>
  new Fault('BAD_REQUEST', message, { details })
export const bodyTooLarge = (maxBytes: number) =>
  new Fault('PAYLOAD_TOO_LARGE', `The body is too large: send at most ${maxBytes} bytes`)
export const requestTimeout = () =>
  new Fault('REQUEST_TIMEOUT', 'The body did not arrive in time: send it again without pauses')
export const unauthorized = (message = 'Sign in first: the token is missing or not valid') =>
  new Fault('UNAUTHORIZED', message)
export const forbidden = (message: string, details?: unknown) => new Fault('FORBIDDEN', message, { details })
export const notFound = (what: string) => new Fault('NOT_FOUND', `${what} not found`)
export const tooManyRequests = (message: string, retryAfterS: number, serviceLimit?: ServiceLimit) =>
  new Fault('TOO_MANY_REQUESTS', message, { retryAfterS, serviceLimit })
export const unavailable = (message: string, cause?: unknown, retryAfterS = 5) =>
  new Fault('SERVICE_UNAVAILABLE', message, { cause, retryAfterS })

/** For what cannot be done otherwise: a Fault passes. */
export const rethrowFaultOr =
  <T>(otherwise: () => T) =>
  (error: unknown) => {
    if (error instanceof Fault) throw error
    return otherwise()
  }

/** `rules` maps a field to the rule that it breaks, as in `{ pin_code: 'must be …' }`. */
export const validationError = (rules: Record<string, string>) =>
  new Fault('VALIDATION_ERROR', toSentence(toViolations(rules)), { details: toViolations(rules) })
const toViolations = (rules: Record<string, string>): FieldViolation[] =>
  Object.entries(rules).map(([property, rule]) => ({
    property,
    constraints: { valid: `${property} ${rule}` },
  }))

export const toSentence = (broken: FieldViolation[]) =>
  broken.flatMap(({ constraints }) => Object.values(constraints)).join('; ')
