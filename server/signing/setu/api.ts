import { Type } from '@sinclair/typebox'
import { Fault, unavailable } from '../../faults'
import { ProviderRefusal, type Outbound } from '../../outbound'
import type { SigningProvider } from '../port'
import { Answer, parseWebhook, statusOf, verifyWebhook } from './transform'

type Account = { name: string; url: () => string; credentials: Record<string, string>; webhookSecret: string }

/** E-signing over the provider's HTTP interface; the sandbox speaks the same. */
export const createSigning = (call: Outbound, { name, url, credentials: headers, webhookSecret }: Account): SigningProvider => ({
  name,
  initiate: async request => {
    const status = statusOf(await call('post', `${url()}/api/esign`, Answer, { headers, json: request }))
    if (!status.signingUrl) throw unavailable('The e-signing provider cannot be reached', new Error('The provider gave no signing address'))
    return status
  },
  status: async requestId => {
    try {
      return statusOf(await call('get', `${url()}/api/esign/${encodeURIComponent(requestId)}`, Answer, { headers }))
    } catch (error) {
      if (isGone(error)) return undefined
      throw error
    }
  },
  cancel: async requestId => {
    try {
      await call('post', `${url()}/api/esign/${encodeURIComponent(requestId)}/delete/`, Type.Unknown(), { headers })
    } catch (error) {
      // Gone already counts as cancelled.
      if (!isGone(error)) throw error
    }
    return true
  },
  verifyWebhook: (payload, signature) => verifyWebhook(payload, signature, webhookSecret),
  parseWebhook,
})

const isGone = (error: unknown) => error instanceof Fault && error.cause instanceof ProviderRefusal && error.cause.status === 404
