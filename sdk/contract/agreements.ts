import { Type, type Static } from '@sinclair/typebox'
import { billingTermsInput, billingTermsView } from './billing-terms.ts'
import {
  CalendarDate,
  Nullable,
  OptionalNullable,
  PageMetadata,
  PageQuery,
  PositiveId,
  PositiveRupees,
  Rupees,
  SearchText,
  StringEnum,
  StringOf,
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
  rent_amount: PositiveRupees,
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
        'at most 50 letters, digits, spaces, dashes, slashes and dots, and not read as an address or a phone ' +
        'number: no letter follows a dot',
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

export const TerminateInput = Type.Object({
  termination_date: OptionalNullable(CalendarDate),
  reason: OptionalNullable(Text(5000, 'paragraphs')),
})
export type TerminateInput = Static<typeof TerminateInput>

export const DocumentQuery = Type.Object({ signature_id: Type.Optional(Uuid) })
export type DocumentQuery = Static<typeof DocumentQuery>
