import { Type, type Static } from '@sinclair/typebox'
import {
  computed,
  described,
  field,
  formattedText,
  identity,
  maybe,
  nullable,
  optional,
  paragraphs,
  reference,
  response,
  stringEnum,
  text,
  Timestamp,
} from './common.ts'
import { warnedResponse } from './agreements.ts'

const coordinate = field(Type.Number({ minimum: 0, maximum: 100_000 }), 'From 0 to 100,000')
export const SignaturePosition = described("Where the signature goes on a page, in the provider's units.", {
  page_number: field(Type.Integer({ minimum: 1, maximum: 10_000 }), 'From 1'),
  x: coordinate,
  y: coordinate,
  width: coordinate,
  height: coordinate,
})
export type SignaturePosition = Static<typeof SignaturePosition>
const TemplateVariables = Type.Record(
  Type.String({ pattern: '^[\\w .-]{1,255}$' }),
  formattedText('printable', { maxLength: 5000 }, 'text of at most 5000 characters'),
  {
    maxProperties: 100,
    additionalProperties: false,
    description: 'at most 100 texts, each under a name of letters, digits, blanks, dots and dashes',
  },
)

export const FlexiOptions = described('Passed to the signing provider for documents made from a template.', {
  template_id: maybe(text(255), "The provider's id of the template"),
  signature_position: maybe(SignaturePosition, 'Where the signature goes'),
  template_variables: maybe(TemplateVariables, 'At most 100 texts of the template, by name'),
})
export type FlexiOptions = Static<typeof FlexiOptions>

export const SignInput = described('Who signs.', {
  signer_id: field(reference('user'), "The party's user number"),
  flexi_options: optional(FlexiOptions, 'For documents made from a template'),
})
export type SignInput = Static<typeof SignInput>

export const SignatureStatus = field(
  stringEnum('pending', 'signed', 'declined', 'expired'),
  "The state of one party's signature.",
)
export type SignatureStatus = Static<typeof SignatureStatus>

const signature_id = field(Type.String(), "The signature's UUID")
const status = field(SignatureStatus, 'The state of the signature')
const decline_reason = field(nullable(Type.String()), 'Why the party declined')

export const StartedSigning = described('Where the party signs, until when.', {
  signature_id,
  signing_url: field(Type.String(), 'The address of the page where the party signs'),
  expires_at: field(Timestamp, 'When the page closes'),
  status,
})
export type StartedSigning = Static<typeof StartedSigning>
export const StartedSigningResponse = warnedResponse(StartedSigning)

const SignerRole = stringEnum('landlord', 'manager', 'tenant')
export const Signature = described(
  'The latest signature of one party; one that is declined may never have been sent.',
  {
    ...identity('signature_id'),
    signer_id: field(Type.Integer(), "The party's user number"),
    signer_role: computed(SignerRole, "The party's part in the agreement"),
    status: computed(SignatureStatus, 'The state of the signature'),
    signed_at: maybe(Timestamp, 'When it was signed, once it is'),
    expires_at: field(Timestamp, 'When the page closes'),
    provider: field(
      Type.String(),
      'Who collected it: `paper` if the landlord recorded it, else the e-signing provider',
    ),
    accepted_at: computed(
      nullable(Timestamp),
      'When the tenant accepted what was recorded; null until then, and of an electronic signature',
    ),
    decline_reason,
  },
)
export type Signature = Static<typeof Signature>

export const Signatures = described('The signatures of an agreement.', {
  signatures: field(Type.Array(Signature), 'The latest signature of each party'),
  allSigned: field(Type.Boolean(), 'True once every required party has signed'),
})
export type Signatures = Static<typeof Signatures>
export const SignaturesResponse = response(Signatures)

export const CancelledSignature = described('A cancelled signature request; the party can be asked again.', {
  signature_id,
  status,
})
export type CancelledSignature = Static<typeof CancelledSignature>
export const CancelledSignatureResponse = response(CancelledSignature)

export const DeclineInput = described('A refusal to sign.', {
  reason: optional(paragraphs(5000), 'Why the party declines; the other parties see it'),
})
export type DeclineInput = Static<typeof DeclineInput>

export const DeclinedSignature = described('The refusal of a party who has not signed.', {
  signature_id,
  status,
  decline_reason,
})
export type DeclinedSignature = Static<typeof DeclinedSignature>
export const DeclinedSignatureResponse = response(DeclinedSignature)
