import type { TSchema } from '@sinclair/typebox'
import { Errors } from '@sinclair/typebox/errors'
import {
  badRequest,
  bodyTooLarge,
  Fault,
  forbidden,
  notFound,
  requestTimeout,
  tooManyRequests,
  unauthorized,
  unavailable,
} from '../faults'
import { dialects } from './dialect'
import type { InForms } from './openapi-schemas'
import { invalidInput } from './violations'

type Input = { body?: TSchema; query?: TSchema }

const wrongOtp = unauthorized('The one-time password is wrong or has expired')
const notOpen = (done: string) => forbidden(`An agreement that is COMPLETED cannot be ${done}`)
const onlyLandlord = (action: string) => forbidden(`Only the landlord can ${action}`)
const onlyCreator = forbidden('Only its creator can change or delete a property')
const tooManyOtps = tooManyRequests(
  'Too many one-time passwords were requested; wait before requesting another',
  840,
)
const needsOpsToken = unauthorized('Operations require OPS_TOKEN as the bearer token')
const needsSandboxToken = unauthorized('The sandbox requires SANDBOX_TOKEN as the bearer token')

/** What operations say in their own words. */
const FAULTS: Record<string, Fault> = {
  'POST /auth/verify 401': wrongOtp,
  'DELETE /auth/me 401': wrongOtp,
  'POST /auth/login 401': unauthorized('The phone number or the password is wrong'),
  'GET /dashboard 403': forbidden('Finish your onboarding first: NEEDS_VERIFICATION', {
    status: 'NEEDS_VERIFICATION',
  }),
  'PATCH /properties/{id} 403': onlyCreator,
  'DELETE /properties/{id} 403': onlyCreator,
  'POST /properties/{id}/units 403': forbidden(
    'Only landlords of this property can add units by its number; use its UUID',
  ),
  'PATCH /properties/{id}/units/{unitId} 403': onlyLandlord('appoint the manager of a unit'),
  'DELETE /properties/{id}/units/{unitId} 403': onlyLandlord('delete a unit'),
  'POST /properties/{id}/units/{unitId}/resign 403': forbidden(
    'Only the manager of a unit can resign from it',
  ),
  'PATCH /agreements/{id} 403': notOpen('changed'),
  'DELETE /agreements/{id} 403': notOpen('deleted'),
  'POST /agreements/{id}/sign 403': notOpen('signed'),
  'POST /agreements/{id}/decline 403': notOpen('declined'),
  'POST /agreements/{id}/revise 403': notOpen('revised'),
  'POST /agreements/{id}/terminate 403': notOpen('terminated'),
  'POST /agreements/{id}/complete 403': notOpen('completed'),
  'POST /webhooks/esign 401': unauthorized('The signature of the webhook is not valid'),
  'POST /auth 429': tooManyOtps,
  'POST /auth/send-otp 429': tooManyOtps,
  'POST /auth/login 429': tooManyRequests('Too many failed logins; wait before trying again', 840),
  'PUT /profile/complete 429': tooManyRequests('Too many wrong passwords; wait before trying again', 840),
  'POST /tenants 429': tooManyRequests('Too many tenants were named; wait before naming more', 3600),
  'POST /webhooks/ekyc 400': badRequest('data.id is required'),
}

const byPath = (pattern: RegExp, fault: Fault) => ({ pattern, fault })

/** What groups of operations say. */
const GROUP_FAULTS = [
  byPath(/ \/(metrics|operations\/jobs|operations\/webhooks) 404$/, notFound('Page')),
  byPath(/ \/(metrics|operations.*) 401$/, needsOpsToken),
  byPath(/ \/sandbox.* 401$/, needsSandboxToken),
  byPath(/ \/operations.* 404$/, notFound('Webhook')),
  byPath(/ \/sandbox\/control\/signatures.* 404$/, notFound('Signing request')),
  byPath(/ \/sandbox\/control\/checks.* 404$/, notFound('Identity check')),
  byPath(/ \/sandbox\/control\/faults.* 404$/, notFound('Fault rule')),
  byPath(/ \/profile.* 404$/, notFound('User')),
  byPath(/ \/agreements 404$/, notFound('Property unit')),
  byPath(/ \/agreements.* 404$/, notFound('Agreement')),
  byPath(/\/units\/.* 404$/, notFound('Property unit')),
  byPath(/ 404$/, notFound('Property')),
]

const COMMON_FAULTS: Record<number, Fault> = {
  401: unauthorized(),
  403: forbidden('Only the landlord or the manager of the unit can do this'),
  408: requestTimeout(),
  413: bodyTooLarge(64 * 1024),
  429: tooManyRequests('Too many one-time passwords were wrong; wait before trying again', 840),
  500: new Fault('INTERNAL_SERVER_ERROR', 'Something went wrong on our side'),
  503: unavailable('The database cannot be reached'),
}

/** An error as the operation answers it, in both forms. */
export function createErrorExample(operation: string, status: number, input: Input): InForms<unknown> {
  const fault = findFault(operation, status, input)
  return { envelope: withoutUndefined(dialects.b.encodeFault(fault)), plain: dialects.a.encodeFault(fault) }
}

function findFault(operation: string, status: number, input: Input): Fault {
  const known = FAULTS[`${operation} ${status}`]
  const group = GROUP_FAULTS.find(({ pattern }) => pattern.test(`${operation} ${status}`))
  const common = status === 400 ? createInputFault(input) : COMMON_FAULTS[status]
  const fault = known ?? group?.fault ?? common
  if (!fault) throw new Error(`No example of ${operation} ${status}`)
  return fault
}

/** What a body without its first field is told, or a query with a wrong value. */
function createInputFault({ body, query }: Input): Fault {
  const [required] = (body?.required ?? query?.required ?? []) as string[]
  const schema = body ?? query
  if (schema && required) return explain(schema, {}, required)
  const [optional] = Object.keys(schema?.properties ?? {})
  if (schema && optional) return explain(schema, { [optional]: {} }, optional)
  return badRequest('The Host header does not name one host')
}

function explain(schema: TSchema, value: unknown, field: string) {
  const errors = Errors(schema, [], value)
  return invalidInput(Iterator.from(errors).filter(({ path }) => path === `/${field}`))
}

const withoutUndefined = (value: object): unknown => JSON.parse(JSON.stringify(value))
