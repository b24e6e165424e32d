import { Type } from '@sinclair/typebox'
import type { Reminder } from '../port'
import { MINUTE_MS } from '../../../domain/durations'

export const MessageResponse = Type.Object({ type: Type.String() })

export const toOtpBody = (templateId: string, phone: string, otp: string, lifetimeMs: number) => ({
  template_id: templateId,
  mobile: `91${phone}`,
  otp,
  otp_expiry: lifetimeMs / MINUTE_MS,
})

export const toReminderBody = (templateId: string, phone: string, reminder: Reminder) => ({
  template_id: templateId,
  recipients: [{ mobiles: `91${phone}`, number: reminder.agreement_number, url: reminder.signing_url }],
})

export const toInvitationBody = (templateId: string, phone: string, url: string) => ({
  template_id: templateId,
  recipients: [{ mobiles: `91${phone}`, url }],
})
