import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ProviderErrorKind } from '../../provider-errors'
import type { Message } from '../port'

/** The templates that have to be approved, by these names. */
export const templates = {
  otp: 'kiraya_otp',
  reminder: 'kiraya_sign_reminder',
  invitation: 'kiraya_invitation',
  lease_recorded: 'kiraya_lease_recorded',
  settlement: 'kiraya_settlement',
}

export const MessageResponse = Type.Object({
  messages: Type.Array(Type.Object({ id: Type.String() }), { minItems: 1 }),
})

const ErrorResponse = Type.Object({ error: Type.Object({ code: Type.Integer() }) })

/** Codes of the Cloud API; the status of a response varies with its version. */
const kindByCode: Record<number, ProviderErrorKind> = {
  0: 'misconfigured', // authentication
  10: 'misconfigured', // permission
  190: 'misconfigured', // access token
  100: 'rejected', // invalid parameter
  131008: 'rejected', // missing parameter
  130429: 'rate_limited', // throughput
  131048: 'rate_limited', // messages flagged as spam
  131026: 'undeliverable',
  2: 'failed',
  131000: 'failed',
}

export const readErrorKind = (body: unknown) =>
  Value.Check(ErrorResponse, body) ? kindByCode[body.error.code] : undefined

export const toBody = (phone: string, message: Message, template: object) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: `91${phone}`,
  type: 'template',
  template: { ...template, components: toComponents(message) },
})

function toComponents(message: Message) {
  switch (message.kind) {
    case 'otp': {
      const parameters = toTexts(message.otp)
      // The template has a button that copies the one-time password.
      const button = { type: 'button', sub_type: 'url', index: '0', parameters }
      return [{ type: 'body', parameters }, button]
    }
    case 'reminder':
      return [{ type: 'body', parameters: toTexts(message.agreement_number, message.signing_url) }]
    case 'invitation':
      return [{ type: 'body', parameters: toTexts(message.url) }]
    case 'lease_recorded':
    case 'settlement': {
      const { agreement_number, url, days = [] } = message
      return [{ type: 'body', parameters: toTexts(agreement_number, url, ...[days].flat()) }]
    }
  }
}

const toTexts = (...values: string[]) => values.map(text => ({ type: 'text', text }))
