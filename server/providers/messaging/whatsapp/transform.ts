import { Type } from '@sinclair/typebox'
import type { Reminder } from '../port'

/** Names of the approved templates, and their language. */
export type Templates = { otp: string; reminder: string; language: string }

export const MessageResponse = Type.Object({
  messages: Type.Array(Type.Object({ id: Type.String() }), { minItems: 1 }),
})

/** The template has a button that copies the one-time password. */
export const toOtpBody = ({ otp: name, language }: Templates, phone: string, otp: string) =>
  toBody(name, language, phone, [
    { type: 'body', parameters: toTexts(otp) },
    { type: 'button', sub_type: 'url', index: '0', parameters: toTexts(otp) },
  ])

export const toReminderBody = ({ reminder: name, language }: Templates, phone: string, reminder: Reminder) =>
  toBody(name, language, phone, [
    { type: 'body', parameters: toTexts(reminder.agreement_number, reminder.signing_url) },
  ])

const toBody = (name: string, language: string, phone: string, components: object[]) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: `91${phone}`,
  type: 'template',
  template: { name, language: { code: language }, components },
})

const toTexts = (...values: string[]) => values.map(text => ({ type: 'text', text }))
