import type { KirayaError } from '@kiraya/sdk'
import { FAILURE, INVALID, NOT_FOUND, NOT_SIGNED_IN, REFUSED, UNREACHABLE } from './errors'

type Outcome = { exitCode: number; advice?: string }

/** What an error of the API ends with; `{command}` stands for how the command was called. */
export const outcomes: Record<KirayaError['code'], Outcome> = {
  UNAUTHORIZED: { exitCode: NOT_SIGNED_IN, advice: 'Sign in: {command} login --phone <number>' },
  NOT_FOUND: { exitCode: NOT_FOUND, advice: 'Find the id with the list command' },
  VALIDATION_ERROR: { exitCode: INVALID, advice: 'Correct the input and try again' },
  BAD_REQUEST: { exitCode: INVALID },
  PAYLOAD_TOO_LARGE: {
    exitCode: INVALID,
    advice: 'Shorten the texts, or send fewer of them at once, or a smaller file',
  },
  UNSUPPORTED_MEDIA_TYPE: { exitCode: INVALID },
  FORBIDDEN: { exitCode: REFUSED },
  NETWORK_ERROR: {
    exitCode: UNREACHABLE,
    advice: 'Is the server running? Set its address with --url or KIRAYA_URL',
  },
  TIMEOUT: {
    exitCode: UNREACHABLE,
    advice: 'Try again, or check the address in --url or KIRAYA_URL',
  },
  REQUEST_TIMEOUT: { exitCode: UNREACHABLE, advice: 'Try again: the connection is too slow' },
  SERVICE_UNAVAILABLE: { exitCode: UNREACHABLE, advice: 'Try again later' },
  TOO_MANY_REQUESTS: { exitCode: FAILURE },
  ABORTED: { exitCode: FAILURE },
  TOKEN_STORE_FAILED: { exitCode: FAILURE },
  INTERNAL_SERVER_ERROR: { exitCode: FAILURE, advice: 'Report the request id to the operator' },
}

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
  payment_refunded:
    'Find the refund with: {command} payment refunds <agreement>, and take it back: {command} payment reverse-refund <refund>',
  refund_not_found: 'Find its id with: {command} payment refunds <agreement>',
  revision_not_found: 'Find its id with: {command} rent-revision list <agreement>',
  attachment_not_found: 'Find its UUID with: {command} maintenance get <request>',
  receipt_not_found: 'See its status: {command} payment get <payment>',
  signer_not_found: undefined,
  user_not_found: undefined,
  invitation_not_found: 'Find its number with: {command} ops invitations',
  webhook_not_found: 'Find its number with: {command} ops webhooks',
  sandbox_check_not_found: 'Find it with: {command} sandbox state',
  sandbox_request_not_found: 'Find it with: {command} sandbox state',
  sandbox_failure_not_found: 'Find it with: {command} sandbox state',
}

/** Advice that only the command can give. */
const given = new WeakMap<Error, string>()

export const advise = (error: Error, advice: string) => void given.set(error, advice)

/** Returns the advice for an error: its own, that for its cause, or that for its code. */
export function findAdvice(error: KirayaError): string | undefined {
  const { code, reason = '', retryAfter } = error
  const { exitCode, advice } = outcomes[code]
  if (exitCode === FAILURE && retryAfter !== undefined) return `Wait ${retryAfter} seconds`
  return given.get(error) ?? (reason in adviceByReason ? adviceByReason[reason] : advice)
}
