/** The fields that processing a webhook again needs: ids, states and times. */
const NEEDED_FIELDS = new Set([
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

/** Keeps the needed fields of a webhook's payload, and everything about the signer with the given phone number. */
export function redactPayload(payload: string, phone?: string): unknown {
  try {
    return redactValue(JSON.parse(payload), phone)
  } catch {
    return null // Not the provider's: no webhook is processed from it.
  }
}

function redactValue(value: unknown, phone: string | undefined): unknown {
  if (Array.isArray(value)) return value.map(element => redactValue(element, phone))
  if (typeof value !== 'object' || value === null) return value

  const isOwn = hasPhone(value, phone)
  const fields = Object.entries(value).filter(([name]) => isOwn || NEEDED_FIELDS.has(name))
  return Object.fromEntries(fields.map(([name, inner]) => [name, redactValue(inner, phone)]))
}

function hasPhone(signer: object, phone: string | undefined) {
  if (!('identifier' in signer) || typeof signer.identifier !== 'string') return false
  const digits = signer.identifier.replace(/\D/g, '')
  return digits.slice(-10) === phone
}
