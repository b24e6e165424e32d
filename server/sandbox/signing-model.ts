import type { SigningOutcome } from '@kiraya/sdk/contract'
import { maskPhone } from '../domain/formats'

export type Signer = {
  id: string
  identifier: string
  displayName: string
  status: 'pending' | 'in_progress' | 'signed'
  errCode: string | null
  signedAt: string | null
}
/** `document` is an uploaded file; otherwise the provider fetches it from `documentUrl`. */
export type SigningRequest = {
  id: string
  documentId: string
  documentUrl: string | null
  document: { name: string; size: number; sha256: string } | null
  signers: Signer[]
  validUpto: string
  cancelled: boolean
}
export type NewSigner = Pick<Signer, 'identifier' | 'displayName'>
export type NewSigningRequest = Pick<SigningRequest, 'documentId' | 'documentUrl' | 'document'> & {
  signers: NewSigner[]
}

/** A signing address leads to one signer of a request. */
export type RequestSigner = { request: SigningRequest; signer: Signer }
export type ClosingReason = 'signed' | 'declined' | 'cancelled' | 'expired'

export function isComplete({ signers }: SigningRequest) {
  return signers.every(({ status }) => status === 'signed')
}

export function toRequestStatus(request: SigningRequest) {
  if (isComplete(request)) return 'sign_complete'
  const isStarted = request.signers.some(({ status }) => status !== 'pending')
  return isStarted ? 'sign_in_progress' : 'sign_initiated'
}

export const hasDeclined = ({ errCode }: Signer) => errCode === 'signer_declined'

/** A request's address may be known to the other side, which learns no digits of those who have not signed. */
export const formatShownPhone = ({ status, identifier }: Signer) =>
  status === 'signed' ? maskPhone(identifier) : undefined

/** Returns why the signer cannot act any more; undefined while the request is open for them. */
export function getClosingReason({ request, signer }: RequestSigner, now: Date): ClosingReason | undefined {
  if (signer.status === 'signed') return 'signed'
  if (hasDeclined(signer)) return 'declined'
  if (request.cancelled) return 'cancelled'
  return new Date(request.validUpto) <= now ? 'expired' : undefined
}

/** The request's id stands for its only signer. */
export const getSigningId = ({ request, signer }: RequestSigner) =>
  request.signers.length > 1 ? signer.id : request.id

/** Returns the ids and phone numbers by which a simulated failure can match the request. */
export function getSubjects({ id, documentId, signers }: SigningRequest) {
  return [id, documentId, ...signers.flatMap(signer => [signer.id, signer.identifier])]
}

export const getSigner = ({ signers }: SigningRequest, id: string) =>
  signers.find(signer => signer.id === id)!

type OutcomeRule = {
  event: string
  apply: (signer: Signer, at: string) => Signer
  /** Also closes the request for all others who have not signed. */
  endsRequest?: true
}

export const signingOutcomes: Record<SigningOutcome, OutcomeRule> = {
  sign: {
    event: 'ESIGN_COMPLETE',
    apply: (signer, signedAt) => ({ ...signer, status: 'signed', errCode: null, signedAt }),
  },
  decline: {
    event: 'ESIGN_FAILED',
    apply: signer => ({ ...signer, errCode: 'signer_declined' }),
  },
  'fail-otp': {
    event: 'ESIGN_OTP_FAILED',
    apply: signer => ({ ...signer, status: 'in_progress', errCode: 'invaild_otp' }),
  },
  expire: {
    event: 'ESIGN_EXPIRED',
    apply: signer => ({ ...signer, errCode: 'session_expired' }),
    endsRequest: true,
  },
}
export const isSigningOutcome = (text: string): text is SigningOutcome => Object.hasOwn(signingOutcomes, text)

/** Returns what the outcome changes in the request. */
export function applyToRequest(
  outcome: SigningOutcome,
  { request, signer }: RequestSigner,
  at: string,
): Partial<SigningRequest> {
  const { apply, endsRequest } = signingOutcomes[outcome]
  const isAffected = (other: Signer) => other.id === signer.id || (endsRequest && other.status !== 'signed')
  const signers = request.signers.map(other => (isAffected(other) ? apply(other, at) : other))
  return endsRequest ? { signers, validUpto: at } : { signers }
}
