import type { KirayaError } from '@kiraya/sdk'
import { say, type PlainKey, type Text } from './messages'

/** What to do about a cause; it takes the place of the advice for the code, and undefined of any. */
const adviceByReason: Partial<Record<NonNullable<KirayaError['reason']>, PlainKey | undefined>> = {
  ops_token_required: 'advice_ops_token',
  sandbox_token_required: 'advice_sandbox_token',
  page_not_found: 'advice_no_ops_token',
  path_not_found: 'advice_path',
  certificate_not_found: 'advice_signatures',
  signature_not_found: 'advice_signatures',
  signed_document_not_found: 'advice_signatures',
  settlement_not_found: 'advice_settlement',
  money_held: 'advice_money_held',
  revision_not_found: 'advice_revisions',
  receipt_not_found: 'advice_receipt',
  signer_not_found: undefined,
  user_not_found: undefined,
  invitation_not_found: 'advice_invitations',
  webhook_not_found: 'advice_webhooks',
  sandbox_check_not_found: 'advice_sandbox_state',
  sandbox_request_not_found: 'advice_sandbox_state',
  sandbox_rule_not_found: 'advice_sandbox_state',
}

/** Advice that only the command can give. */
const given = new WeakMap<Error, Text>()

/** Gives an error advice of its own. */
export const advise = (error: Error, advice: Text) => void given.set(error, advice)

/** Returns the advice for an error; `byCode` is that for its code. */
export function findAdvice(error: KirayaError, byCode?: PlainKey): Text | undefined {
  const own = given.get(error)
  if (own) return own
  const { reason = '' } = error
  const key = reason in adviceByReason ? adviceByReason[reason] : byCode
  return key && say(key)
}
