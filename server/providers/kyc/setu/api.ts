import type { ProviderClient } from '../../http-client'
import { ignoreNotFound } from '../../provider-errors'
import type { KycProvider } from '../port'
import { StartResponse, StatusResponse, toKycResult, toStartedCheck } from './transform'

export type SetuKycAccount = {
  name: string
  getBaseUrl: () => string
  clientId: string
  clientSecret: string
  productInstanceId: string
}

/** Checks identities over Setu's eKYC interface, which the sandbox speaks too. */
export function createSetuKyc(client: ProviderClient, account: SetuKycAccount): KycProvider {
  const collectionUrl = () => `${account.getBaseUrl()}/api/ekyc/`
  const headers = {
    'x-client-id': account.clientId,
    'x-client-secret': account.clientSecret,
    'x-product-instance-id': account.productInstanceId,
  }
  return {
    name: account.name,

    start: async ({ redirectUrl, webhookUrl }) => {
      const json = { redirection_url: redirectUrl, webhook_url: webhookUrl }
      const options = { headers, json }
      return toStartedCheck(await client.requestJson('post', collectionUrl(), StartResponse, options))
    },

    status: async requestId => {
      const url = `${collectionUrl()}${encodeURIComponent(requestId)}`
      const read = client.requestJson('get', url, StatusResponse, { headers })
      const response = await ignoreNotFound(read)
      return response && toKycResult(response)
    },
  }
}
