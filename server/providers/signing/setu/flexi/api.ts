import { Type } from '@sinclair/typebox'
import { refuse } from '../../../../faults'
import { LoggableError } from '../../../../observability/safe-errors'
import { ignoreNotFound } from '../../../provider-errors'
import type { SigningContext, SigningProvider } from '../../port'
import { DownloadResponse, SignatureResponse, toSignatureStatus } from '../schemas'
import { toCredentialHeaders } from '../credentials'
import { createWebhookCheck } from '../signature'
import { parseWebhook, toCreateBody } from './transform'

/** Creates one request for each signer, on a document that the provider fetches. */
export function createFlexiProvider(context: SigningContext): SigningProvider {
  const { client } = context
  const headers = toCredentialHeaders(context.account)
  const collectionUrl = () => `${context.getBaseUrl()}/api/esign`
  const toUrl = (requestId: string) => `${collectionUrl()}/${encodeURIComponent(requestId)}`
  return {
    name: context.name,
    hasSharedRequests: false,

    initiate: async request => {
      await context.checkDocument(request.documentUrl)
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

    ...createWebhookCheck(context.account),
    parseWebhook,
  }
}
