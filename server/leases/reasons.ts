import type { ErrorReason } from '@kiraya/sdk/contract'

/** Of operations that say what stood before the books. */
export const OPENING: ErrorReason[] = [
  'date_too_far',
  'opening_before_start',
  'opening_of_renewal',
  'opening_owed_and_advance',
  'settled_before_start',
]

/** Of operations that write the terms of a draft. */
export const TERMS: ErrorReason[] = [
  'document_not_https',
  'document_not_public',
  'document_twice',
  'escalation_incomplete',
  'escalation_too_high',
  'landlord_as_tenant',
  'late_fee_incomplete',
  'manager_as_tenant',
  ...OPENING,
  'signing_order_of_others',
  'tenants_not_nameable',
  'unit_not_found',
]

/** Of operations with which the landlord's side changes an agreement. */
export const AGREEMENT_CHANGE: ErrorReason[] = ['wrong_status', 'not_unit_side']

/** Of operations that ask the e-signing provider. */
export const SIGNING: ErrorReason[] = ['provider_unreachable', 'provider_not_configured']
