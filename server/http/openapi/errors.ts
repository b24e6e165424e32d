import type { InternalRoute } from 'elysia'
import { groupReasons } from './reasons'
import type { Form } from './forms'
import { toJsonContent, type Json } from './schemas'

const DESCRIPTIONS: Record<number, string> = {
  400: 'The input is not valid',
  401: 'The credentials are missing or wrong',
  403: 'Not allowed',
  404: 'Not found',
  413: 'The body is too large',
  415: 'The body is compressed',
  429: 'Too many requests',
  500: 'Something went wrong on our side',
  503: 'A provider or the database cannot be reached',
}

const retryAfter = {
  'Retry-After': { required: true, description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
}
const HEADERS: Record<number, Json> = { 429: retryAfter, 503: retryAfter }

/** Describes the errors of a route by their statuses, each with its reasons. */
export function describeErrors(route: InternalRoute, { errorSchema }: Form): Json {
  const reasonsByStatus = groupReasons(route)
  const responses = Object.entries(DESCRIPTIONS).flatMap(([key, description]) => {
    const status = Number(key)
    const reasons = reasonsByStatus.get(status)
    if (!reasons) return []
    const response = {
      description: `${description}. Reasons: ${reasons.map(reason => `\`${reason}\``).join(', ')}`,
      ...(HEADERS[status] && { headers: HEADERS[status] }),
      content: toJsonContent({ $ref: `#/components/schemas/${errorSchema}` }),
    }
    return [[key, response]]
  })
  return Object.fromEntries(responses)
}
