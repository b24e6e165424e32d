import {
  ForbiddenError,
  KirayaError,
  NotFoundError,
  ServerError,
  TooManyRequestsError,
  UnauthorizedError,
  ValidationError,
} from './errors'
import type { FieldViolation, ErrorCode } from './contract'

/** The class of each status, and the code of an answer that names none, as Variant A's and those of what stands before the server. */
const errorClasses: Record<number, [typeof KirayaError, ErrorCode]> = {
  401: [UnauthorizedError, 'UNAUTHORIZED'],
  403: [ForbiddenError, 'FORBIDDEN'],
  404: [NotFoundError, 'NOT_FOUND'],
  429: [TooManyRequestsError, 'TOO_MANY_REQUESTS'],
}

/** The error that an answer tells of, in the envelope or in Variant A's plain form. */
export function toKirayaError(status: number, body: unknown, headers?: Headers): KirayaError {
  const {
    success,
    error,
    message,
  }: {
    success?: boolean
    error?: { code: ErrorCode; message: string; details?: unknown }
    message?: string | string[]
  } = Object(body)
  const [Kind, code] =
    errorClasses[status] ??
    (status < 500
      ? [ValidationError, 'BAD_REQUEST']
      : [ServerError, status > 501 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR'])
  const told = success === false ? error : toPlainError(message)
  return new Kind(told?.message ?? `The server answered ${status}`, {
    code,
    ...told,
    status,
    requestId: headers?.get('x-request-id') ?? undefined,
    retryAfter: Number(headers?.get('retry-after')) || undefined,
  })
}

/** Variant A lists a sentence a broken rule, and tells the next step of the onboarding within its message. */
const toPlainError = (message?: string | string[]) =>
  Array.isArray(message)
    ? { code: 'VALIDATION_ERROR' as const, message: message.join('; '), details: message.map(toViolation) }
    : { message, details: message?.match(/(?<status>NEEDS_\w+)/)?.groups }

/** Its sentences begin with the field that they are about. */
const toViolation = (sentence: string): FieldViolation => ({
  property: toSnakeCase(sentence.split(' ')[0]!),
  constraints: { valid: sentence },
})

export const toCamelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
export const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
/** The same JSON with every field's name in another case. */
export const renameKeys = (value: unknown, rename: (name: string) => string): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    inner instanceof Object && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).map(([name, field]) => [rename(name), field]))
      : inner,
  )
