import type { ErrorReason } from '@kiraya/sdk/contract'
import type { Words } from './words'
import { booksInEnglish } from './en-books'
import { depositsInEnglish } from './en-deposits'
import { maintenanceInEnglish } from './en-maintenance'

/** What a status may forbid. */
export type AgreementAction =
  | 'changed'
  | 'charged'
  | 'completed'
  | 'declined'
  | 'deleted'
  | 'renewed'
  | 'revised'
  | 'settled'
  | 'signed'
  | 'terminated'

type Message = string | ((params: never) => string)

/** Its terms are fixed, but a new draft may take its place. */
export const isReplaceable = (status: string, action: AgreementAction) =>
  status === 'PENDING' && (action === 'changed' || action === 'deleted')

const list = (items: readonly (number | string)[]) => items.join(', ')

/** The sentences of the field rules follow the name of a field; all others stand alone. */
export const en = {
  ...booksInEnglish,
  ...depositsInEnglish,
  ...maintenanceInEnglish,

  // Rules of fields: "<field> …"
  document_not_https: 'must be an https address',
  document_not_public: 'must lie at a public host',
  landlord_as_tenant: ({ id }: { id: number }) => `must not have the landlord's id, ${id}`,
  manager_as_tenant: ({ id }: { id: number }) => `must not have the manager's id, ${id}`,
  manager_not_nameable: ({ id, parties }: { id: number; parties: 'any' | 'named' }) =>
    parties === 'any'
      ? `must be the id of an active user; ${id} is not`
      : `must be the id of a user whom you have named by phone number with POST /tenants; ${id} is not`,
  pin_code_unknown: ({ pin_code }: { pin_code: number }) =>
    `is required: the PIN code ${pin_code} is not known`,
  signing_order_of_others: ({ ids }: { ids: number[] }) =>
    `must only have ids of parties of the agreement; remove ${list(ids)}`,
  tenant_as_manager: ({ id, agreement }: { id: number; agreement: string }) =>
    `must not be the id of a tenant: the agreement ${agreement} names ${id}`,
  tenants_not_nameable: ({ ids, parties }: { ids: number[]; parties: 'any' | 'named' }) =>
    parties === 'any'
      ? `must only have ids of active users; remove ${list(ids)}`
      : `must only have ids of users whom you have named by phone number with POST /tenants; remove ${list(ids)}`,
  termination_before_start: ({ start }: { start: string }) =>
    `must not be before the start of the agreement (${start})`,
  termination_in_future: ({ today }: { today: string }) => `must be today (${today}) or earlier`,
  unit_of_other_landlord: 'must be a unit of the same landlord',
  sandbox_behaviour_unsupported: ({ provider, behaviours }: { provider: string; behaviours: string[] }) =>
    `must be, for ${provider}, one of ${list(behaviours)}`,
  sandbox_call_unsupported: (given: { provider: string; behaviour: string; calls: string[] }) =>
    `must be, for ${given.behaviour} at ${given.provider}, one of any, ${list(given.calls)}`,
  sandbox_provider_not_simulated: 'must be one that the sandbox simulates',

  body_not_json: 'The body is not valid JSON',
  body_not_readable: 'The body cannot be read',
  body_too_deep: 'The body is nested too deeply, or has a field named toString',
  content_type_not_json: 'Send the body as JSON (Content-Type: application/json)',
  idempotency_key_invalid: 'Idempotency-Key must be 1 to 255 visible characters of ASCII',
  idempotency_key_reused: 'The Idempotency-Key was used for another request',
  value_not_storable: 'A value cannot be stored',
  webhook_id_missing: 'data.id is required',

  account_exists: 'The phone number has an account already, so it cannot be invited',
  agreements_open: ({ agreements }: { agreements: string[] }) =>
    `Terminate these agreements first: ${list(agreements)}`,
  certificate_not_stored: ({ agreements }: { agreements: string[] }) =>
    `The certificates of these agreements are being stored; try again in a few minutes: ${list(agreements)}`,
  already_signed: ({ who }: { who: 'signer' | 'you' }) =>
    who === 'you' ? 'You have already signed this agreement' : 'The signer has already signed this agreement',
  already_verified: 'Your identity is already verified',
  document_refused: ({ rule: [english] }: { rule: Words }) => `Correct document_url: ${english}`,
  name_is_verified: 'The name cannot be changed once the identity is verified',
  not_your_turn: ({ awaited_id }: { awaited_id: number }) =>
    `It is not this signer's turn: by signing_order ${awaited_id} signs before`,
  password_changed_meanwhile: 'The password was changed meanwhile; send the new one as current_password',
  password_proof_missing: 'Send current_password, or an otp that was just sent, to change the password',
  phone_number_unreachable: 'Our messages cannot reach this phone number: check it, or use another one',
  profile_incomplete: 'Complete your profile first',
  signature_not_open: ({ status }: { status: string }) => `A signature that is ${status} cannot be cancelled`,
  signer_declined: 'The signer has declined; only a party can ask again',
  tenants_declined: ({ ids }: { ids: number[] }) =>
    `Replace the tenants ${list(ids)}: they declined this draft`,
  tenants_erased: ({ ids }: { ids: number[] }) =>
    `Replace the tenants ${list(ids)}: they no longer have an account`,
  unit_overlap: 'The unit has another agreement for some of this time',
  address_in_use: 'Other landlords have units in this building: its address cannot be changed',
  units_in_use: ({ of }: { of: 'property' | 'unit' }) =>
    `The ${of} has agreements that are pending or active; terminate them first`,
  verification_failed: 'The verification failed; start a new one',
  verification_incomplete: 'The verification is not completed yet',
  verification_unknown: 'The verification id is not valid',
  sandbox_check_finished: 'The identity check is finished',
  sandbox_clock_change_ambiguous: 'Exactly one of advance_ms, at and reset is required',
  sandbox_clock_out_of_range: 'The sandbox clock must be within ten years of the server clock',
  sandbox_request_closed: ({ by }: { by: string }) => `The signing request is closed: ${by}`,

  ops_token_required: 'Operations require OPS_TOKEN as the bearer token',
  sandbox_token_required: 'The sandbox requires SANDBOX_TOKEN as the bearer token',
  sign_in_required: 'Sign in first: the token is missing or not valid',
  webhook_signature_invalid: 'The signature of the webhook is not valid',
  wrong_login: 'The phone number or the password is wrong',
  wrong_otp: 'The one-time password is wrong or has expired',
  wrong_password: 'The current password is wrong',

  not_a_party: ({ to }: { to: 'decline' | 'sign' }) =>
    to === 'sign'
      ? 'The signer is not a party of this agreement'
      : 'Only a party of the agreement can decline it',
  not_own_signing: 'A party can only start their own signing',
  not_property_creator: 'Only its creator can change or delete a property',
  not_unit_landlord: ({ to }: { to: 'appoint' | 'delete' }) =>
    to === 'delete'
      ? 'Only the landlord can delete a unit'
      : 'Only the landlord can appoint the manager of a unit',
  not_unit_manager: 'Only the manager of a unit can resign from it',
  not_unit_side: 'Only the landlord or the manager of the unit can do this',
  onboarding_unfinished: ({ status }: { status: string }) => `Finish your onboarding first: ${status}`,
  property_uuid_required: 'Only landlords of this property can add units by its number; use its UUID',
  wrong_status: ({ status, to_be }: { status: string; to_be: AgreementAction }) =>
    `An agreement that is ${status} cannot be ${to_be}${isReplaceable(status, to_be) ? '; revise or terminate it' : ''}`,

  agreement_not_found: 'Agreement not found',
  certificate_not_found: 'Certificate not found',
  invitation_not_found: 'Invitation not found',
  page_not_found: 'Page not found',
  path_not_found: 'Path not found',
  property_not_found: 'Property not found',
  signature_not_found: 'Signature not found',
  signed_document_not_found: 'Signed document not found',
  signer_not_found: 'Signer not found',
  unit_not_found: 'Property unit not found',
  user_not_found: 'User not found',
  webhook_not_found: 'Webhook not found',
  sandbox_check_not_found: 'Identity check not found',
  sandbox_request_not_found: 'Signing request not found',
  sandbox_rule_not_found: 'Fault not found',

  body_too_large: ({ max_bytes }: { max_bytes: number }) =>
    `The body is too large: send at most ${max_bytes} bytes`,

  too_many_changes: 'Too many changes in a day; wait until tomorrow',
  too_many_messages:
    'This person, or all together, got enough requests and reminders today; wait until tomorrow',
  too_many_postings: 'Too much was posted to this lease in a day; wait before posting more',
  too_many_failed_logins: 'Too many failed logins; wait before trying again',
  too_many_invitations: 'Too many invitations were sent; wait before sending more',
  too_many_requests: 'Too many requests at once: send one after another',
  too_many_otps: 'Too many one-time passwords were requested; wait before requesting another',
  too_many_wrong_otps: 'Too many one-time passwords were wrong; wait before trying again',
  too_many_wrong_passwords: 'Too many wrong passwords; wait before trying again',

  internal_error: 'Something went wrong on our side',

  database_unreachable: 'The database cannot be reached',
  documents_busy: 'Too many PDFs are being made',
  documents_in_progress: 'The signed documents are being downloaded',
  export_in_progress: 'An export of yours has not ended: try again when it has',
  erasure_contended: 'Too much is changing at once',
  kyc_given_up: 'The identity check was given up meanwhile',
  kyc_in_progress: 'The identity check is still being prepared',
  metrics_incomplete: 'A process of this instance does not report its metrics',
  migrations_missing: ({ names }: { names: string[] }) => `The database lacks the migration ${list(names)}`,
  passwords_busy: 'Too many passwords are being checked',
  phone_number_busy: 'Another request is using this phone number',
  provider_not_configured: ({ name }: { name: string }) =>
    `The e-signing provider ${name} is not configured; set its settings again`,
  provider_request_unknown: 'The e-signing provider does not know the request',
  provider_unreachable: ({ provider }: { provider: string }) => `The ${provider} provider cannot be reached`,
  server_stopping: 'The server is stopping',
  signing_in_progress: 'The signing is still being prepared',
} satisfies Record<Exclude<ErrorReason, 'invalid_fields'>, Message>
