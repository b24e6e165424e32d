import type { FieldViolation, ErrorCode } from './contract'

export type ErrorDetails = {
  code: ErrorCode | 'NETWORK_ERROR' | 'TIMEOUT'
  status?: number
  details?: unknown
  requestId?: string
  retryAfter?: number
  cause?: unknown
}

/** What every method throws: `code` is the server's, `requestId` finds the request in its log. */
export class KirayaError extends Error {
  declare readonly code: ErrorDetails['code']
  /** The HTTP status; undefined where no answer came. */
  declare readonly status: number | undefined
  declare readonly details: unknown
  declare readonly requestId: string | undefined
  /** Seconds to wait before trying again, where the server said so. */
  declare readonly retryAfter: number | undefined

  constructor(message: string, { cause, ...failure }: ErrorDetails) {
    super(message, { cause })
    Object.assign(this, failure, { message })
  }
}

// Each names itself: minifiers rename the classes.

/** 400: the input is not valid. `broken` names each field and rule where the server named them. */
export class ValidationError extends KirayaError {
  override name = 'ValidationError'
  get violations(): FieldViolation[] {
    return Array.isArray(this.details) ? this.details : []
  }
}
/** 401: not signed in, or the credentials are wrong. */
export class UnauthorizedError extends KirayaError {
  override name = 'UnauthorizedError'
}
/** 403: not allowed in this state or for this user. */
export class ForbiddenError extends KirayaError {
  override name = 'ForbiddenError'
}
/** 404: absent, deleted, or somebody else's. */
export class NotFoundError extends KirayaError {
  override name = 'NotFoundError'
}
/** 429: wait `retryAfter` seconds. */
export class TooManyRequestsError extends KirayaError {
  override name = 'TooManyRequestsError'
}
/** 500 or 503: our side, the database or a provider. */
export class ServerError extends KirayaError {
  override name = 'ServerError'
}
/** No answer came: refused, lost, or cut off. */
export class NetworkError extends KirayaError {
  override name = 'NetworkError'
}
/** No answer came in time. */
export class TimeoutError extends KirayaError {
  override name = 'TimeoutError'
}
