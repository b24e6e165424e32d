import type { SigningRequest, SigningStatus } from '../../port'
import { parseSetuWebhook, toSignatureStatus } from '../schemas'

export function toCreateBody({ documentId, documentUrl, signer, redirectUrl, flexiOptions }: SigningRequest) {
  return { documentId, documentUrl, signer, redirectUrl, flexiOptions }
}

export function parseWebhook(payload: string): SigningStatus[] {
  const webhook = parseSetuWebhook(payload)
  return webhook ? [toSignatureStatus(webhook.request, webhook.event)] : []
}
