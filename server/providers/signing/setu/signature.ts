import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SigningProvider } from '../port'
import { redactWebhook, SetuWebhook } from './schemas'

/** The header with the signature of a webhook. */
export const WEBHOOK_HEADER = 'x-setu-signature'

/** HMAC-SHA-256 of the raw body, in base64; a text counts as its bytes in UTF-8. */
export const signWebhook = (payload: string | Uint8Array, secret: string) =>
  createHmac('sha256', secret).update(payload).digest('base64')

/** The webhook check of both protocols: one of the secrets made the signature, compared in constant time. */
export const createWebhookCheck = (
  secrets: string[],
): Pick<SigningProvider, 'webhookHeader' | 'webhookSchema' | 'verifyWebhook' | 'redactWebhook'> => ({
  webhookHeader: WEBHOOK_HEADER,
  webhookSchema: SetuWebhook,
  verifyWebhook: (payload, signature) => {
    const given = Buffer.from(signature ?? '')
    return secrets.filter(Boolean).some(secret => {
      const expected = Buffer.from(signWebhook(payload, secret))
      return expected.length === given.length && timingSafeEqual(expected, given)
    })
  },
  redactWebhook,
})
