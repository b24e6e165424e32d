import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA-256 of the raw body, base64. */
export const webhookSignature = (payload: string, secret: string) => createHmac('sha256', secret).update(payload).digest('base64')

export function verifyWebhook(payload: string, signature: string | null, secret: string) {
  if (!signature || !secret) return false
  const right = Buffer.from(webhookSignature(payload, secret)), given = Buffer.from(signature)
  return right.length === given.length && timingSafeEqual(right, given)
}
