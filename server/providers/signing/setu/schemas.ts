import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { SignatureStatus } from '../../../../db/entities'
import { isUuid } from '../../../domain/record-id'
import { redactAadhaar } from '../../../domain/redact-aadhaar'
import type { SigningStatus } from '../port'

const MAX_ERROR_LENGTH = 255
const NOT_NUL = '^[^\\u0000]*$'

/** An id that fits into its column. */
const Id = Type.String({ minLength: 1, maxLength: 255, pattern: NOT_NUL })

const Signer = Type.Object({
  id: Type.Optional(Id),
  identifier: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  status: Type.Optional(Type.String()),
  url: Type.Optional(Type.Union([Type.String({ pattern: NOT_NUL }), Type.Null()])),
  errCode: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

const requestFields = {
  id: Id,
  documentId: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
}

/** A request, as both protocols return it. */
export const SignatureResponse = Type.Object({
  ...requestFields,
  signers: Type.Array(Signer, { minItems: 1 }),
  validUpto: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
export type SignatureResponse = Static<typeof SignatureResponse>

/** Ids, states and times alone: nothing else of a webhook is stored. */
export const SetuWebhook = Type.Object({
  event: Type.String(),
  timeStamp: Type.Optional(Type.Union([Type.String(), Type.Number()])),
  data: Type.Object({
    esign: Type.Object({
      ...requestFields,
      signers: Type.Optional(Type.Array(Type.Pick(Signer, ['id', 'status', 'errCode']))),
    }),
  }),
})

/** The statuses, events and error codes that end a signature; all others leave it PENDING. */
const endStatuses = new Map<string, SignatureStatus>([
  ['signed', 'SIGNED'],
  ['sign_complete', 'SIGNED'],
  ['ESIGN_COMPLETE', 'SIGNED'],
  ['ESIGN_EXPIRED', 'EXPIRED'],
  ['signer_declined', 'DECLINED'],
])
const OPENED_STATUSES = ['in_progress', 'sign_in_progress']

/** The events, statuses and error codes of the provider. */
const KNOWN_WORDS = new Set([
  ...endStatuses.keys(),
  ...OPENED_STATUSES,
  'ESIGN_FAILED',
  'ESIGN_OTP_FAILED',
  'ESIGN_REQUEST_CREATED',
  'ESIGN_WEBHOOK_NOTIFICATION',
  'sign_initiated',
  'sign_pending',
  'pending',
  'document_already_signed',
  'exceeded_otp_attempt',
  'invaild_otp',
  'name_match_error',
  'otp_expired',
  'otp_not_entered',
  'service_down',
  'session_expired',
  'upstream_server_error',
])

/** Maps a request's first signer; the request's status and the webhook's event count for that signer. */
export function toSignatureStatus(response: SignatureResponse, event?: string): SigningStatus {
  const signer = response.signers[0]
  const errCode = toStorableError(signer?.errCode)
  const status = toStatus([signer?.status, response.status, event, errCode], event, errCode)
  const isPending = status === 'PENDING'
  const hasFailedOtp = event === 'ESIGN_OTP_FAILED'
  const isOpened = [signer?.status, response.status].some(word => OPENED_STATUSES.includes(word ?? ''))
  return {
    requestId: response.id,
    documentId: response.documentId,
    providerSignatureId: signer?.id,
    status,
    viewed: isOpened || hasFailedOtp || undefined,
    signingUrl: signer?.url ?? undefined,
    expiresAt: toValidDate(response.validUpto),
    declineReason: status === 'DECLINED' ? (errCode ?? 'The signing failed') : undefined,
    lastError: isPending ? (errCode ?? (hasFailedOtp ? 'otp_failed' : undefined)) : undefined,
    isSessionOver: (isPending && errCode === 'session_expired') || undefined,
    needsSync: (isPending && errCode === 'document_already_signed') || undefined,
  }
}

/** `words` are in order of precedence. */
function toStatus(
  words: (string | undefined)[],
  event: string | undefined,
  errCode: string | undefined,
): SignatureStatus {
  const ends = words.flatMap(word => endStatuses.get(word ?? '') ?? [])
  if (ends[0]) return ends[0]
  return event === 'ESIGN_FAILED' && !errCode ? 'DECLINED' : 'PENDING'
}

function toStorableError(errCode: string | null | undefined): string | undefined {
  const text = redactAadhaar(errCode?.replaceAll('\0', '') ?? '')
  return text.slice(0, MAX_ERROR_LENGTH) || undefined
}

function toValidDate(text: string | null | undefined): Date | undefined {
  if (!text) return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Parses a webhook into its event and request; undefined if it is not one of the provider's. */
export function parseSetuWebhook(payload: string): { event: string; request: SignatureResponse } | undefined {
  const webhook = parseJson(payload)
  if (!Value.Check(SetuWebhook, webhook)) return undefined
  const { esign } = webhook.data
  return { event: webhook.event, request: { ...esign, signers: esign.signers ?? [] } }
}

/** Keeps ids and known words of the fields that `SetuWebhook` names; `null` if it is none of the provider's webhooks. */
export function redactWebhook(payload: string): string {
  const webhook = parseJson(payload)
  return JSON.stringify(Value.Check(SetuWebhook, webhook) ? toKnownWords(webhook) : null)
}

/** An unknown word could be anything, so it is stored as one that means nothing. */
const toKnownWord = (word: string | null | undefined) => (word && !KNOWN_WORDS.has(word) ? 'other' : word)

function toKnownWords({ event, timeStamp, data: { esign } }: Static<typeof SetuWebhook>) {
  const { id, documentId, status, signers } = esign
  return {
    event: toKnownWord(event),
    timeStamp: Number.isNaN(new Date(timeStamp ?? '').getTime()) ? undefined : timeStamp,
    data: {
      esign: {
        id,
        documentId: documentId && isUuid(documentId) ? documentId : undefined,
        status: toKnownWord(status),
        signers: signers?.map(signer => ({
          id: signer.id,
          status: toKnownWord(signer.status),
          errCode: toKnownWord(signer.errCode),
        })),
      },
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
