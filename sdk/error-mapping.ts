import type { ErrorCode, FieldViolation } from '#types'
import {
  ForbiddenError,
  KirayaError,
  NotFoundError,
  PayloadTooLargeError,
  RequestTimeoutError,
  ServerError,
  TooManyRequestsError,
  UnauthorizedError,
  ValidationError,
} from './errors.ts'
import { toSnakeCase } from './field-names.ts'
import { getRequestId } from './hooks.ts'

/** Variant B sends an envelope with `error`, Variant A a bare `message`, a proxy neither. */
type ErrorBody = {
  success?: boolean
  error?: ErrorDescription
  message?: string | string[]
}
type ErrorDescription = { code?: ErrorCode; reason?: string; message?: string; details?: unknown }

/** The class of a status, and its code when the response names none. */
type ErrorKind = [errorClass: typeof KirayaError, code: ErrorCode]

const errorKinds: Record<number, ErrorKind> = {
  401: [UnauthorizedError, 'UNAUTHORIZED'],
  403: [ForbiddenError, 'FORBIDDEN'],
  404: [NotFoundError, 'NOT_FOUND'],
  408: [RequestTimeoutError, 'REQUEST_TIMEOUT'],
  413: [PayloadTooLargeError, 'PAYLOAD_TOO_LARGE'],
  429: [TooManyRequestsError, 'TOO_MANY_REQUESTS'],
}

/** A `status` of 0 stands for none. */
export function toKirayaError(status: number, body: unknown, headers?: Headers): KirayaError {
  const [ErrorClass, defaultCode] = errorKinds[status] ?? toErrorKind(status)
  const { code = defaultCode, reason, message, details } = toErrorDescription(body)
  return new ErrorClass(message ?? `The server responded with status ${status}`, {
    code,
    reason,
    status: status || undefined,
    details,
    requestId: getRequestId(headers),
    retryAfter: Number(headers?.get('retry-after')) || undefined,
  })
}

function toErrorKind(status: number): ErrorKind {
  if (status < 500) return [ValidationError, 'BAD_REQUEST']
  const isUnavailable = status > 501
  return [ServerError, isUnavailable ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR']
}

function toErrorDescription(body: unknown): ErrorDescription {
  const { success, error, message }: ErrorBody = Object(body)
  if (success === false) return error ?? {}
  if (!Array.isArray(message)) return { message, details: parseSignInStatus(message) }
  return { code: 'VALIDATION_ERROR', message: message.join('; '), details: message.map(toViolation) }
}

/** Variant A names the next step of the onboarding inside its message. */
const parseSignInStatus = (message?: string) => message?.match(/(?<status>NEEDS_\w+)/)?.groups

/** Variant A sends one sentence per violation, which begins with the field's name, and names no rule by a word. */
function toViolation(sentence: string): FieldViolation {
  const [field = '', ...words] = sentence.split(' ')
  const property = toSnakeCase(field)
  const label = property.charAt(0).toUpperCase() + property.slice(1).replaceAll('_', ' ')
  return { property, constraints: { valid: words.join(' ') }, rule: 'valid', params: {}, label }
}
