import { checkDocument } from '../../../download'
import type { SigningContext, SigningProvider } from '../../port'
import { createSetuApi, requireAddress } from '../api'
import { toSignatureStatus } from '../schemas'
import { createWebhookCheck } from '../signature'
import { parseWebhook, toCreateBody } from './transform'

/** Creates one request for each signer, on a document that the provider fetches. */
export function createFlexiProvider(context: SigningContext): SigningProvider {
  const { name, config } = context
  const api = createSetuApi(context, { requests: 'esign', pdf: 'pdf' })
  return {
    name,
    hasSharedRequests: false,

    initiate: async request => {
      if (!request.readOwnDocument) await checkDocument(request.documentUrl, config)
      return requireAddress(toSignatureStatus(await api.create(toCreateBody(request))))
    },

    status: async ({ requestId }) => {
      const response = await api.find(requestId)
      return response && toSignatureStatus(response)
    },

    cancel: api.delete,
    download: requestId => api.download(requestId),
    ...createWebhookCheck(config.acceptedSecrets.ESIGN_WEBHOOK_SECRET),
    parseWebhook,
  }
}
