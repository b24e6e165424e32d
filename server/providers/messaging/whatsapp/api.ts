import type { ProviderClient } from '../../http-client'
import type { Channel } from '../port'
import { MessageResponse, toInvitationBody, toOtpBody, toReminderBody } from './transform'

type WhatsAppAccount = { getBaseUrl: () => string; phoneNumberId: string; accessToken: string }

/** Sends approved templates in a language by the WhatsApp Cloud API, which the sandbox speaks too. */
export function createWhatsApp(client: ProviderClient, account: WhatsAppAccount, language: string): Channel {
  async function send(json: object) {
    const url = `${account.getBaseUrl()}/${account.phoneNumberId}/messages`
    const headers = { authorization: `Bearer ${account.accessToken}` }
    await client.requestJson('post', url, MessageResponse, { headers, json })
  }
  return {
    sendOtp: (phone, otp) => send(toOtpBody(language, phone, otp)),
    sendReminder: (phone, reminder) => send(toReminderBody(language, phone, reminder)),
    sendInvitation: (phone, url) => send(toInvitationBody(language, phone, url)),
  }
}
