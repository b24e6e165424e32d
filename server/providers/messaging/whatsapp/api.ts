import type { ProviderClient } from '../../http-client'
import type { Channel } from '../port'
import { MessageResponse, templates, toBody } from './transform'

type WhatsAppAccount = { getBaseUrl: () => string; phoneNumberId: string; accessToken: string }

/** Sends approved templates in a language by the WhatsApp Cloud API, which the sandbox speaks too. */
export const createWhatsApp = (
  name: string,
  client: ProviderClient,
  language: string,
  { getBaseUrl, phoneNumberId, accessToken }: WhatsAppAccount,
): Channel => ({
  name,
  templates,

  send: async (phone, message, template) => {
    const url = `${getBaseUrl()}/${phoneNumberId}/messages`
    const headers = { authorization: `Bearer ${accessToken}` }
    const json = toBody(phone, message, { name: template, language: { code: language } })
    const { messages } = await client.requestJson('post', url, MessageResponse, { headers, json })
    return messages[0]!.id
  },
})
