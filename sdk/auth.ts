import type { HttpClient } from './http-client.ts'
import type { CallOptions } from './options.ts'
import { hashPassword } from './password.ts'
import { normalizePhone } from './phone.ts'
import type {
  CurrentUser,
  LogoutInput,
  Message,
  PersonalData,
  SendOtpResponse,
  Session,
  SignInResponse,
  SignInStatus,
} from '#types'

/** Sign-in and sign-out. The client stores the token of a sign-in and sends it with every later call. */
export interface AuthCalls extends ReturnType<typeof createAuth> {}

export function createAuth(http: HttpClient) {
  const storeToken = ({ access_token }: Session | SignInResponse) => http.session.save(access_token)
  const dropToken = () => http.session.save(undefined)
  const signIn = { hasProof: true, onSuccess: storeToken }

  return {
    /**
     * Sends a one-time password to an Indian mobile number, with or without +91, spaces and dashes. It is valid
     * for 5 minutes (Variant A: 10).
     * @throws {ValidationError} The number is not valid.
     * @throws {TooManyRequestsError} Too many one-time passwords were requested.
     * @throws {ServerError} The message cannot be sent.
     * @example
     * await kiraya.auth.sendOtp('9876543210')
     */
    sendOtp: (phone_number: string, options?: CallOptions) => {
      const path = http.variant === 'a' ? 'auth' : 'auth/send-otp'
      return http.send<SendOtpResponse>(path, { phone_number: normalizePhone(phone_number) }, options)
    },

    /**
     * Signs in with the one-time password and returns the token, the user and the next step of the
     * onboarding. An unknown number gets a new landlord account. The call is sent once, whatever happens.
     * @throws {UnauthorizedError} The one-time password is wrong, used or expired.
     * @example
     * const { user, status } = await kiraya.auth.verify('9876543210', '123456')
     */
    verify: (phone_number: string, otp: string, options?: CallOptions) =>
      http.send<SignInResponse>(
        'auth/verify',
        { phone_number: normalizePhone(phone_number), otp },
        options,
        signIn,
      ),

    /**
     * Signs in with a password, which is hashed before it is sent. Returns the same as `verify`. The call is
     * sent once, whatever happens.
     * @throws {UnauthorizedError} The number or the password is wrong.
     * @throws {TooManyRequestsError} Too many attempts failed.
     * @example
     * const { user, status } = await kiraya.auth.login('9876543210', 'correct horse')
     */
    login: (phone_number: string, password: string, options?: CallOptions) => {
      const phone = normalizePhone(phone_number)
      const hash = async () => ({ phone_number: phone, password: await hashPassword(phone, password) })
      return http.send<SignInResponse>('auth/login', hash, options, signIn)
    },

    /**
     * Returns another token of this session for another 7 days, at most until 90 days after the sign-in; the client
     * sends it from now on. The older token stays valid until it expires. A client renews by itself, unless `autoRenew`
     * is false.
     * @throws {UnauthorizedError} The session has ended.
     * @example
     * const { expires_at } = await kiraya.auth.renew()
     */
    renew: (options?: CallOptions) =>
      http.send<Session>('auth/renew', undefined, options, { onSuccess: storeToken }),

    /**
     * Ends this session, or with `all` every session of the user. The client drops its token.
     * @example
     * await kiraya.auth.logout({ all: true })
     */
    logout: (input: LogoutInput = {}, options?: CallOptions) =>
      http.send<Message>('auth/logout', input, options, { onSuccess: dropToken }),

    /**
     * Returns the signed-in user and the next step of the onboarding.
     * @example
     * const { user, status } = await kiraya.auth.me()
     */
    me: (options?: CallOptions) => http.get<CurrentUser>('auth/me', options),

    /**
     * Returns all stored data about the signed-in user. What changes while it is sent may be in it before or after the change.
     * @example
     * const { exported_at, tables } = await kiraya.auth.exportMyData()
     */
    exportMyData: (options?: CallOptions) => http.get<PersonalData>('auth/me/export', options),

    /**
     * Erases the signed-in user for good. Needs a one-time password that was just sent to the user's number.
     * Signed agreements stay with their other parties as evidence. The number can sign up again. The client
     * drops its token. The call is sent once, whatever happens.
     * @throws {UnauthorizedError} The one-time password is wrong or expired.
     * @throws {ValidationError} Agreements are active or being signed, a deposit is held, or a certificate is not stored
     * yet; `details` lists the agreements.
     * @throws {ServerError} Others hold the same records; the same one-time password works again.
     * @example
     * await kiraya.auth.eraseMyData('123456')
     */
    eraseMyData: (otp: string, options?: CallOptions) =>
      http.delete<Message>('auth/me', options, { otp }, { hasProof: true, onSuccess: dropToken }),
  }
}

/** The page that a front-end shows next. */
export type NextStep = 'sign-in' | 'complete-profile' | 'verify-identity' | 'dashboard'

const nextSteps: Record<SignInStatus, NextStep> = {
  NEEDS_PROFILE_COMPLETION: 'complete-profile',
  NEEDS_VERIFICATION: 'verify-identity',
  LOGIN_SUCCESSFUL: 'dashboard',
}

/**
 * Returns the page that a front-end shows next; without a status this is the sign-in.
 * @example
 * const { status } = await kiraya.auth.me()
 * const page = getNextStep(status)
 */
export const getNextStep = (status?: SignInStatus | null): NextStep =>
  status ? nextSteps[status] : 'sign-in'
