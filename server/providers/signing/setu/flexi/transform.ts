import type { SigningRequest, SigningStatus } from '../../port'
import { parseSetuWebhook, toSignatureStatus } from '../schemas'

export const toCreateBody = (request: SigningRequest) => ({
  documentId: request.documentId,
  documentUrl: request.documentUrl,
  signer: request.signer,
  redirectUrl: request.redirectUrl,
  flexiOptions: request.flexiOptions,
})

export function parseWebhook(payload: string): SigningStatus[] {
  const webhook = parseSetuWebhook(payload)
  return webhook ? [toSignatureStatus(webhook.request, webhook.event)] : []
}
