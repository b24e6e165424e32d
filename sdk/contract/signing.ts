import { Type, type Static } from '@sinclair/typebox'
import { Nullable, OptionalNullable, PositiveId, StringEnum, StringOf, Text, Timestamp } from './common.ts'

const coordinate = Type.Number({ minimum: 0, maximum: 100_000 })

/** Passed to the signing provider for documents made from a template. */
export const FlexiOptions = Type.Object({
  template_id: Type.Optional(Text(255)),
  signature_position: Type.Optional(
    Type.Object({
      page_number: Type.Integer({ minimum: 1, maximum: 10_000 }),
      x: coordinate,
      y: coordinate,
      width: coordinate,
      height: coordinate,
    }),
  ),
  template_variables: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^[\\w .-]{1,255}$' }),
      StringOf({ format: 'printable', maxLength: 5000, description: 'text of at most 5000 characters' }),
      {
        maxProperties: 100,
        additionalProperties: false,
        description: 'at most 100 texts, each under a name of letters, digits, blanks, dots and dashes',
      },
    ),
  ),
})
export type FlexiOptions = Static<typeof FlexiOptions>

export const SignInput = Type.Object({ signer_id: PositiveId, flexi_options: OptionalNullable(FlexiOptions) })
export type SignInput = Static<typeof SignInput>

export const SignatureStatus = StringEnum('pending', 'signed', 'declined', 'expired')
export type SignatureStatus = Static<typeof SignatureStatus>

export const StartedSigning = Type.Object({
  signature_id: Type.String(),
  signing_url: Type.String(),
  expires_at: Timestamp,
  status: SignatureStatus,
})
export type StartedSigning = Static<typeof StartedSigning>
export const StartedSigningResponse = Type.Object({ message: Type.String(), data: StartedSigning })

/** The latest signature of one party; one that is declined may never have been sent. */
export const Signature = Type.Object({
  id: Type.Integer(),
  signature_id: Type.String(),
  signer_id: Type.Integer(),
  signer_role: StringEnum('landlord', 'manager', 'tenant'),
  status: SignatureStatus,
  signed_at: Type.Optional(Timestamp),
  expires_at: Timestamp,
  decline_reason: Nullable(Type.String()),
})
export type Signature = Static<typeof Signature>

export const Signatures = Type.Object({ signatures: Type.Array(Signature), allSigned: Type.Boolean() })
export type Signatures = Static<typeof Signatures>
export const SignaturesResponse = Type.Object({ message: Type.String(), data: Signatures })

/** A cancelled signature request; the party can be asked again. */
export const CancelledSignature = Type.Object({ signature_id: Type.String(), status: SignatureStatus })
export type CancelledSignature = Static<typeof CancelledSignature>
export const CancelledSignatureResponse = Type.Object({ message: Type.String(), data: CancelledSignature })

export const DeclineInput = Type.Object({ reason: OptionalNullable(Text(5000, 'paragraphs')) })
export type DeclineInput = Static<typeof DeclineInput>

/** The refusal of a party who has not signed. */
export const DeclinedSignature = Type.Object({
  signature_id: Type.String(),
  status: SignatureStatus,
  decline_reason: Nullable(Type.String()),
})
export type DeclinedSignature = Static<typeof DeclinedSignature>
export const DeclinedSignatureResponse = Type.Object({ message: Type.String(), data: DeclinedSignature })
