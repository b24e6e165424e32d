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

/**
 * Keeps ids, states and times, and all about the signer with the given phone number. That signer gets no ids of the
 * others: an id may be part of a signing address.
 */
export function redactWebhook(payload: string, phone?: string): string {
  return redactJson(payload, (field, object) => {
    const isSigner = 'identifier' in object
    if (isSigner && hasPhone(object, phone)) return true
    const isIdOfOther = isSigner && phone !== undefined && field === 'id'
    return KEPT_FIELDS.has(field) && !isIdOfOther
  })
}

function hasPhone({ identifier }: { identifier: unknown }, phone: string | undefined) {
  return typeof identifier === 'string' && identifier.replace(/\D/g, '').slice(-10) === phone
}
