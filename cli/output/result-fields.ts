import type {
  Agreement,
  CancelledSignature,
  DeclinedSignature,
  Message,
  NamedTenant,
  Profile,
  SandboxFault,
  SignInStatus,
  StartKycResponse,
  StartedSigning,
  User,
  WebhookDelivery,
} from '@kiraya/sdk'

// What a change prints, so that a wrong `--json` field is refused before the change is sent.

/** Names every field of a record: one that is missing or unknown does not compile. */
export const listFields =
  <Row>() =>
  <const Names extends readonly (keyof Row)[]>(
    ...names: Exclude<keyof Row, Names[number]> extends never ? Names : never
  ): readonly string[] =>
    names as readonly string[]

export const messageResultFields = listFields<Message>()('message')

const userNames = [
  'id',
  'user_id',
  'phone',
  'first_name',
  'last_name',
  'email',
  'role',
  'has_completed_profile',
  'has_verified_profile',
] as const
export const profileResultFields = listFields<Profile>()(...userNames, 'pan')
export const signInFields = listFields<User & { status: SignInStatus }>()(...userNames, 'status')

export const agreementResultFields = listFields<Agreement>()(
  'id',
  'agreement_id',
  'agreement_number',
  'document_url',
  'property_unit_id',
  'landlord_id',
  'tenant_ids',
  'agreement_start_date',
  'agreement_end_date',
  'tenure_in_months',
  'auto_renew',
  'rent_amount',
  'deposit_amount',
  'rent_due_day',
  'notice_period_days',
  'status',
  'amenities',
  'pets_allowed',
  'non_veg_allowed',
  'smoking_allowed',
  'bachelor_allowed',
  'additional_policies',
  'improvements',
  'signed_date',
  'termination_date',
  'termination_reason',
  'payment_terms',
  'late_fee',
  'billing_cycle',
  'rent_in',
  'rent_rounding',
  'late_fee_kind',
  'late_fee_percent',
  'late_fee_grace_days',
  'late_fee_cap',
  'escalation_percent',
  'escalation_every_months',
  'recurring_charges',
  'signing_order',
  'revises_agreement_id',
  'renews_agreement_id',
  'is_active',
  'created_at',
  'updated_at',
)

export const namedTenantFields = listFields<NamedTenant>()(
  'id',
  'user_id',
  'phone',
  'first_name',
  'last_name',
)
export const startedSigningFields = listFields<StartedSigning>()(
  'signature_id',
  'signing_url',
  'expires_at',
  'status',
)
export const declinedSignatureFields = listFields<DeclinedSignature>()(
  'signature_id',
  'status',
  'decline_reason',
)
export const cancelledSignatureFields = listFields<CancelledSignature>()('signature_id', 'status')
export const startedKycFields = listFields<StartKycResponse>()(
  'message',
  'verification_id',
  'verification_url',
  'status',
)
export const faultResultFields = listFields<SandboxFault>()(
  'id',
  'provider',
  'on',
  'behaviour',
  'times',
  'delay_ms',
  'status',
  'retry_after_s',
  'match',
)
export const webhookResultFields = listFields<WebhookDelivery>()(
  'id',
  'provider',
  'request_id',
  'document_id',
  'payload',
  'outcome',
  'attempts',
  'last_error',
  'created_at',
  'processed_at',
  'next_attempt_at',
)
/** Without a one-time password, what tells that one was sent. */
export const loginResultFields: readonly string[] = [...signInFields, 'message', 'is_existing_user', 'user']
export const propertyImportFields = ['properties', 'units', 'dry_run', 'errors']
export const landlordImportFields = ['landlords', 'invited', 'with_account', 'dry_run', 'errors']
