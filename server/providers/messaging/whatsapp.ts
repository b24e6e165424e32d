import { Type } from '@sinclair/typebox'
import type { ProviderClient } from '../http-client'
import type { Channel } from './port'

type Account = {
  url: () => string
  phoneNumberId: string
  accessToken: string
  template: string
  reminderTemplate: string
  language: string
}

/** WhatsApp Cloud API: approved templates; that of the one-time password has a button which copies it. */
export function createWhatsApp(
  call: ProviderClient,
  { url, phoneNumberId, accessToken, template, reminderTemplate, language }: Account,
): Channel {
  const send = async (phone: string, name: string, components: object[]) => {
    await call.json('post', `${url()}/${phoneNumberId}/messages`, Sent, {
      headers: { authorization: `Bearer ${accessToken}` },
      json: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: `91${phone}`,
        type: 'template',
        template: { name, language: { code: language }, components },
      },
    })
  }
  return {
    sendOtp: (phone, otp) =>
      send(phone, template, [
        { type: 'body', parameters: texts(otp) },
        { type: 'button', sub_type: 'url', index: '0', parameters: texts(otp) },
      ]),
    sendReminder: (phone, { agreement_number, signing_url }) =>
      send(phone, reminderTemplate, [{ type: 'body', parameters: texts(agreement_number, signing_url) }]),
  }
}

const texts = (...values: string[]) => values.map(text => ({ type: 'text', text }))
const Sent = Type.Object({ messages: Type.Array(Type.Object({ id: Type.String() }), { minItems: 1 }) })
