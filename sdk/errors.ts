import type { ErrorCode, ErrorReason, FieldViolation } from '#types'

export type ErrorDetails = {
  code: ErrorCode | 'NETWORK_ERROR' | 'TIMEOUT' | 'ABORTED' | 'TOKEN_STORE_FAILED'
  reason?: string
  status?: number
  details?: unknown
  requestId?: string
  retryAfter?: number
  cause?: unknown
}

/** The base class of every error that a method throws. */
export class KirayaError extends Error {
  /**
   * The server's error code; `NETWORK_ERROR`, `TIMEOUT` or `ABORTED` when no response arrived; `TOKEN_STORE_FAILED`.
   */
  declare readonly code: ErrorDetails['code']
  /**
   * The stable word for the cause, such as `already_signed`; undefined if the server named none, as in Variant A.
   * Later versions of the server may have others than the known ones.
   */
  declare readonly reason: ErrorReason | (string & {}) | undefined
  /** The HTTP status; undefined when no response arrived. */
  declare readonly status: number | undefined
  /** What the server says about the cause, such as the invalid fields. */
  declare readonly details: unknown
  /** Identifies the request in the server's log. */
  declare readonly requestId: string | undefined
  /** Seconds to wait before the next attempt, if the server named them. */
  declare readonly retryAfter: number | undefined

  constructor(message: string, { cause, ...details }: ErrorDetails) {
    super(message, { cause })
    Object.assign(this, details)
  }
}

// Each class sets its own name, because minifiers rename classes.

/** 400 and other 4xx: the input is not valid. */
export class ValidationError extends KirayaError {
  override name = 'ValidationError'

  /** The invalid fields with the rules that they break; empty if the server named none. */
  get violations(): FieldViolation[] {
    return Array.isArray(this.details) ? this.details : []
  }
}

/** 401: not signed in, or wrong credentials. */
export class UnauthorizedError extends KirayaError {
  override name = 'UnauthorizedError'
}

/** 403: not allowed for this user, or not in this state. */
export class ForbiddenError extends KirayaError {
  override name = 'ForbiddenError'
}

/** 404: the record does not exist, was deleted, or is not visible to this user. */
export class NotFoundError extends KirayaError {
  override name = 'NotFoundError'
}

/** 408: the request did not arrive in time; send it again. */
export class RequestTimeoutError extends KirayaError {
  override name = 'RequestTimeoutError'
}

/** 413: the request is too large; the message names the limit. */
export class PayloadTooLargeError extends KirayaError {
  override name = 'PayloadTooLargeError'
}

/** 429: too many requests; wait `retryAfter` seconds. */
export class TooManyRequestsError extends KirayaError {
  override name = 'TooManyRequestsError'
}

/** 5xx: the server, its database or a provider failed. */
export class ServerError extends KirayaError {
  override name = 'ServerError'
}

/** No response arrived: the connection was refused or lost. */
export class NetworkError extends KirayaError {
  override name = 'NetworkError'
}

/** No complete response arrived within `timeoutMs`. */
export class TimeoutError extends KirayaError {
  override name = 'TimeoutError'
}

/** The call was cancelled by its `signal`. */
export class AbortError extends KirayaError {
  override name = 'AbortError'
}
