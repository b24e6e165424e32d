import type {
  CurrentUser,
  LogoutInput,
  Message,
  PersonalData,
  SendOtpResponse,
  SignInResponse,
  SignInStatus,
} from './contract/index.ts'
import type { HttpClient } from './http-client.ts'
import { hashPassword } from './password.ts'

/** Sign-in and sign-out. The client stores the token of a sign-in and sends it with every later call. */
export function createAuth(http: HttpClient) {
  const storeToken = (response: SignInResponse) => {
    http.token = response.access_token
    return response
  }

  return {
    /**
     * Sends a one-time password to a 10-digit Indian mobile number. It is valid for 5 minutes (Variant A:
     * 10).
     * @throws {ValidationError} The number is not valid.
     * @throws {TooManyRequestsError} Too many one-time passwords were requested.
     * @throws {ServerError} The message cannot be sent.
     */
    sendOtp: (phone_number: string) => {
      const path = http.variant === 'a' ? 'auth' : 'auth/send-otp'
      return http.post<SendOtpResponse>(path, { phone_number })
    },

    /**
     * Signs in with the one-time password and returns the token, the user and the next step of the
     * onboarding. An unknown number gets a new landlord account.
     * @throws {UnauthorizedError} The one-time password is wrong, used or expired.
     */
    verify: async (phone_number: string, otp: string) => {
      const response = await http.post<SignInResponse>('auth/verify', { phone_number, otp })
      return storeToken(response)
    },

    /**
     * Signs in with a password, which is hashed before it is sent. Returns the same as `verify`.
     * @throws {UnauthorizedError} The number or the password is wrong.
     * @throws {TooManyRequestsError} Too many attempts failed.
     */
    login: async (phone_number: string, password: string) => {
      const passwordHash = await hashPassword(phone_number, password)
      const response = await http.post<SignInResponse>('auth/login', { phone_number, password: passwordHash })
      return storeToken(response)
    },

    /** Ends this session, or with `all` every session of the user. The client drops its token. */
    logout: async (options: LogoutInput = {}) => {
      const response = await http.post<Message>('auth/logout', options)
      http.token = undefined
      return response
    },

    /** Returns the signed-in user and the next step of the onboarding. */
    me: () => http.get<CurrentUser>('auth/me'),

    /** Returns all stored data about the signed-in user. */
    exportMyData: () => http.get<PersonalData>('auth/me/export'),

    /**
     * Erases the signed-in user for good. Needs a one-time password that was just sent to the user's number.
     * Signed agreements stay with their other parties as evidence. The number can sign up again. The client
     * drops its token.
     * @throws {UnauthorizedError} The one-time password is wrong or expired.
     * @throws {ValidationError} Agreements are active or being signed; `details` lists them.
     * @throws {ServerError} A signed document that must be kept as evidence is not available now.
     */
    eraseMyData: async (otp: string) => {
      const response = await http.delete<Message>('auth/me', { otp })
      http.token = undefined
      return response
    },
  }
}

export type NextStep = 'sign-in' | 'complete-profile' | 'verify-identity' | 'dashboard'

const nextSteps: Record<SignInStatus, NextStep> = {
  NEEDS_PROFILE_COMPLETION: 'complete-profile',
  NEEDS_VERIFICATION: 'verify-identity',
  LOGIN_SUCCESSFUL: 'dashboard',
}

/** Returns the page that a front-end shows next; without a status this is the sign-in. */
export const getNextStep = (status?: SignInStatus | null): NextStep =>
  status ? nextSteps[status] : 'sign-in'
