import { Type } from '@sinclair/typebox'
import { unavailable } from '../../../../faults'
import { isProviderNotFound, type ProviderClient } from '../../../http-client'
import type { SigningAccount, SigningProvider } from '../../port'
import { verifyWebhook } from '../signature'
import { SignatureResponse, DownloadResponse, toSignatureStatus } from '../schemas'
import { parseWebhook } from './transform'

/** The provider's request for one signer's signature on a document that it fetches itself. */
export function createFlexiAdapter(
  call: ProviderClient,
  { name, url, credentials: headers, webhookSecrets }: SigningAccount,
): SigningProvider {
  const at = (requestId: string) => `${url()}/api/esign/${encodeURIComponent(requestId)}`
  return {
    name,
    hasSharedRequests: false,
    initiate: async ({ parties: _parties, earlier: _earlier, ...request }) => {
      const status = toSignatureStatus(
        await call.json('post', `${url()}/api/esign`, SignatureResponse, { headers, json: request }),
      )
      if (!status.signingUrl)
        throw unavailable(
          'The e-signing provider cannot be reached',
          new Error('The provider gave no signing address'),
        )
      return status
    },
    status: async ({ requestId }) => {
      try {
        return toSignatureStatus(await call.json('get', at(requestId), SignatureResponse, { headers }))
      } catch (error) {
        if (isProviderNotFound(error)) return undefined
        throw error
      }
    },
    cancel: async requestId => {
      try {
        await call.json('post', `${at(requestId)}/delete/`, Type.Unknown(), { headers })
      } catch (error) {
        if (!isProviderNotFound(error)) throw error
      }
    },
    download: requestId => call.document(`${at(requestId)}/pdf`, DownloadResponse, { headers }),
    verifyWebhook: (payload, signature) => verifyWebhook(payload, signature, webhookSecrets),
    parseWebhook,
  }
}
