import { Fault } from '../../faults'

/** A message that a channel may have refused because of its recipient: this counts against the limits. */
export class RecipientFault extends Fault {}

/**
 * Sends a one-time password to a 10-digit Indian mobile number. Throws SERVICE_UNAVAILABLE, or BAD_REQUEST if
 * no channel reaches the number.
 */
export type OtpSender = (phone: string, otp: string, lifetimeMs: number) => Promise<void>

export type Reminder = { agreement_number: string; signing_url: string }

/** Reminds a signer to sign. Throws as `OtpSender` does. */
export type ReminderSender = (phone: string, reminder: Reminder) => Promise<void>

/** Invites a landlord to sign in at `url`. Throws as `OtpSender` does. */
export type InvitationSender = (phone: string, url: string) => Promise<void>

/** A way to send messages; it sends none of a kind for which it has no function. */
export type Channel = {
  sendOtp: OtpSender
  sendReminder?: ReminderSender
  sendInvitation?: InvitationSender
}
