import { Elysia } from 'elysia'
import {
  LoginInput,
  LogoutInput,
  Message,
  SendOtpInput,
  SendOtpResponse,
  Session,
  SignInResponse,
  VerifyOtpInput,
  type ErrorReason,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { actorRoutes, openRoutes } from '../../http/routes'
import { readVariantClaim } from '../../http/variants/detect-variant'
import { getPolicy } from '../../http/variants/plugins'
import { loginWithPassword, logout, sendOtp, verifyOtp } from './service'
import { renewSession } from './sessions'
import { limitWrongOtps } from './sign-in-limits'
import examples from './examples.json'

export const authRoutes = (deps: Deps) => {
  const routes = new Elysia({ prefix: '/auth', tags: ['Sign-in'], detail: { examples } })
    .use(sendOtpRoute(deps, '', requestOtp))
    .use(verifyRoute(deps))
  return deps.config.API_VARIANT === 'a' ? routes : routes.use(variantBRoutes(deps))
}

const variantBRoutes = (deps: Deps) =>
  new Elysia()
    .use(sendOtpRoute(deps, '/send-otp', sendOtpDetail))
    .use(loginRoute(deps))
    .use(renewRoute(deps))
    .use(logoutRoute(deps))

const SEND_OTP_REASONS: ErrorReason[] = ['phone_number_unreachable', 'provider_unreachable', 'too_many_otps']
const sendOtpDetail = {
  operationId: 'sendOtp',
  summary: 'Send a one-time password',
  description:
    'Sends a one-time password to the phone and says whether the number has an account, as far as the server ' +
    'discloses it. In the sandbox the password is always `123456`.',
  reasons: SEND_OTP_REASONS,
}
const requestOtp = {
  ...sendOtpDetail,
  operationId: 'requestOtp',
  description:
    'Sends a one-time password to the phone, as a message of the first channel that works. It is the address of ' +
    'Variant A for this; in the sandbox the password is always `123456`. Repeat it after the wait that ' +
    '`Retry-After` names.',
}

const sendOtpRoute = (deps: Deps, path: '' | '/send-otp', detail: typeof sendOtpDetail) =>
  openRoutes().post(path, ({ body, request }) => sendOtp(deps, getPolicy(request), body.phone_number), {
    body: SendOtpInput,
    response: { 200: SendOtpResponse },
    detail,
  })

const verifyRoute = (deps: Deps) =>
  openRoutes().post(
    '/verify',
    ({ body, request }) =>
      limitWrongOtps(deps, body.phone_number, () => verifyOtp(deps, getPolicy(request).variant, body)),
    {
      body: VerifyOtpInput,
      response: { 200: SignInResponse },
      detail: {
        operationId: 'verifyOtp',
        summary: 'Sign in with the one-time password',
        description:
          'Exchanges the one-time password for an access token of seven days, and creates the account with the first ' +
          'sign-in. `status` is the next step of the onboarding. A password works once; five wrong attempts end it.',
        reasons: ['wrong_otp', 'too_many_wrong_otps'],
      },
    },
  )

const loginRoute = (deps: Deps) =>
  openRoutes().post(
    '/login',
    ({ body, request }) => loginWithPassword(deps, getPolicy(request).variant, body),
    {
      body: LoginInput,
      response: { 200: SignInResponse },
      detail: {
        operationId: 'loginWithPassword',
        summary: 'Sign in with the password',
        description:
          'Exchanges phone and password for an access token. Send what the SDK sends: PBKDF2-HMAC-SHA-256 of the ' +
          'password in 600,000 rounds with the salt `kiraya:` and the phone, as hex. An unknown phone and a wrong ' +
          'password get the same answer.',
        reasons: ['wrong_login', 'too_many_failed_logins', 'passwords_busy'],
      },
    },
  )

const renewRoute = (deps: Deps) =>
  actorRoutes(deps, { isKeyed: false }).post(
    '/renew',
    ({ change, request }) => change(renewSession, readVariantClaim(request.headers.get('authorization'))!),
    {
      response: { 200: Session },
      detail: {
        operationId: 'renewSession',
        summary: 'Renew the session',
        description:
          'Returns another token of the same session, for another seven days, but for at most 90 days after the ' +
          'sign-in. The older token stays valid until it expires, and a logout ends both.',
        reasons: ['too_many_changes'],
      },
    },
  )

const logoutRoute = (deps: Deps) =>
  actorRoutes(deps).post('/logout', ({ change, body }) => change(logout, body), {
    body: LogoutInput,
    response: { 200: Message },
    detail: {
      operationId: 'logout',
      summary: 'Sign out',
      description:
        'Ends the session of the token at once, on every instance. `all` ends every session of the user.',
    },
  })
