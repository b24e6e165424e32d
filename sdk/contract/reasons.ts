import type { ErrorCode } from './common.ts'

/**
 * Every cause of an error that the server names in `error.reason`, with the `code` that it has. A reason keeps its
 * meaning; later versions may add others.
 */
export const codeByReason = {
  // The input breaks a rule of its fields.
  invalid_fields: 'VALIDATION_ERROR',
  document_not_https: 'VALIDATION_ERROR',
  document_not_public: 'VALIDATION_ERROR',
  landlord_as_tenant: 'VALIDATION_ERROR',
  manager_as_tenant: 'VALIDATION_ERROR',
  manager_not_nameable: 'VALIDATION_ERROR',
  pin_code_unknown: 'VALIDATION_ERROR',
  signing_order_of_others: 'VALIDATION_ERROR',
  tenant_as_manager: 'VALIDATION_ERROR',
  tenants_not_nameable: 'VALIDATION_ERROR',
  termination_before_start: 'VALIDATION_ERROR',
  termination_in_future: 'VALIDATION_ERROR',
  too_many_open_agreements: 'VALIDATION_ERROR',
  unit_of_other_landlord: 'VALIDATION_ERROR',

  // The request cannot be read.
  body_not_json: 'BAD_REQUEST',
  body_not_readable: 'BAD_REQUEST',
  body_too_deep: 'BAD_REQUEST',
  content_type_not_json: 'BAD_REQUEST',
  host_invalid: 'BAD_REQUEST',
  idempotency_key_invalid: 'BAD_REQUEST',
  idempotency_key_reused: 'BAD_REQUEST',
  value_not_storable: 'BAD_REQUEST',
  webhook_id_missing: 'BAD_REQUEST',

  // A rule of the records does not allow it.
  account_exists: 'BAD_REQUEST',
  agreements_open: 'BAD_REQUEST',
  already_signed: 'BAD_REQUEST',
  already_verified: 'BAD_REQUEST',
  document_refused: 'BAD_REQUEST',
  name_is_verified: 'BAD_REQUEST',
  not_your_turn: 'BAD_REQUEST',
  password_changed_meanwhile: 'BAD_REQUEST',
  password_proof_missing: 'BAD_REQUEST',
  phone_number_unreachable: 'BAD_REQUEST',
  profile_incomplete: 'BAD_REQUEST',
  signature_not_open: 'BAD_REQUEST',
  signer_declined: 'BAD_REQUEST',
  tenants_declined: 'BAD_REQUEST',
  tenants_erased: 'BAD_REQUEST',
  unit_overlap: 'BAD_REQUEST',
  address_changed: 'BAD_REQUEST',
  address_in_use: 'BAD_REQUEST',
  units_in_use: 'BAD_REQUEST',
  verification_failed: 'BAD_REQUEST',
  verification_incomplete: 'BAD_REQUEST',
  verification_provider_changed: 'BAD_REQUEST',
  verification_unknown: 'BAD_REQUEST',

  // The caller has not proved who they are.
  ops_token_required: 'UNAUTHORIZED',
  sign_in_required: 'UNAUTHORIZED',
  webhook_signature_invalid: 'UNAUTHORIZED',
  wrong_login: 'UNAUTHORIZED',
  wrong_otp: 'UNAUTHORIZED',
  wrong_password: 'UNAUTHORIZED',

  // The caller sees the record, and may not do this with it.
  not_a_party: 'FORBIDDEN',
  not_own_signing: 'FORBIDDEN',
  not_property_creator: 'FORBIDDEN',
  not_unit_landlord: 'FORBIDDEN',
  not_unit_manager: 'FORBIDDEN',
  not_unit_side: 'FORBIDDEN',
  onboarding_unfinished: 'FORBIDDEN',
  property_uuid_required: 'FORBIDDEN',
  wrong_status: 'FORBIDDEN',

  // It does not exist, was deleted, or is not visible to the caller.
  agreement_not_found: 'NOT_FOUND',
  certificate_not_found: 'NOT_FOUND',
  invitation_not_found: 'NOT_FOUND',
  page_not_found: 'NOT_FOUND',
  path_not_found: 'NOT_FOUND',
  property_not_found: 'NOT_FOUND',
  signature_not_found: 'NOT_FOUND',
  signed_document_not_found: 'NOT_FOUND',
  signer_not_found: 'NOT_FOUND',
  unit_not_found: 'NOT_FOUND',
  user_not_found: 'NOT_FOUND',
  webhook_not_found: 'NOT_FOUND',

  body_too_slow: 'REQUEST_TIMEOUT',
  body_too_large: 'PAYLOAD_TOO_LARGE',

  too_many_failed_logins: 'TOO_MANY_REQUESTS',
  reminders_used_up: 'TOO_MANY_REQUESTS',
  too_many_invitations: 'TOO_MANY_REQUESTS',
  too_many_long_bodies: 'TOO_MANY_REQUESTS',
  too_many_long_responses: 'TOO_MANY_REQUESTS',
  too_many_otps: 'TOO_MANY_REQUESTS',
  too_many_signing_requests: 'TOO_MANY_REQUESTS',
  too_many_tenants: 'TOO_MANY_REQUESTS',
  too_many_wrong_otps: 'TOO_MANY_REQUESTS',
  too_many_wrong_passwords: 'TOO_MANY_REQUESTS',

  internal_error: 'INTERNAL_SERVER_ERROR',

  // It may succeed later.
  certificate_in_progress: 'SERVICE_UNAVAILABLE',
  database_unreachable: 'SERVICE_UNAVAILABLE',
  documents_in_progress: 'SERVICE_UNAVAILABLE',
  erasure_contended: 'SERVICE_UNAVAILABLE',
  kyc_given_up: 'SERVICE_UNAVAILABLE',
  kyc_in_progress: 'SERVICE_UNAVAILABLE',
  metrics_incomplete: 'SERVICE_UNAVAILABLE',
  migrations_missing: 'SERVICE_UNAVAILABLE',
  passwords_busy: 'SERVICE_UNAVAILABLE',
  phone_number_busy: 'SERVICE_UNAVAILABLE',
  provider_not_configured: 'SERVICE_UNAVAILABLE',
  provider_request_unknown: 'SERVICE_UNAVAILABLE',
  provider_unreachable: 'SERVICE_UNAVAILABLE',
  request_in_progress: 'SERVICE_UNAVAILABLE',
  server_stopping: 'SERVICE_UNAVAILABLE',
  signing_in_progress: 'SERVICE_UNAVAILABLE',
  standby_offline: 'SERVICE_UNAVAILABLE',

  // The sandbox alone.
  sandbox_behaviour_unsupported: 'VALIDATION_ERROR',
  sandbox_call_unsupported: 'VALIDATION_ERROR',
  sandbox_provider_not_simulated: 'VALIDATION_ERROR',
  sandbox_rule_invalid: 'VALIDATION_ERROR',
  sandbox_time_invalid: 'VALIDATION_ERROR',
  sandbox_clock_change_ambiguous: 'BAD_REQUEST',
  sandbox_clock_out_of_range: 'BAD_REQUEST',
  sandbox_check_finished: 'BAD_REQUEST',
  sandbox_request_closed: 'BAD_REQUEST',
  sandbox_token_required: 'UNAUTHORIZED',
  sandbox_check_not_found: 'NOT_FOUND',
  sandbox_request_not_found: 'NOT_FOUND',
  sandbox_rule_not_found: 'NOT_FOUND',
} as const satisfies Record<string, ErrorCode>

/** A stable word for one cause of an error; `code` is its kind. */
export type ErrorReason = keyof typeof codeByReason
