import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA-256 of the raw body, base64. */
export const signWebhook = (payload: string, secret: string) =>
  createHmac('sha256', secret).update(payload).digest('base64')

/** Whether one of the secrets made the signature; compared in a time that tells nothing of where the two differ. */
export function verifyWebhook(payload: string, signature: string | null, secrets: string[]) {
  if (!signature) return false
  const given = Buffer.from(signature)
  return secrets
    .filter(Boolean)
    .map(secret => Buffer.from(signWebhook(payload, secret)))
    .some(right => right.length === given.length && timingSafeEqual(right, given))
}
