import type { TSchema } from '@sinclair/typebox'
import { Errors } from '@sinclair/typebox/errors'
import type { ErrorReason, FieldRule } from '@kiraya/sdk/contract'
import type { InternalRoute } from 'elysia'
import { ApiError, refuseRules, type BrokenRule } from '../../errors'
import { invalidInput } from '../body/violations'
import recorded from './error-samples.json'
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

/** Describes the errors of a route by their statuses, each with its reasons and an example. */
export function describeErrors(route: InternalRoute, { toErrorSchema, toErrorExample }: Form): Json {
  const reasonsByStatus = groupReasons(route)
  const responses = Object.entries(DESCRIPTIONS).flatMap(([key, description]) => {
    const status = Number(key)
    const reasons = reasonsByStatus.get(status)
    if (!reasons) return []
    const response = {
      description: `${description}. Reasons: ${reasons.map(reason => `\`${reason}\``).join(', ')}`,
      ...(HEADERS[status] && { headers: HEADERS[status] }),
      content: toJsonContent(toErrorSchema(reasons), toErrorExample(createExample(route, reasons))),
    }
    return [[key, response]]
  })
  return Object.fromEntries(responses)
}

/** What a reason says, and of which field, of one operation or of all; recorded by `test/server/messages/error-samples.test.ts`. */
type Sample = { sentence: string; property?: string; params?: BrokenRule['params']; details?: unknown }
const samples: Record<string, Sample | undefined> = recorded

/** The error of a field of the route's own, or that of its first reason. */
function createExample({ hooks, method, path }: InternalRoute, reasons: ErrorReason[]) {
  const invalid = reasons.includes('invalid_fields') && (breakField(hooks.body) ?? breakField(hooks.query))
  if (invalid) return invalid
  // What depends on something may not be true of this operation, unless that is recorded.
  const find = (reason: ErrorReason) => samples[`${method} ${path} ${reason}`] ?? samples[reason]
  const isFixed = (reason: ErrorReason) => !!find(reason) && !find(reason)!.params
  const reason = reasons.find(isFixed) ?? reasons.find(find)!
  const { sentence, property, params = {}, details } = find(reason)!
  const words = [sentence, sentence] as const
  if (property === undefined) return new ApiError(reason, words, { details })
  return refuseRules(reason, [{ property, rule: reason as FieldRule, params, words }])
}

/** Leaves out what an input requires, or sends an object for its first field that takes none. */
function breakField(schema: TSchema | undefined) {
  if (!schema) return undefined
  const inputs = [{}, ...Object.keys(schema.properties ?? {}).map(name => ({ [name]: {} }))]
  const broken = inputs.flatMap(input => invalidInput(Errors(schema, [], input)).brokenRules!)
  return broken[0] && refuseRules('invalid_fields', [broken[0]])
}
