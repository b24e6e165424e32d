import { Elysia } from 'elysia'
import {
  CurrentUser,
  LoginInput,
  LogoutInput,
  Message,
  SendOtpInput,
  SendOtpResponse,
  SignInResponse,
  VerifyOtpInput,
} from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { withActor, withReader } from '../http/authentication'
import { getClientAddress } from '../http/client-ip'
import { getPolicy } from '../http/variant-plugins'
import { limitWrongOtps } from './access'
import { getCurrentUser } from './current-user'
import { loginWithPassword, logout, sendOtp, verifyOtp } from './service'

export const authRoutes = (deps: Deps) => {
  const routes = new Elysia({ prefix: '/auth', tags: ['Sign-in'] })
    .use(sendOtpRoute(deps, ''))
    .use(verifyRoute(deps))
    .use(currentUserRoute(deps))
  return deps.config.API_VARIANT === 'a' ? routes : routes.use(variantBRoutes(deps))
}

const variantBRoutes = (deps: Deps) =>
  new Elysia().use(sendOtpRoute(deps, '/send-otp')).use(loginRoute(deps)).use(logoutRoute(deps))

const sendOtpRoute = (deps: Deps, path: '' | '/send-otp') =>
  new Elysia().post(
    path,
    ({ body, request, server }) =>
      sendOtp(
        deps,
        getPolicy(request),
        body.phone_number,
        getClientAddress(request, server, deps.config.TRUSTED_PROXIES),
      ),
    {
      body: SendOtpInput,
      response: { 200: SendOtpResponse },
      detail: { summary: 'Send a one-time password' },
    },
  )

const verifyRoute = (deps: Deps) =>
  new Elysia().post(
    '/verify',
    ({ body, request, server }) => {
      const address = getClientAddress(request, server, deps.config.TRUSTED_PROXIES)
      const { variant } = getPolicy(request)
      const client = { phone: body.phone_number, address }
      return limitWrongOtps(deps, client, () => verifyOtp(deps, variant, body, address))
    },
    {
      body: VerifyOtpInput,
      response: { 200: SignInResponse },
      detail: { summary: 'Sign in with the one-time password' },
    },
  )

const currentUserRoute = (deps: Deps) =>
  new Elysia().use(withReader(deps)).get('/me', ({ reader }) => getCurrentUser(deps, reader), {
    response: { 200: CurrentUser },
    detail: { summary: 'Who is signed in, and the next step' },
  })

const loginRoute = (deps: Deps) =>
  new Elysia().post(
    '/login',
    ({ body, request, server }) =>
      loginWithPassword(
        deps,
        getPolicy(request).variant,
        body,
        getClientAddress(request, server, deps.config.TRUSTED_PROXIES),
      ),
    {
      body: LoginInput,
      response: { 200: SignInResponse },
      detail: { summary: 'Sign in with the password' },
    },
  )

const logoutRoute = (deps: Deps) =>
  new Elysia().use(withActor(deps)).post('/logout', ({ body, actor }) => logout(deps, actor, body), {
    body: LogoutInput,
    response: { 200: Message },
    detail: { summary: 'Sign out' },
  })
