import type { ProviderClient } from '../../http-client'
import type { Channel } from '../port'
import { MessageResponse, toInvitationBody, toOtpBody, toReminderBody, type Templates } from './transform'

type WhatsAppAccount = { getBaseUrl: () => string; phoneNumberId: string; accessToken: string }

/** Sends approved templates by the WhatsApp Cloud API, which the sandbox speaks too. */
export function createWhatsApp(
  client: ProviderClient,
  account: WhatsAppAccount,
  templates: Templates,
): Channel {
  async function send(json: object) {
    const url = `${account.getBaseUrl()}/${account.phoneNumberId}/messages`
    const headers = { authorization: `Bearer ${account.accessToken}` }
    await client.requestJson('post', url, MessageResponse, { headers, json })
  }
  return {
    sendOtp: (phone, otp) => send(toOtpBody(templates, phone, otp)),
    sendReminder: (phone, reminder) => send(toReminderBody(templates, phone, reminder)),
    sendInvitation: (phone, url) => send(toInvitationBody(templates, phone, url)),
  }
}
