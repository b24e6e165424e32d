import { expect } from 'bun:test'

const names: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}
const codes: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
}

const REASON = expect.stringMatching(/^[a-z_]+$/)

/** An error in the plain format of Variant A, and nothing beside it. */
export const plain = (status: number, message: unknown = expect.any(String)) => ({
  statusCode: status,
  message,
  error: names[status],
})
/** An error in the envelope of Variant B, and nothing beside it. */
export const enveloped = (status: number, message: unknown = expect.any(String)) => ({
  success: false,
  data: null,
  error: { code: codes[status], reason: REASON, message },
})
const toBroken = (property: string) => ({
  property,
  constraints: expect.any(Object),
  rule: expect.stringMatching(/^[a-z_]+$/),
  params: expect.any(Object),
  label: expect.stringMatching(/^\p{Lu}/u),
})

/** A validation error in the envelope: these properties break a rule. */
export const broken = (...properties: string[]) => ({
  success: false,
  data: null,
  error: {
    code: 'VALIDATION_ERROR',
    reason: REASON,
    message: expect.any(String),
    details: properties.map(toBroken),
  },
})
/** A validation error in the plain format: each line begins with the field's name. */
export const brokenInA = (...properties: string[]) =>
  plain(
    400,
    properties.map(property => expect.stringMatching(new RegExp(`^${property} .*\\w`))),
  )

export const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
export const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)

/** The user as each variant shows it, exactly. */
export const userInA = (phone: string, more: Record<string, unknown> = {}) => ({
  id: expect.any(Number),
  phone,
  firstName: null,
  lastName: null,
  email: null,
  role: 'landlord',
  hasCompletedProfile: false,
  hasVerifiedProfile: false,
  ...more,
})
export const userInB = (phone: string, more: Record<string, unknown> = {}) => ({
  id: expect.any(Number),
  user_id: UUID,
  phone,
  first_name: null,
  last_name: null,
  email: null,
  role: 'landlord',
  has_completed_profile: false,
  has_verified_profile: false,
  ...more,
})
