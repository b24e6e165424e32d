import type { SigningContext, SigningProvider } from '../../port'
import { createWebhookCheck } from '../signature'
import { createNativeApi } from './api'
import { initiate } from './initiate'
import { hasSignature, parseWebhook, toSignerStatuses } from './transform'

/** Creates one request for the signatures of all parties, on one uploaded document. */
export function createNativeProvider(context: SigningContext): SigningProvider {
  const api = createNativeApi(context)
  return {
    name: context.name,
    hasSharedRequests: true,

    initiate: request => initiate(context, api, request),

    status: async ({ requestId, providerSignatureId }) => {
      const response = await api.find(requestId)
      if (!response) return undefined
      const statuses = toSignerStatuses(response)
      if (!providerSignatureId) return statuses.length === 1 ? statuses[0] : undefined
      return statuses.find(status => status.providerSignatureId === providerSignatureId)
    },

    // Deleting a request deletes its signatures too, so a partly signed one is left to expire.
    cancel: async requestId => {
      const response = await api.find(requestId)
      if (response && !hasSignature(response)) await api.delete(requestId)
    },

    download: api.download,
    ...createWebhookCheck(context.account),
    parseWebhook,
  }
}
