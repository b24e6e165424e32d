import { Type } from '@sinclair/typebox'
import type { Outbound } from '../outbound'
import type { SendOtp } from './port'

type Account = { url: () => string; phoneNumberId: string; accessToken: string; template: string; language: string }

/** WhatsApp Cloud API: an approved authentication template whose button copies the OTP. */
export const createWhatsApp = (call: Outbound, account: Account): SendOtp => async (phone, otp) => {
  await call.json('post', `${account.url()}/${account.phoneNumberId}/messages`, Sent, {
    headers: { authorization: `Bearer ${account.accessToken}` },
    json: otpMessage(phone, otp, account),
  })
}

const Sent = Type.Object({ messages: Type.Array(Type.Object({ id: Type.String() }), { minItems: 1 }) })

export const otpMessage = (phone: string, otp: string, { template, language }: Pick<Account, 'template' | 'language'>) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: `91${phone}`,
  type: 'template',
  template: {
    name: template,
    language: { code: language },
    components: [
      { type: 'body', parameters: [{ type: 'text', text: otp }] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: otp }] },
    ],
  },
})
