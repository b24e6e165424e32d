import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { redactAadhaar } from '../../../domain/redact-aadhaar'
import type { SignatureStatus, SigningStatus } from '../port'

// What a column of ours can hold.
const Id = Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$' })
const Signer = Type.Object({
  id: Type.Optional(Id),
  identifier: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  status: Type.Optional(Type.String()),
  url: Type.Optional(Type.Union([Type.String({ pattern: '^[^\\u0000]*$' }), Type.Null()])),
  errCode: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
const request = {
  id: Id,
  documentId: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
}
/** What both of the provider's interfaces answer of a request. */
export const SignatureResponse = Type.Object({
  ...request,
  signers: Type.Array(Signer, { minItems: 1 }),
  validUpto: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
export type SignatureResponse = Static<typeof SignatureResponse>
export const DownloadResponse = Type.Object({ downloadUrl: Type.String() })
const Webhook = Type.Object({
  event: Type.String(),
  data: Type.Object({ esign: Type.Object({ ...request, signers: Type.Optional(Type.Array(Signer)) }) }),
})

/** The provider's words for an outcome; an error that is not here leaves the signature PENDING. */
const outcomes = new Map<string, SignatureStatus>([
  ['signed', 'SIGNED'],
  ['sign_complete', 'SIGNED'],
  ['ESIGN_COMPLETE', 'SIGNED'],
  ['ESIGN_EXPIRED', 'EXPIRED'],
  ['signer_declined', 'DECLINED'],
])

function outcomeOf(
  event: string | undefined,
  requestStatus: string | undefined,
  signerStatus: string | undefined,
  errCode: string | undefined,
): SignatureStatus {
  const outcome = [signerStatus, requestStatus, event, errCode]
    .map(word => outcomes.get(word ?? ''))
    .find(found => found)
  return outcome ?? (event === 'ESIGN_FAILED' && !errCode ? 'DECLINED' : 'PENDING')
}

/** What is said of a request's first signer; words about the whole request, and a webhook's event, count as said of that one. */
export function toSignatureStatus(answer: SignatureResponse, event?: string): SigningStatus {
  const signer = answer.signers[0]
  const errCode = redactAadhaar(signer?.errCode?.replaceAll('\0', '') ?? '').slice(0, 255) || undefined
  const status = outcomeOf(event, answer.status, signer?.status, errCode)
  const until = answer.validUpto ? new Date(answer.validUpto) : undefined
  return {
    requestId: answer.id,
    documentId: answer.documentId,
    providerSignatureId: signer?.id,
    status,
    viewed:
      [signer?.status, answer.status].some(word => word === 'in_progress' || word === 'sign_in_progress') ||
      event === 'ESIGN_OTP_FAILED' ||
      undefined,
    signingUrl: signer?.url ?? undefined,
    expiresAt: until && !Number.isNaN(until.getTime()) ? until : undefined,
    declineReason: status === 'DECLINED' ? (errCode ?? 'The signing failed') : undefined,
    lastError:
      status === 'PENDING'
        ? (errCode ?? (event === 'ESIGN_OTP_FAILED' ? 'otp_failed' : undefined))
        : undefined,
  }
}

/** A webhook's event and what it is about; undefined where the payload is none of the provider's. */
export function parseSetuWebhook(payload: string) {
  let webhook: unknown
  try {
    webhook = JSON.parse(payload)
  } catch {
    return
  }
  if (!Value.Check(Webhook, webhook)) return
  const {
    event,
    data: { esign },
  } = webhook
  return { event, about: { ...esign, signers: esign.signers ?? [] } satisfies SignatureResponse }
}
