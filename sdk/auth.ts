import type {
  CurrentUser,
  Message,
  SendOtpResponse,
  PersonalData,
  SignInResponse,
  SignInStatus,
} from './contract'
import type { HttpClient } from './http-client'
import { hashPassword } from './password'

/** Signing in and out. A sign-in's token is kept by the client and sent with every later call. */
export function createAuth(http: HttpClient) {
  const storeToken = (signedIn: SignInResponse) => {
    http.token = signedIn.access_token
    return signedIn
  }

  return {
    /**
     * Sends a one-time password to a 10-digit Indian mobile number; it is valid for 5 minutes (Variant A: 10).
     * @throws {ValidationError} The number is not valid.
     * @throws {TooManyRequestsError} Too many were asked for; `retryAfter` says how many seconds to wait.
     * @throws {ServerError} The message could not be sent.
     */
    sendOtp: (phone_number: string) =>
      http.post<SendOtpResponse>(http.variant === 'a' ? 'auth' : 'auth/send-otp', { phone_number }),

    /**
     * Signs in with the one-time password; an unknown number becomes a landlord's account. `status` is the next step.
     * @throws {UnauthorizedError} The one-time password is wrong, used or expired.
     */
    verify: async (phone_number: string, otp: string) =>
      storeToken(await http.post<SignInResponse>('auth/verify', { phone_number, otp })),

    /**
     * Signs in with the password, which is hashed before it is sent.
     * @throws {UnauthorizedError} Number or password are wrong.
     * @throws {TooManyRequestsError} Too many failed attempts.
     */
    login: async (phone_number: string, password: string) =>
      storeToken(
        await http.post<SignInResponse>('auth/login', {
          phone_number,
          password: await hashPassword(phone_number, password),
        }),
      ),

    /** Ends this session, or with `all` every one of the user's; the client forgets its token. */
    logout: async (options: { all?: boolean } = {}) => {
      const answer = await http.post<Message>('auth/logout', options)
      http.token = undefined
      return answer
    },

    /** All that is kept about the signed-in user, as one document. */
    exportMyData: () => http.get<PersonalData>('auth/me/export'),

    /**
     * Erases the signed-in user for good, with a one-time password that was just sent to their number; the client
     * forgets its token. Signed agreements stay with their other parties as evidence. The number can sign up anew.
     * @throws {ValidationError} The one-time password is wrong or has expired, or agreements are being signed or active: `details` names them.
     * @throws {ServerError} A signed document that belongs to the evidence cannot be fetched now.
     */
    eraseMyData: async (otp: string) => {
      const answer = await http.delete<Message>('auth/me', { otp })
      http.token = undefined
      return answer
    },

    /** The signed-in user and the next step of the onboarding. */
    me: () => http.get<CurrentUser>('auth/me'),
  }
}

export type NextStep = 'sign-in' | 'complete-profile' | 'verify-identity' | 'dashboard'

/** Where a front-end routes its user: without a status to sign-in, then through the onboarding to the dashboard. */
export const getNextStep = (status?: SignInStatus | null): NextStep => (status ? steps[status] : 'sign-in')
const steps: Record<SignInStatus, NextStep> = {
  NEEDS_PROFILE_COMPLETION: 'complete-profile',
  NEEDS_VERIFICATION: 'verify-identity',
  LOGIN_SUCCESSFUL: 'dashboard',
}
