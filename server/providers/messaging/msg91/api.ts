import { refuse } from '../../../errors'
import type { ProviderClient } from '../../http-client'
import { UnexplainedError } from '../../provider-errors'
import type { Channel } from '../port'
import { MessageResponse, toRequest } from './transform'

type Msg91Account = { baseUrl: string; authKey: string; templates: Channel['templates'] }

/** Sends SMS by MSG91. */
export function createMsg91(client: ProviderClient, account: Msg91Account): Channel {
  const { baseUrl, authKey, templates } = account
  return {
    name: 'sms',
    templates,

    send: async (...message) => {
      const { path, json } = toRequest(...message)
      const options = { headers: { authkey: authKey }, json }
      const {
        type,
        request_id,
        message: id,
      } = await client.requestJson('post', `${baseUrl}${path}`, MessageResponse, options)
      // An error may come with status 200.
      if (type === 'success') return request_id ?? id
      const cause = new UnexplainedError('MSG91 responded with an error')
      throw refuse('provider_unreachable', { provider: 'messaging' }, { cause })
    },
  }
}
