/** Sends a one-time password to a 10-digit Indian mobile number. Throws SERVICE_UNAVAILABLE. */
export type OtpSender = (phone: string, otp: string, lifetimeMs: number) => Promise<void>

export type Reminder = { agreement_number: string; signing_url: string }

/** Reminds a signer to sign. Throws SERVICE_UNAVAILABLE. */
export type ReminderSender = (phone: string, reminder: Reminder) => Promise<void>

/** A way to send messages; without `sendReminder` it sends no reminders. */
export type Channel = { sendOtp: OtpSender; sendReminder?: ReminderSender }
