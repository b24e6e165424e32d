import type { ErrorReason } from '@kiraya/sdk/contract'

/** Operations whose response may be long: they wait for their user's turn. */
export const LONG_RESPONSES = new RegExp(
  [
    /^GET \/(properties(\/\{id\}(\/units)?)?|agreements|tenants|charges|payments|dashboard|auth\/me\/export)$/,
    /^GET \/(agreements\/\{id\}\/(certificate|deposit\/settlement\/pdf|rent-revisions|rent-proof|schedule|statement(\/pdf)?|tds|timeline)|payments\/\{id\}\/receipt)$/,
    /^GET \/books\//,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** Operations whose changes wait for the turn of their user, or of the site that signs in. */
export const CHANGES_OF_USER =
  /^(POST|PUT|PATCH|DELETE) \/(auth|profile|properties|tenants|agreements|charges|payments)/

const IDEMPOTENCY: ErrorReason[] = [
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'request_in_progress',
]

/** The reasons of all operations, named `METHOD /path/{id}`, that match a pattern. */
export const SHARED_REASONS: [operations: RegExp, reasons: ErrorReason[]][] = [
  [/./, ['host_invalid', 'invalid_fields', 'value_not_storable', 'internal_error']],
  [/ \/(?!health\/live)/, ['database_unreachable']],
  [/^(POST|PUT|PATCH|DELETE) /, ['body_too_slow', 'body_too_large', 'standby_offline']],
  [
    /^(POST|PATCH) \/(properties|agreements)(\/\{id\})?(\/units(\/\{unitId\})?|\/sign|\/revise)?$/,
    ['too_many_long_bodies'],
  ],
  [LONG_RESPONSES, ['too_many_long_responses']],
  [CHANGES_OF_USER, ['too_many_changes']],
  [
    /^(POST|PUT|PATCH|DELETE) \/(?!webhooks\/)/,
    ['content_type_not_json', 'body_not_json', 'body_not_readable', 'body_too_deep'],
  ],
  [
    / \/(?!auth$|auth\/(verify|send-otp|login)$|health|webhooks|metrics|operations|sandbox)/,
    ['sign_in_required'],
  ],
  [/^POST .*\/(properties|units|tenants|agreements|sign|revise|ekyc|charges|credits|refunds)$/, IDEMPOTENCY],
  [/^POST .*\/payments(\/\{id\}\/\w+)?$/, IDEMPOTENCY],
  [
    /^POST \/(agreements|properties)\/.*\/(settlement|accept|decline|dispute|post|renew|rent-revisions|terminate|complete|cancel|resign|withdraw)$/,
    IDEMPOTENCY,
  ],
  [/ \/properties\/\{id\}/, ['property_not_found']],
  [/\{unitId\}/, ['unit_not_found']],
  [/ \/agreements\/\{id\}/, ['agreement_not_found']],
  [/ \/charges\/\{id\}/, ['charge_not_found']],
  [/ \/payments\/\{id\}/, ['payment_not_found']],
  [/ \/profile\//, ['user_not_found']],
  [/ \/(metrics|operations\/)/, ['page_not_found', 'ops_token_required']],
  [/ \/sandbox\//, ['sandbox_token_required']],
]

/** Of operations that ask the e-signing provider. */
export const SIGNING: ErrorReason[] = ['provider_unreachable', 'provider_not_configured']

/** Of operations with which the landlord's side changes an agreement. */
export const AGREEMENT_CHANGE: ErrorReason[] = ['wrong_status', 'not_unit_side']
