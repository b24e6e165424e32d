import type { ErrorReason } from '@kiraya/sdk/contract'
import { AGREEMENT_CHANGE, SIGNING } from './shared'

const TERMS: ErrorReason[] = [
  'document_not_https',
  'document_not_public',
  'escalation_incomplete',
  'escalation_too_high',
  'landlord_as_tenant',
  'late_fee_incomplete',
  'manager_as_tenant',
  'signing_order_of_others',
  'tenants_not_nameable',
  'too_many_open_agreements',
  'unit_not_found',
]

/** What the operations of properties, units, tenants and agreements may answer. */
export const leaseReasons: Record<string, ErrorReason[]> = {
  'POST /properties': ['manager_not_nameable', 'pin_code_unknown'],
  'PATCH /properties/{id}': ['address_in_use', 'not_property_creator', 'pin_code_unknown'],
  'DELETE /properties/{id}': ['not_property_creator', 'units_in_use'],
  'POST /properties/{id}/units': ['manager_not_nameable', 'property_uuid_required'],
  'PATCH /properties/{id}/units/{unitId}': ['manager_not_nameable', 'not_unit_landlord', 'tenant_as_manager'],
  'DELETE /properties/{id}/units/{unitId}': ['not_unit_landlord', 'units_in_use'],
  'POST /properties/{id}/units/{unitId}/resign': ['not_unit_manager'],
  'POST /tenants': ['phone_number_busy', 'too_many_tenants'],
  'POST /agreements': TERMS,
  'PATCH /agreements/{id}': [
    ...AGREEMENT_CHANGE,
    ...TERMS,
    'too_many_agreement_changes',
    'unit_of_other_landlord',
  ],
  'DELETE /agreements/{id}': AGREEMENT_CHANGE,
  'POST /agreements/{id}/revise': [...AGREEMENT_CHANGE, ...TERMS, 'unit_of_other_landlord'],
  'POST /agreements/{id}/terminate': [
    ...AGREEMENT_CHANGE,
    'termination_before_start',
    'termination_in_future',
  ],
  'POST /agreements/{id}/complete': [...AGREEMENT_CHANGE, 'money_held', 'payments_undecided'],
  'POST /agreements/{id}/sign': [
    ...SIGNING,
    'address_changed',
    'already_signed',
    'document_refused',
    'not_a_party',
    'not_own_signing',
    'not_your_turn',
    'signer_not_found',
    'signing_in_progress',
    'tenants_declined',
    'tenants_erased',
    'too_many_signing_requests',
    'unit_overlap',
    'wrong_status',
  ],
  'POST /agreements/{id}/decline': ['already_signed', 'not_a_party', 'wrong_status'],
  'POST /agreements/{id}/signatures/{signatureId}/cancel': [
    ...SIGNING,
    'not_unit_side',
    'signature_not_found',
    'signature_not_open',
  ],
  'GET /agreements/{id}/document': [...SIGNING, 'documents_in_progress', 'signed_document_not_found'],
  'GET /agreements/{id}/certificate': [
    ...SIGNING,
    'certificate_in_progress',
    'certificate_not_found',
    'documents_in_progress',
  ],
  'POST /agreements/{id}/renew': [...AGREEMENT_CHANGE, ...TERMS, 'already_renewed', 'unit_of_other_landlord'],
}
