import type { ProviderClient } from '../../http-client'
import { ignoreNotFound } from '../../provider-errors'
import { toCredentialHeaders, type SetuAccount } from '../../setu-account'
import type { KycProvider } from '../port'
import { StartResponse, StatusResponse, toKycResult, toStartedCheck } from './transform'

/** Checks identities over Setu's eKYC interface, which the sandbox speaks too. */
export function createSetuKyc(name: string, client: ProviderClient, account: SetuAccount): KycProvider {
  const collectionUrl = () => `${account.getBaseUrl()}/api/ekyc/`
  const headers = toCredentialHeaders(account)
  return {
    name,

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
