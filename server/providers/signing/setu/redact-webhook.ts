import { redactJson } from '../redact-json'

/** The fields that processing a webhook again needs: ids, states and times. */
const KEPT_FIELDS = new Set([
  'event',
  'timeStamp',
  'data',
  'esign',
  'id',
  'documentId',
  'status',
  'signers',
  'errCode',
])

/** Keeps ids, states and times, and all about the signer with the given phone number. */
export function redactWebhook(payload: string, phone?: string): string {
  return redactJson(payload, { keptFields: KEPT_FIELDS, isOwn: signer => hasPhone(signer, phone) })
}

function hasPhone(signer: object, phone: string | undefined) {
  if (!('identifier' in signer) || typeof signer.identifier !== 'string') return false
  const digits = signer.identifier.replace(/\D/g, '')
  return digits.slice(-10) === phone
}
