/** Sends a one-time password to a 10-digit Indian mobile number, or fails as unavailable. */
export type OtpSender = (phone: string, otp: string, lifetimeMs: number) => Promise<void>

/** Reminds somebody to sign, with the address where they can, or fails as unavailable. */
export type ReminderSender = (
  phone: string,
  reminder: { agreement_number: string; signing_url: string },
) => Promise<void>

/** One way to reach people; without `sendReminder` it is no way to remind them. */
export type Channel = { sendOtp: OtpSender; sendReminder?: ReminderSender }
