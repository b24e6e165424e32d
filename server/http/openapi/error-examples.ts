import type { TSchema } from '@sinclair/typebox'
import { Errors } from '@sinclair/typebox/errors'
import { refuse, type Fault } from '../../faults'
import type { AgreementAction } from '../../messages/en'
import { dialects } from '../dialect'
import type { InForms } from './schemas'
import { invalidInput } from '../violations'

type Input = { body?: TSchema; query?: TSchema }

const WAIT = { retryAfterS: 840 }
const needsVerification = { status: 'NEEDS_VERIFICATION' }
const wrongOtp = refuse('wrong_otp')
const notOpen = (to_be: AgreementAction) => refuse('wrong_status', { status: 'COMPLETED', to_be })
const onlyLandlord = (to: 'appoint' | 'delete') => refuse('not_unit_landlord', { to })
const onlyCreator = refuse('not_property_creator')
const tooManyOtps = refuse('too_many_otps', {}, WAIT)
const needsOpsToken = refuse('ops_token_required')
const needsSandboxToken = refuse('sandbox_token_required')

/** What operations say in their own words. */
const FAULTS: Record<string, Fault> = {
  'POST /auth/verify 401': wrongOtp,
  'DELETE /auth/me 401': wrongOtp,
  'POST /auth/login 401': refuse('wrong_login'),
  'GET /dashboard 403': refuse('onboarding_unfinished', needsVerification, { details: needsVerification }),
  'PATCH /properties/{id} 403': onlyCreator,
  'DELETE /properties/{id} 403': onlyCreator,
  'POST /properties/{id}/units 403': refuse('property_uuid_required'),
  'PATCH /properties/{id}/units/{unitId} 403': onlyLandlord('appoint'),
  'DELETE /properties/{id}/units/{unitId} 403': onlyLandlord('delete'),
  'POST /properties/{id}/units/{unitId}/resign 403': refuse('not_unit_manager'),
  'PATCH /agreements/{id} 403': notOpen('changed'),
  'DELETE /agreements/{id} 403': notOpen('deleted'),
  'POST /agreements/{id}/sign 403': notOpen('signed'),
  'POST /agreements/{id}/decline 403': notOpen('declined'),
  'POST /agreements/{id}/revise 403': notOpen('revised'),
  'POST /agreements/{id}/terminate 403': notOpen('terminated'),
  'POST /agreements/{id}/complete 403': notOpen('completed'),
  'POST /webhooks/esign 401': refuse('webhook_signature_invalid'),
  'POST /auth 429': tooManyOtps,
  'POST /auth/send-otp 429': tooManyOtps,
  'POST /auth/login 429': refuse('too_many_failed_logins', {}, WAIT),
  'PUT /profile/complete 429': refuse('too_many_wrong_passwords', {}, WAIT),
  'POST /tenants 429': refuse('too_many_tenants', {}, WAIT),
  'POST /agreements/{id}/charges 429': refuse('too_many_charges', {}, WAIT),
  'POST /agreements/{id}/payments 429': refuse('too_many_payments', {}, WAIT),
  'PATCH /agreements/{id} 429': refuse('too_many_agreement_changes', {}, WAIT),
  'PATCH /payments/{id} 429': refuse('too_many_payments', {}, WAIT),
  'POST /charges/{id}/credits 429': refuse('too_many_charges', {}, WAIT),
  'POST /agreements/{id}/refunds 429': refuse('too_many_payments', {}, WAIT),
  'PUT /payments/{id}/allocations 429': refuse('too_many_payments', {}, WAIT),
  'POST /payments/{id}/bounce 429': refuse('too_many_charges', {}, WAIT),
  'POST /agreements/{id}/deposit/settlement 429': refuse('too_many_proposals', {}, WAIT),
  'POST /agreements/{id}/rent-revisions 429': refuse('too_many_proposals', {}, WAIT),
  'POST /agreements/{id}/sign 429': refuse('too_many_signing_requests', {}, WAIT),
  'POST /operations/invitations 429': refuse('too_many_invitations', {}, WAIT),
  'DELETE /operations/invitations/{id} 404': refuse('invitation_not_found'),
  'POST /webhooks/ekyc 400': refuse('webhook_id_missing'),
}

const byPath = (pattern: RegExp, fault: Fault) => ({ pattern, fault })

/** What groups of operations say. */
const GROUP_FAULTS = [
  byPath(/^GET .* 429$/, refuse('too_many_long_responses', {}, { retryAfterS: 2 })),
  byPath(
    / \/(auth\/logout|profile|properties|tenants|agreements|charges|payments).* 429$/,
    refuse('too_many_changes', {}, { retryAfterS: 2 }),
  ),
  byPath(
    / \/(metrics|operations\/jobs|operations\/webhooks|operations\/invitations) 404$/,
    refuse('page_not_found'),
  ),
  byPath(/ \/(metrics|operations.*) 401$/, needsOpsToken),
  byPath(/ \/sandbox.* 401$/, needsSandboxToken),
  byPath(/ \/operations.* 404$/, refuse('webhook_not_found')),
  byPath(/ \/sandbox\/control\/signatures.* 404$/, refuse('sandbox_request_not_found')),
  byPath(/ \/sandbox\/control\/checks.* 404$/, refuse('sandbox_check_not_found')),
  byPath(/ \/sandbox\/control\/faults.* 404$/, refuse('sandbox_rule_not_found')),
  byPath(/ \/profile.* 404$/, refuse('user_not_found')),
  byPath(/ \/agreements 404$/, refuse('unit_not_found')),
  byPath(/ \/agreements.* 404$/, refuse('agreement_not_found')),
  byPath(/\/units\/.* 404$/, refuse('unit_not_found')),
  byPath(/ \/charges\/.* 404$/, refuse('charge_not_found')),
  byPath(/ \/payments\/.* 404$/, refuse('payment_not_found')),
  byPath(
    /\/(settlement|rent-revisions\/\{revisionId\})\/(accept|decline|dispute) 403$/,
    refuse('not_tenant'),
  ),
  byPath(/ 404$/, refuse('property_not_found')),
]

const COMMON_FAULTS: Record<number, Fault> = {
  401: refuse('sign_in_required'),
  403: refuse('not_unit_side'),
  408: refuse('body_too_slow'),
  413: refuse('body_too_large', { max_bytes: 64 * 1024 }),
  429: refuse('too_many_wrong_otps', {}, WAIT),
  500: refuse('internal_error'),
  503: refuse('database_unreachable'),
}

/** An error as the operation answers it, in both forms. */
export function createErrorExample(operation: string, status: number, input: Input): InForms<unknown> {
  const fault = findFault(operation, status, input)
  return {
    envelope: withoutUndefined(dialects.b.encodeFault(fault, 'en')),
    plain: dialects.a.encodeFault(fault, 'en'),
  }
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
  return refuse('host_invalid')
}

function explain(schema: TSchema, value: unknown, field: string) {
  const errors = Errors(schema, [], value)
  return invalidInput(Iterator.from(errors).filter(({ path }) => path === `/${field}`))
}

const withoutUndefined = (value: object): unknown => JSON.parse(JSON.stringify(value))
