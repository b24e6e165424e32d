/** Sends a one-time password to a 10-digit Indian mobile number, or fails as unavailable. */
export type SendOtp = (phone: string, otp: string, lifetimeMs: number) => Promise<void>
