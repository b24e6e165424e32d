import { Type, type Static } from '@sinclair/typebox'
import {
  defaulted,
  described,
  field,
  Instant,
  maybe,
  nullable,
  optional,
  PhoneNumber,
  stringEnum,
  text,
  Timestamp,
  view,
} from './common.ts'

const DAY = 86_400_000
const TEN_YEARS = 3652 * DAY

export const SandboxProvider = field(
  stringEnum('esign', 'ekyc', 'messages'),
  'The providers that the sandbox simulates.',
)
export type SandboxProvider = Static<typeof SandboxProvider>

export const SandboxCall = field(
  stringEnum('any', 'create', 'upload', 'status', 'cancel', 'pdf', 'webhook'),
  'A call to a provider, or its webhook; `any` stands for all to which the behaviour applies.',
)
export type SandboxCall = Static<typeof SandboxCall>

export const SandboxBehavior = field(
  stringEnum(
    'error',
    'timeout',
    'slow',
    'garbage',
    'malformed',
    'lost',
    'link',
    'late',
    'twice',
    'forged',
    'never',
    'succeed',
    'decline',
    'fail-otp',
    'expire',
    'fail',
  ),
  'What a simulated failure does. To a call: `error` (HTTP 500 or `status`), `timeout` (no response until ' +
    'the caller gives up), `slow` (responds after `delay_ms`), `garbage` (neither JSON nor PDF), ' +
    '`malformed` (JSON of another shape), `lost` (takes effect, but the connection ends before the ' +
    'response), `link` (responds with a one-time address instead of the PDF). To a webhook: `late` ' +
    '(after `delay_ms`), `twice`, `forged` (only with a wrong signature), `never`. To a new signature: ' +
    '`succeed`, `decline`, `fail-otp`, `expire`. To a new identity check: `succeed`, `fail`. These ' +
    'happen without a person.',
)
export type SandboxBehavior = Static<typeof SandboxBehavior>

const Times = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'a whole number from 1 to 1000000',
})
const Delay = Type.Integer({ minimum: 0, maximum: 30 * DAY, description: 'milliseconds, at most 30 days' })
const HttpStatus = Type.Integer({ minimum: 400, maximum: 599, description: 'an HTTP status from 400 to 599' })
const RetryAfter = Type.Integer({ minimum: 0, maximum: 3600, description: 'seconds, at most 3600' })

const fields = {
  provider: field(SandboxProvider, 'Whose calls it changes'),
  on: defaulted(SandboxCall, 'any', 'Which of the calls'),
  behaviour: field(SandboxBehavior, 'What it does'),
  times: defaulted(Times, 1, 'How often it applies'),
  delay_ms: optional(Delay, 'Milliseconds, at most 30 days'),
  status: optional(HttpStatus, 'An HTTP status from 400 to 599; 500 without one'),
  retry_after_s: optional(RetryAfter, 'Seconds, at most 3600'),
  match: optional(text(255), 'Limits it to one request, document or phone number'),
}
export const NewSandboxFailure = described('A simulated failure to add.', fields)
export type NewSandboxFailure = Static<typeof NewSandboxFailure>

export const SandboxFailure = described('A simulated failure; `times` counts its remaining uses.', {
  id: field(Type.String(), 'Its id'),
  ...view(fields),
})
export type SandboxFailure = Static<typeof SandboxFailure>

const Advance = Type.Integer({
  minimum: -TEN_YEARS,
  maximum: TEN_YEARS,
  description: 'milliseconds, at most ten years',
})
export const SandboxClockChange = described(
  'Exactly one of the three fields. Moving the clock on delivers late webhooks, expires requests and posts what ' +
    'falls due. Outside of production the whole server goes by it, so that sessions end too.',
  {
    advance_ms: optional(Advance, 'Milliseconds, at most ten years; negative to move it back'),
    at: optional(Instant, 'A timestamp with its zone, such as 2027-01-01T00:00:00Z'),
    reset: optional(Type.Literal(true, { description: 'true' }), "Sets it to the machine's clock"),
  },
)
export type SandboxClockChange = Static<typeof SandboxClockChange>
export const SandboxClock = described('The time of the simulated providers and how far it was moved.', {
  now: field(Timestamp, 'Its time'),
  offset_ms: field(Type.Integer(), "Milliseconds ahead of the machine's clock"),
})
export type SandboxClock = Static<typeof SandboxClock>

export const SandboxEkyc = described('How identity checks end.', {
  mode: field(
    stringEnum('auto', 'manual'),
    'Whether identity checks succeed when they are completed, or wait for a person',
  ),
})
export type SandboxEkyc = Static<typeof SandboxEkyc>

export const SigningOutcome = field(
  stringEnum('sign', 'decline', 'fail-otp', 'expire'),
  'What a signer does on the signing page.',
)
export type SigningOutcome = Static<typeof SigningOutcome>
export const CheckOutcome = field(
  stringEnum('approve', 'fail'),
  'What a person does on the page of the identity check.',
)
export type CheckOutcome = Static<typeof CheckOutcome>
export const SigningOutcomeInput = Type.Object({ outcome: field(SigningOutcome, 'What the person does') })
export const CheckOutcomeInput = Type.Object({ outcome: field(CheckOutcome, 'How the check ends') })

const OpenStatus = stringEnum('pending', 'in_progress', 'signed', 'declined', 'cancelled', 'expired')
export const SandboxSignature = described('One signer of a request; `id` is the last part of `url`.', {
  id: field(Type.String(), 'The last part of `url`'),
  request_id: field(Type.String(), "The provider's id of the signing request"),
  document_id: field(Type.String(), "The signature's UUID"),
  phone: field(Type.String(), "The signer's 10 digits"),
  name: field(Type.String(), "The signer's name"),
  status: field(OpenStatus, 'Whether the person can still sign, or why not'),
  error: field(nullable(Type.String()), "The provider's word for the last failure"),
  url: field(Type.String(), 'The signing page'),
  valid_until: field(Timestamp, 'When the page closes'),
})
export type SandboxSignature = Static<typeof SandboxSignature>
export const SandboxCheck = described('An identity check.', {
  id: field(Type.String(), 'The last part of `url`'),
  status: field(Type.String(), "The provider's word for the state"),
  url: field(Type.String(), 'The page of the check'),
})
export type SandboxCheck = Static<typeof SandboxCheck>

export const SandboxState = described(
  'The simulated failures, and the signatures and identity checks that wait for a person: the newest 50 of each.',
  {
    clock: field(SandboxClock, 'The clock'),
    ekyc: field(SandboxEkyc, 'How identity checks end'),
    failures: field(Type.Array(SandboxFailure), 'The simulated failures'),
    held_webhooks: field(Type.Integer(), 'How many webhooks are late'),
    signatures: field(Type.Array(SandboxSignature), 'Signatures that wait for a person'),
    checks: field(Type.Array(SandboxCheck), 'Identity checks that wait for a person'),
  },
)
export type SandboxState = Static<typeof SandboxState>

export const SandboxMessage = described('A message that the sandbox did not send.', {
  id: field(Type.String(), 'Its id'),
  phone: field(Type.String(), "The 10 digits of the receiver's number"),
  otp: field(nullable(Type.String()), 'Null unless the message carries a one-time password'),
  text: field(Type.String(), 'The whole text'),
  sent_at: field(Timestamp, 'When it was sent'),
})
export type SandboxMessage = Static<typeof SandboxMessage>
export const SandboxMessageQuery = described('Which messages to return.', {
  phone: maybe(PhoneNumber, 'Only those to this number'),
})
export type SandboxMessageQuery = Static<typeof SandboxMessageQuery>
