import { Type } from '@sinclair/typebox'
import { refuse } from '../../../../errors'
import { LoggableError } from '../../../../observability/safe-errors'
import { downloadDocument } from '../../../download'
import { ignoreNotFound } from '../../../provider-errors'
import { toCredentialHeaders } from '../../../setu-account'
import type { SigningContext, SigningProvider } from '../../port'
import { DownloadResponse, SignatureResponse, toSignatureStatus } from '../schemas'
import { createWebhookCheck } from '../signature'
import { parseWebhook, toCreateBody } from './transform'

/** Creates one request for each signer, on a document that the provider fetches. */
export function createFlexiProvider({ name, account, client, config }: SigningContext): SigningProvider {
  const headers = toCredentialHeaders(account)
  const collectionUrl = () => `${account.getBaseUrl()}/api/esign`
  const toUrl = (requestId: string) => `${collectionUrl()}/${encodeURIComponent(requestId)}`
  return {
    name,
    hasSharedRequests: false,

    initiate: async request => {
      if (config.DOCUMENT_CHECK) await downloadDocument(request.documentUrl, config)
      const options = { headers, json: toCreateBody(request) }
      const response = await client.requestJson('post', collectionUrl(), SignatureResponse, options)
      const status = toSignatureStatus(response)
      if (status.signingUrl) return status
      const cause = new LoggableError('The provider gave no signing address')
      throw refuse('provider_unreachable', { provider: 'e-signing' }, { cause })
    },

    status: async ({ requestId }) => {
      const read = client.requestJson('get', toUrl(requestId), SignatureResponse, { headers })
      const response = await ignoreNotFound(read)
      return response && toSignatureStatus(response)
    },

    cancel: async requestId => {
      const url = `${toUrl(requestId)}/delete/`
      await ignoreNotFound(client.requestJson('post', url, Type.Unknown(), { headers }))
    },

    download: requestId => client.requestPdf(`${toUrl(requestId)}/pdf`, DownloadResponse, { headers }),

    ...createWebhookCheck(config.acceptedSecrets.ESIGN_WEBHOOK_SECRET),
    parseWebhook,
  }
}
