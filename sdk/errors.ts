import type { Broken, ErrorCode } from './contract'

export type Failure = { code: ErrorCode | 'NETWORK_ERROR' | 'TIMEOUT'; status?: number; details?: unknown; requestId?: string; retryAfter?: number; cause?: unknown }

/** What every method throws: `code` is the server's, `requestId` finds the request in its log. */
export class KirayaError extends Error {
  readonly code: Failure['code']
  /** The HTTP status; undefined where no answer came. */
  readonly status: number | undefined
  readonly details: unknown
  readonly requestId: string | undefined
  /** Seconds to wait before trying again, where the server said so. */
  readonly retryAfter: number | undefined

  constructor(message: string, { code, status, details, requestId, retryAfter, cause }: Failure) {
    super(message, { cause })
    this.name = new.target.name
    this.code = code
    this.status = status
    this.details = details
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}
/** 400: the input is not valid. `broken` names each field and rule where the server named them. */
export class ValidationError extends KirayaError {
  get broken(): Broken[] {
    return Array.isArray(this.details) ? this.details : []
  }
}
/** 401: not signed in, or the credentials are wrong. */
export class UnauthorizedError extends KirayaError {}
/** 403: not allowed in this state or for this user. */
export class ForbiddenError extends KirayaError {}
/** 404: absent, deleted, or somebody else's. */
export class NotFoundError extends KirayaError {}
/** 429: wait `retryAfter` seconds. */
export class TooManyRequestsError extends KirayaError {}
/** 500 or 503: our side, the database or a provider. */
export class ServerError extends KirayaError {}
/** No answer came: refused, lost, or cut off. */
export class NetworkError extends KirayaError {}
/** No answer came in time. */
export class TimeoutError extends KirayaError {}

const classes: Record<ErrorCode, typeof KirayaError> = {
  VALIDATION_ERROR: ValidationError,
  BAD_REQUEST: ValidationError,
  UNAUTHORIZED: UnauthorizedError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  TOO_MANY_REQUESTS: TooManyRequestsError,
  INTERNAL_SERVER_ERROR: ServerError,
  SERVICE_UNAVAILABLE: ServerError,
}
const codes: Record<number, ErrorCode> = { 400: 'BAD_REQUEST', 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 413: 'BAD_REQUEST', 429: 'TOO_MANY_REQUESTS', 503: 'SERVICE_UNAVAILABLE' }

/** The error that an answer tells of, in the envelope or in Variant A's plain form. */
export function errorOf(status: number, body: unknown, headers: Headers): KirayaError {
  const { error, message: plain } = (typeof body === 'object' && body !== null ? body : {}) as { error?: { code?: ErrorCode; message?: string; details?: unknown } | string; message?: string | string[] }
  const told = typeof error === 'object' ? error : { message: Array.isArray(plain) ? plain.join('; ') : plain, code: Array.isArray(plain) ? 'VALIDATION_ERROR' as const : undefined, details: Array.isArray(plain) ? plain.map(brokenOf) : undefined }
  const code = told.code && told.code in classes ? told.code : codes[status] ?? 'INTERNAL_SERVER_ERROR'
  const wait = Number(headers.get('retry-after') ?? NaN)
  return new classes[code](told.message ?? `The server answered ${status}`, { code, status, details: told.details, requestId: headers.get('x-request-id') ?? undefined, retryAfter: Number.isNaN(wait) ? undefined : wait })
}

/** Variant A's sentence begins with the field that it is about. */
const brokenOf = (sentence: string): Broken => {
  const property = (sentence.split(' ')[0] ?? '').replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return { property, constraints: { valid: sentence } }
}
