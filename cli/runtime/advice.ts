import type { KirayaError } from '@kiraya/sdk'

/** What to do about a cause; it takes the place of the advice for the code, and undefined of any. */
const adviceByReason: Partial<Record<NonNullable<KirayaError['reason']>, string | undefined>> = {
  ops_token_required: "KIRAYA_OPS_TOKEN is not the server's OPS_TOKEN: correct it",
  sandbox_token_required: "Set KIRAYA_SANDBOX_TOKEN to the server's SANDBOX_TOKEN",
  page_not_found: 'The server has no OPS_TOKEN, without which it offers no operations: set it there',
  path_not_found: 'Check the address in --url; a server without the sandbox does not have its paths',
  certificate_not_found: 'See who has signed: {command} agreement signatures <agreement>',
  signature_not_found: 'See who has signed: {command} agreement signatures <agreement>',
  signed_document_not_found: 'See who has signed: {command} agreement signatures <agreement>',
  settlement_not_found: 'Propose one: {command} deposit settle <agreement>',
  money_held: 'Pay it back first: {command} deposit settle <agreement>, {command} payment refund <agreement>',
  revision_not_found: 'Find its id with: {command} rent-revision list <agreement>',
  receipt_not_found: 'See its status: {command} payment get <payment>',
  signer_not_found: undefined,
  user_not_found: undefined,
  invitation_not_found: 'Find its number with: {command} ops invitations',
  webhook_not_found: 'Find its number with: {command} ops webhooks',
  sandbox_check_not_found: 'Find it with: {command} sandbox state',
  sandbox_request_not_found: 'Find it with: {command} sandbox state',
  sandbox_rule_not_found: 'Find it with: {command} sandbox state',
}

/** Advice that only the command can give. */
const given = new WeakMap<Error, string>()

/** Gives an error advice of its own. */
export const advise = (error: Error, advice: string) => void given.set(error, advice)

/** Returns the advice for an error; `byCode` is that for its code. */
export function findAdvice(error: KirayaError, byCode?: string): string | undefined {
  const own = given.get(error)
  if (own) return own
  const { reason = '' } = error
  return reason in adviceByReason ? adviceByReason[reason] : byCode
}
