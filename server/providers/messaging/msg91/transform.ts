import { Type } from '@sinclair/typebox'
import { MINUTE_MS } from '../../../domain/durations'
import type { Message } from '../port'

/** The id of the message is in either of these. */
export const MessageResponse = Type.Object({
  type: Type.String(),
  request_id: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})

export function toRequest(phone: string, message: Message, template_id: string) {
  const mobiles = `91${phone}`
  const toFlow = (variables: object) => ({
    path: '/api/v5/flow',
    json: { template_id, recipients: [{ mobiles, ...variables }] },
  })
  switch (message.kind) {
    case 'otp': {
      const { otp, lifetimeMs } = message
      const json = { template_id, mobile: mobiles, otp, otp_expiry: lifetimeMs / MINUTE_MS }
      return { path: '/api/v5/otp', json }
    }
    case 'reminder':
      return toFlow({ number: message.agreement_number, url: message.signing_url })
    case 'invitation':
      return toFlow({ url: message.url })
    case 'lease_recorded':
    case 'settlement':
      return toFlow({ number: message.agreement_number, url: message.url, days: message.days })
  }
}
