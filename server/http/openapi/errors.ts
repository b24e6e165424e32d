import type { TSchema } from '@sinclair/typebox'
import { getMaxBodyBytes, isLongBody } from '../body-limits'
import { createErrorExample } from './error-examples'
import { getReasons } from './operation-reasons'
import { CHANGES_OF_USER, LONG_RESPONSES } from './operation-reasons/shared'
import { toContent, type Forms, type Json } from './schemas'

/** Errors that do not follow from the shape of an operation. */
export const FURTHER_ERRORS: Record<string, number[]> = {
  'POST /webhooks/esign': [401],
  'POST /auth': [429],
  'POST /auth/send-otp': [429],
  'POST /auth/verify': [401, 429],
  'POST /auth/login': [401, 429],
  'PUT /profile/complete': [404],
  'POST /profile/ekyc': [404],
  'POST /profile/ekyc/complete': [404],
  'GET /dashboard': [403],
  'PATCH /properties/{id}': [403],
  'DELETE /properties/{id}': [403],
  'POST /properties/{id}/units': [403],
  'PATCH /properties/{id}/units/{unitId}': [403],
  'DELETE /properties/{id}/units/{unitId}': [403],
  'POST /properties/{id}/units/{unitId}/resign': [403],
  'POST /agreements': [404],
  'PATCH /agreements/{id}': [403],
  'DELETE /agreements/{id}': [403],
  'POST /agreements/{id}/sign': [403],
  'POST /agreements/{id}/signatures/{signatureId}/cancel': [403],
  'POST /agreements/{id}/decline': [403],
  'POST /agreements/{id}/revise': [403],
  'POST /agreements/{id}/terminate': [403],
  'POST /agreements/{id}/complete': [403],
  'POST /agreements/{id}/charges': [403],
  'POST /agreements/{id}/payments': [403],
  'POST /charges/{id}/credits': [403],
  'POST /agreements/{id}/refunds': [403],
  'PATCH /payments/{id}': [403],
  'POST /payments/{id}/confirm': [403],
  'POST /payments/{id}/reject': [403],
  'POST /payments/{id}/clear': [403],
  'POST /payments/{id}/bounce': [403],
  'POST /payments/{id}/reverse': [403],
  'PUT /payments/{id}/allocations': [403],
  'POST /agreements/{id}/deposit/settlement': [403],
  'POST /agreements/{id}/deposit/settlement/accept': [403],
  'POST /agreements/{id}/deposit/settlement/dispute': [403],
  'POST /agreements/{id}/deposit/settlement/post': [403],
  'POST /agreements/{id}/rent-revisions': [403],
  'POST /agreements/{id}/rent-revisions/{revisionId}/accept': [403],
  'POST /agreements/{id}/rent-revisions/{revisionId}/decline': [403],
  'POST /agreements/{id}/rent-revisions/{revisionId}/withdraw': [403],
  'POST /agreements/{id}/renew': [403],
  'GET /metrics': [404],
  'GET /operations/webhooks': [404],
  'GET /operations/jobs': [404],
  'GET /operations/invitations': [404],
  'POST /operations/invitations': [404, 429],
}

/** The only operation that uses neither the database nor a provider. */
const ALWAYS_AVAILABLE = 'GET /health/live'
const READS_BODY = /^(POST|PUT|PATCH|DELETE) /

const DESCRIPTIONS: Record<number, string> = {
  400: 'The input is not valid',
  401: 'The credentials are missing or wrong',
  403: 'Not allowed',
  404: 'Not found',
  408: 'The body did not arrive in time',
  413: 'The body is too large',
  429: 'Too many requests',
  500: 'Something went wrong on our side',
  503: 'A provider or the database cannot be reached',
}

const retryAfter = {
  'Retry-After': { required: true, description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
}
const HEADERS: Record<number, Json> = { 429: retryAfter, 503: retryAfter }

type Shape = { body?: TSchema; query?: TSchema; isPublic: boolean }

/** Describes the errors of an operation by their statuses. */
export function describeErrors(operation: string, shape: Shape, forms: Forms): Json {
  const schemas = {
    envelope: { $ref: '#/components/schemas/Error' },
    plain: { $ref: '#/components/schemas/ErrorOfVariantA' },
  }
  const responses = getErrorStatuses(operation, shape).map(status => [
    status,
    {
      description: describeStatus(operation, status),
      ...(HEADERS[status] && { headers: HEADERS[status] }),
      content: toContent(forms, schemas, createErrorExample(operation, status, shape)),
    },
  ])
  return Object.fromEntries(responses)
}

function describeStatus(operation: string, status: number) {
  const reasons = getReasons(operation, status)
  if (reasons.length === 0) return DESCRIPTIONS[status]
  return `${DESCRIPTIONS[status]}. Reasons: ${reasons.map(reason => `\`${reason}\``).join(', ')}`
}

function getErrorStatuses(operation: string, { body, isPublic }: Shape) {
  const rules: [applies: boolean, statuses: number[]][] = [
    // Every operation refuses a Host header that does not name one host.
    [true, [400]],
    [!isPublic, [401]],
    [operation.includes('{'), [404]],
    [READS_BODY.test(operation), [408, 413]],
    [body !== undefined && isLongBody(getMaxBodyBytes(body)), [429]],
    [LONG_RESPONSES.test(operation) || CHANGES_OF_USER.test(operation), [429]],
    [true, [500]],
    [operation !== ALWAYS_AVAILABLE, [503]],
  ]
  const derived = rules.flatMap(([applies, statuses]) => (applies ? statuses : []))
  return [...new Set([...derived, ...(FURTHER_ERRORS[operation] ?? [])])]
}
