import { refuseInput, requireSubtle } from './inputs.ts'

/** Where the e-signing provider puts the signature. */
export const WEBHOOK_SIGNATURE_HEADER = 'x-setu-signature'

/** The body of a webhook: its text, or its bytes as they arrived. */
export type WebhookPayload = string | Uint8Array

/**
 * Signs the body of a webhook as the e-signing provider does: HMAC-SHA-256 of its bytes, in base64.
 * @throws {ValidationError} The secret is missing.
 * @example
 * const body = JSON.stringify({ event: 'ESIGN_COMPLETE', data: { esign: { id: 'request-1' } } })
 * const signature = await signWebhook(body, 'the ESIGN_WEBHOOK_SECRET')
 * await fetch('http://localhost:3000/webhooks/esign', {
 *   method: 'POST',
 *   headers: { 'content-type': 'application/json', [WEBHOOK_SIGNATURE_HEADER]: signature },
 *   body,
 * })
 */
export async function signWebhook(payload: WebhookPayload, secret: string): Promise<string> {
  if (!secret) refuseInput('signWebhook needs the secret of the webhooks')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const subtle = requireSubtle('Webhooks')
  const key = await subtle.importKey('raw', toBytes(secret), algorithm, false, ['sign'])
  const signature = await subtle.sign('HMAC', key, toBytes(payload))
  return btoa(String.fromCharCode(...new Uint8Array(signature)))
}

/**
 * Returns whether one of the secrets signed the body, as the server checks it.
 * @example
 * const request = new Request('http://localhost:3000/webhooks/esign', { method: 'POST', body: '{}' })
 * const body = new Uint8Array(await request.arrayBuffer())
 * const signature = request.headers.get(WEBHOOK_SIGNATURE_HEADER)
 * const isGenuine = await verifyWebhook(body, signature, ['the ESIGN_WEBHOOK_SECRET'])
 */
export async function verifyWebhook(
  payload: WebhookPayload,
  signature: string | null | undefined,
  secrets: (string | undefined)[],
): Promise<boolean> {
  let isGenuine = false
  for (const secret of secrets)
    if (secret && signature && equalsInConstantTime(await signWebhook(payload, secret), signature))
      isGenuine = true
  return isGenuine
}

/** Web Crypto reads no views of shared memory, so the bytes are copied. */
const toBytes = (payload: WebhookPayload) =>
  typeof payload === 'string' ? new TextEncoder().encode(payload) : new Uint8Array(payload)

function equalsInConstantTime(expected: string, given: string) {
  let difference = expected.length ^ given.length
  for (let index = 0; index < expected.length; index++)
    difference |= expected.charCodeAt(index) ^ given.charCodeAt(index)
  return difference === 0
}
