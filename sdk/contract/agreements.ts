import { Type, type Static } from '@sinclair/typebox'
import { billingTermsInput, billingTermsView } from './billing-terms.ts'
import {
  CalendarDate,
  OptionalNullable,
  Decimal,
  Nullable,
  StringEnum,
  PageQuery,
  PageMetadata,
  PositiveId,
  SearchText,
  StringOf,
  Rupees,
  Text,
  Texts,
  Timestamp,
  Uuid,
} from './common.ts'

export const AgreementStatus = StringEnum('DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED')
export type AgreementStatus = Static<typeof AgreementStatus>

const requiredFields = {
  property_unit_id: PositiveId,
  document_url: StringOf({
    format: 'web-address',
    maxLength: 2048,
    description: 'an http or https address of at most 2048 characters',
  }),
  agreement_start_date: CalendarDate,
  tenure_in_months: Type.Integer({ minimum: 1, maximum: 600 }),
  rent_amount: Decimal({ exclusiveMinimum: 0, maximum: 9_999_999_999.99 }),
  rent_due_day: Type.Integer({ minimum: 1, maximum: 31 }),
  notice_period_days: Type.Integer({ minimum: 0, maximum: 3650 }),
  tenant_ids: Type.Array(PositiveId, {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'an array of 1 to 100 different user ids',
  }),
}
const optionalFields = {
  agreement_number: OptionalNullable(
    StringOf({
      format: 'agreement-number',
      maxLength: 50,
      description:
        'at most 50 letters, digits, spaces, dashes, slashes and dots, and not read as an address: no letter ' +
        'follows a dot',
    }),
  ),
  deposit_amount: OptionalNullable(Rupees),
  auto_renew: OptionalNullable(Type.Boolean()),
  amenities: OptionalNullable(Texts()),
  pets_allowed: OptionalNullable(Type.Boolean()),
  non_veg_allowed: OptionalNullable(Type.Boolean()),
  smoking_allowed: OptionalNullable(Type.Boolean()),
  bachelor_allowed: OptionalNullable(Type.Boolean()),
  additional_policies: OptionalNullable(Text(5000, 'paragraphs')),
  improvements: OptionalNullable(Text(5000, 'paragraphs')),
  payment_terms: OptionalNullable(Text(5000, 'paragraphs')),
  late_fee: OptionalNullable(Rupees),
  ...billingTermsInput,
  /** User ids of parties in signing order; parties that are not listed may sign at any time. */
  signing_order: OptionalNullable(
    Type.Array(PositiveId, {
      minItems: 1,
      maxItems: 102,
      uniqueItems: true,
      description: 'an array of 1 to 102 different user ids of parties',
    }),
  ),
}

export const NewAgreement = Type.Object({ ...requiredFields, ...optionalFields })
export type NewAgreement = Static<typeof NewAgreement>
export const AgreementChange = Type.Object({
  ...Type.Partial(Type.Object(requiredFields)).properties,
  ...optionalFields,
})
export type AgreementChange = Static<typeof AgreementChange>

/** What the next term changes; it begins on the day after the end, with the rent that the lease would have then. */
export const RenewInput = Type.Omit(AgreementChange, ['property_unit_id', 'agreement_start_date'])
export type RenewInput = Static<typeof RenewInput>

/** Amounts are rupees, dates are YYYY-MM-DD in Asia/Kolkata. */
export const Agreement = Type.Object({
  id: Type.Integer(),
  agreement_id: Type.String(),
  agreement_number: Type.String(),
  document_url: Type.String(),
  property_unit_id: Type.Integer(),
  landlord_id: Type.Integer(),
  tenant_ids: Type.Array(Type.Integer()),
  agreement_start_date: Type.String(),
  agreement_end_date: Type.String(),
  tenure_in_months: Type.Integer(),
  auto_renew: Type.Boolean(),
  rent_amount: Type.Number(),
  deposit_amount: Nullable(Type.Number()),
  rent_due_day: Type.Integer(),
  notice_period_days: Type.Integer(),
  status: AgreementStatus,
  amenities: Nullable(Type.Array(Type.String())),
  pets_allowed: Type.Boolean(),
  non_veg_allowed: Type.Boolean(),
  smoking_allowed: Type.Boolean(),
  bachelor_allowed: Type.Boolean(),
  additional_policies: Nullable(Type.String()),
  improvements: Nullable(Type.String()),
  signed_date: Nullable(Type.String()),
  termination_date: Nullable(Type.String()),
  termination_reason: Nullable(Type.String()),
  payment_terms: Nullable(Type.String()),
  late_fee: Nullable(Type.Number()),
  ...billingTermsView,
  signing_order: Nullable(Type.Array(Type.Integer())),
  /** The UUID of the agreement that this one replaces. */
  revises_agreement_id: Nullable(Type.String()),
  /** The UUID of the agreement whose next term this one is. */
  renews_agreement_id: Nullable(Type.String()),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Agreement = Static<typeof Agreement>
export const AgreementResponse = Type.Object({ message: Type.String(), data: Agreement })

/** A term that breaks a custom of renting, or what the law of some states allows; it is never refused. */
export const WarningCode = StringEnum(
  'deposit_above_custom',
  'late_fee_above_custom',
  'revision_notice_short',
)
export type WarningCode = Static<typeof WarningCode>
export const Warning = Type.Object({ code: WarningCode, message: Type.String() })
export type Warning = Static<typeof Warning>
export const DraftResponse = Type.Object({
  message: Type.String(),
  data: Agreement,
  /** Absent when there are none. */
  warnings: Type.Optional(Type.Array(Warning)),
})

export const AgreementQuery = Type.Object({
  ...PageQuery([
    'id',
    'agreement_number',
    'agreement_start_date',
    'agreement_end_date',
    'rent_amount',
    'status',
    'created_at',
    'updated_at',
  ]),
  q: SearchText,
  status: Type.Optional(AgreementStatus),
  property_unit_id: Type.Optional(PositiveId),
})
export type AgreementQuery = Static<typeof AgreementQuery>
export const AgreementPage = Type.Object({
  message: Type.String(),
  data: Type.Array(Agreement),
  metadata: PageMetadata,
})

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

export const TerminateInput = Type.Object({
  termination_date: OptionalNullable(CalendarDate),
  reason: OptionalNullable(Text(5000, 'paragraphs')),
})
export type TerminateInput = Static<typeof TerminateInput>

export const TimelineEventType = StringEnum(
  'created',
  'changed',
  'deleted',
  'sent',
  'reissued',
  'viewed',
  'signed',
  'declined',
  'expired',
  'cancelled',
  'reminded',
  'activated',
  'document_stored',
  'recorded',
  'renewed',
  'ended',
  'terminated',
  'revised',
  'completed',
  'deposit_proposed',
  'deposit_accepted',
  'deposit_disputed',
  'deposit_settled',
  'rent_proposed',
  'rent_accepted',
  'rent_declined',
  'renewal_drafted',
)
export type TimelineEventType = Static<typeof TimelineEventType>

/**
 * One event of an agreement. An `actor_id` of null is the system. `actor_name` is the actor's own name if the
 * actor is the landlord, the caller or has signed, else the name that the caller gave. `details` holds the `fields` of a change,
 * the `signer_id` and `signature_id` of a signature, the `reason` of a refusal or termination, or the
 * `snapshot_sha256` of what the event fixed: the lease as it was sent, the name of who signed. `hash`
 * covers the event and the previous event's hash.
 */
export const TimelineEvent = Type.Object({
  position: Type.Integer(),
  type: TimelineEventType,
  actor_id: Nullable(Type.Integer()),
  actor_name: Nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
  occurred_at: Timestamp,
  hash: Type.String(),
})
export type TimelineEvent = Static<typeof TimelineEvent>
/** `intact` is false if an event or what it fixed was changed, or an event removed. */
export const Timeline = Type.Object({ events: Type.Array(TimelineEvent), intact: Type.Boolean() })
export type Timeline = Static<typeof Timeline>
export const TimelineResponse = Type.Object({ message: Type.String(), data: Timeline })

export const DocumentQuery = Type.Object({ signature_id: Type.Optional(Uuid) })
export type DocumentQuery = Static<typeof DocumentQuery>
