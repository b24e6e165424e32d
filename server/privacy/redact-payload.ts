/** What is needed to act on a webhook again: ids, states and times. */
const NEEDED = new Set([
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

/** A webhook's payload with all that it tells of the signer with this number, and of nobody else. */
export function redactPayload(payload: string, phone?: string): unknown {
  const reduced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reduced)
    if (typeof value !== 'object' || value === null) return value
    const isTheirs =
      'identifier' in value &&
      typeof value.identifier === 'string' &&
      value.identifier.replace(/\D/g, '').slice(-10) === phone
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => isTheirs || NEEDED.has(name))
        .map(([name, inner]) => [name, reduced(inner)]),
    )
  }
  try {
    return reduced(JSON.parse(payload))
  } catch {
    return null // none of the provider's: nothing follows from it
  }
}
