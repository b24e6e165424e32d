import { Type } from '@sinclair/typebox'
import { unavailable } from '../../faults'
import { isGone, type Outbound } from '../../outbound'
import type { SigningAccount, SigningProvider } from '../port'
import { verifyWebhook } from '../webhook'
import { Answer, Downloadable, statusOf } from '../vocabulary'
import { parseWebhook } from './transform'

/** The provider's request for one signer's signature on a document that it fetches itself. */
export function createFlexiSigning(
  call: Outbound,
  { name, url, credentials: headers, webhookSecrets }: SigningAccount,
): SigningProvider {
  const at = (requestId: string) => `${url()}/api/esign/${encodeURIComponent(requestId)}`
  return {
    name,
    asksAllAtOnce: false,
    initiate: async ({ parties: _parties, earlier: _earlier, ...request }) => {
      const status = statusOf(
        await call.json('post', `${url()}/api/esign`, Answer, { headers, json: request }),
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
        return statusOf(await call.json('get', at(requestId), Answer, { headers }))
      } catch (error) {
        if (isGone(error)) return undefined
        throw error
      }
    },
    cancel: async requestId => {
      try {
        await call.json('post', `${at(requestId)}/delete/`, Type.Unknown(), { headers })
      } catch (error) {
        if (!isGone(error)) throw error
      }
    },
    download: requestId => call.document(`${at(requestId)}/pdf`, Downloadable, { headers }),
    verifyWebhook: (payload, signature) => verifyWebhook(payload, signature, webhookSecrets),
    parseWebhook,
  }
}
