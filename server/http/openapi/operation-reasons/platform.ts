import type { ErrorReason } from '@kiraya/sdk/contract'
import { SIGNING } from './shared'

/** What the operations of webhooks, health probes, operators and the sandbox may answer. */
export const platformReasons: Record<string, ErrorReason[]> = {
  'POST /webhooks/esign': [...SIGNING, 'provider_request_unknown', 'webhook_signature_invalid'],
  'POST /webhooks/ekyc': ['body_not_json', 'provider_unreachable', 'too_many_changes', 'webhook_id_missing'],
  'GET /health/ready': ['migrations_missing', 'server_stopping'],
  'POST /operations/invitations': [
    'account_exists',
    'phone_number_unreachable',
    'provider_unreachable',
    'too_many_invitations',
  ],
  'DELETE /operations/invitations/{id}': ['invitation_not_found'],
  'GET /metrics': ['metrics_incomplete'],
  'POST /operations/webhooks/{id}/replay': [...SIGNING, 'provider_request_unknown', 'webhook_not_found'],
  'POST /sandbox/control/clock': ['sandbox_clock_change_ambiguous', 'sandbox_clock_out_of_range'],
  'POST /sandbox/control/signatures/{id}': ['sandbox_request_closed', 'sandbox_request_not_found'],
  'POST /sandbox/control/checks/{id}': ['sandbox_check_finished', 'sandbox_check_not_found'],
  'POST /sandbox/control/faults': [
    'sandbox_behaviour_unsupported',
    'sandbox_call_unsupported',
    'sandbox_provider_not_simulated',
  ],
  'DELETE /sandbox/control/faults/{id}': ['sandbox_rule_not_found'],
}
