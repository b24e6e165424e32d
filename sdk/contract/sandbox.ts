import { Type, type Static } from '@sinclair/typebox'
import { OptionalNullable, Nullable, StringEnum, PhoneNumber, Text, Timestamp } from './common.ts'

const DAY = 86_400_000
const TEN_YEARS = 3652 * DAY

/** The providers that the sandbox simulates. */
export const SandboxProvider = StringEnum('esign', 'ekyc', 'messages')
export type SandboxProvider = Static<typeof SandboxProvider>

/** The calls to a provider and its webhooks; `any` stands for all to which the behaviour applies. */
export const SandboxCall = StringEnum('any', 'create', 'upload', 'status', 'cancel', 'pdf', 'webhook')
export type SandboxCall = Static<typeof SandboxCall>

/**
 * What a fault rule does.
 *
 * - To a call: `error` (HTTP 500 or `status`), `timeout` (no response until the caller gives up), `slow`
 *   (responds after `delay_ms`), `garbage` (neither JSON nor PDF), `malformed` (JSON of another shape),
 *   `lost` (takes effect, but the connection ends before the response), `link` (responds with a one-time
 *   address instead of the PDF).
 * - To a webhook: `late` (after `delay_ms`), `twice`, `shuffled` (after the next one), `forged` (only with a
 *   wrong signature), `never`.
 * - To a new signature: `succeed`, `decline`, `fail-otp`, `expire`. To a new identity check: `succeed`,
 *   `fail`. These happen without a person.
 */
export const SandboxBehavior = StringEnum(
  'error',
  'timeout',
  'slow',
  'garbage',
  'malformed',
  'lost',
  'link',
  'late',
  'twice',
  'shuffled',
  'forged',
  'never',
  'succeed',
  'decline',
  'fail-otp',
  'expire',
  'fail',
)
export type SandboxBehavior = Static<typeof SandboxBehavior>

/**
 * Defaults: `on` any, `times` 1, `status` 500. `match` limits the rule to one request, document or phone
 * number.
 */
export const NewSandboxFault = Type.Object({
  provider: SandboxProvider,
  on: OptionalNullable(SandboxCall),
  behaviour: SandboxBehavior,
  times: OptionalNullable(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'a whole number from 1 to 1000000' }),
  ),
  delay_ms: OptionalNullable(
    Type.Integer({ minimum: 0, maximum: 30 * DAY, description: 'milliseconds, at most 30 days' }),
  ),
  status: OptionalNullable(
    Type.Integer({ minimum: 400, maximum: 599, description: 'an HTTP status from 400 to 599' }),
  ),
  retry_after_s: OptionalNullable(
    Type.Integer({ minimum: 0, maximum: 3600, description: 'seconds, at most 3600' }),
  ),
  match: OptionalNullable(Text(255)),
})
export type NewSandboxFault = Static<typeof NewSandboxFault>

/** `times` counts the remaining uses. */
export const SandboxFault = Type.Object({
  id: Type.String(),
  provider: SandboxProvider,
  on: SandboxCall,
  behaviour: SandboxBehavior,
  times: Type.Integer(),
  delay_ms: Nullable(Type.Integer()),
  status: Nullable(Type.Integer()),
  retry_after_s: Nullable(Type.Integer()),
  match: Nullable(Type.String()),
})
export type SandboxFault = Static<typeof SandboxFault>

/**
 * Exactly one of the three fields. Moving the clock on delivers late webhooks, expires requests and posts what falls
 * due. Outside of production the whole server goes by it, so that sessions end too.
 */
export const SandboxClockChange = Type.Object({
  advance_ms: OptionalNullable(
    Type.Integer({ minimum: -TEN_YEARS, maximum: TEN_YEARS, description: 'milliseconds, at most ten years' }),
  ),
  at: OptionalNullable(
    Type.String({
      format: 'instant',
      description: 'a timestamp with its zone, such as 2027-01-01T00:00:00Z',
    }),
  ),
  reset: OptionalNullable(Type.Literal(true, { description: 'true' })),
})
export type SandboxClockChange = Static<typeof SandboxClockChange>
export const SandboxClock = Type.Object({ now: Timestamp, offset_ms: Type.Integer() })
export type SandboxClock = Static<typeof SandboxClock>

export const SigningOutcome = StringEnum('sign', 'decline', 'fail-otp', 'expire')
export type SigningOutcome = Static<typeof SigningOutcome>
export const CheckOutcome = StringEnum('approve', 'fail')
export type CheckOutcome = Static<typeof CheckOutcome>
export const SigningOutcomeInput = Type.Object({ outcome: SigningOutcome })
export const CheckOutcomeInput = Type.Object({ outcome: CheckOutcome })

/** One signer of a request; `id` is the last part of `url`. */
export const SandboxSignature = Type.Object({
  id: Type.String(),
  request_id: Type.String(),
  document_id: Type.String(),
  phone: Type.String(),
  name: Type.String(),
  status: StringEnum('pending', 'in_progress', 'signed', 'declined', 'cancelled', 'expired'),
  error: Nullable(Type.String()),
  url: Type.String(),
  valid_until: Timestamp,
})
export type SandboxSignature = Static<typeof SandboxSignature>
export const SandboxCheck = Type.Object({ id: Type.String(), status: Type.String(), url: Type.String() })
export type SandboxCheck = Static<typeof SandboxCheck>

/** The fault rules, and the signatures and identity checks that wait for a person: the newest 50 of each. */
export const SandboxState = Type.Object({
  clock: SandboxClock,
  faults: Type.Array(SandboxFault),
  held_webhooks: Type.Integer(),
  signatures: Type.Array(SandboxSignature),
  checks: Type.Array(SandboxCheck),
})
export type SandboxState = Static<typeof SandboxState>

/** `otp` is null unless the message carries a one-time password. */
export const SandboxMessage = Type.Object({
  id: Type.String(),
  phone: Type.String(),
  otp: Nullable(Type.String()),
  text: Type.String(),
  sent_at: Timestamp,
})
export type SandboxMessage = Static<typeof SandboxMessage>
export const SandboxMessageQuery = Type.Object({ phone: Type.Optional(PhoneNumber) })
export type SandboxMessageQuery = Static<typeof SandboxMessageQuery>
