import { Elysia } from 'elysia'
import {
  LoginInput,
  LogoutInput,
  CurrentUser,
  Message,
  SendOtpResponse,
  SendOtpInput,
  SignInResponse,
  VerifyOtpInput,
} from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { withActor, withReader } from '../http/authentication'
import { getPolicy } from '../http/variant-plugins'
import { loginWithPassword, logout, getCurrentUser, sendOtp, verifyOtp } from './service'
import { getClientAddress } from '../http/client-ip'

export const authRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/auth', tags: ['Sign-in'] })
    .post(
      '',
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
    .post(
      '/verify',
      ({ body, request, server }) =>
        verifyOtp(
          deps,
          getPolicy(request).variant,
          body,
          getClientAddress(request, server, deps.config.TRUSTED_PROXIES),
        ),
      {
        body: VerifyOtpInput,
        response: { 200: SignInResponse },
        detail: { summary: 'Sign in with the one-time password' },
      },
    )
    .use(
      new Elysia().use(withReader(deps)).get('/me', ({ asker }) => getCurrentUser(asker), {
        response: { 200: CurrentUser },
        detail: { summary: 'Who is signed in, and the next step' },
      }),
    )
    .use(deps.config.API_VARIANT === 'a' ? new Elysia() : onlyInB(deps))

const onlyInB = (deps: Deps) =>
  new Elysia()
    .post(
      '/send-otp',
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
    .post(
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
    .use(withActor(deps))
    .post('/logout', ({ body, actor }) => logout(deps, actor, body), {
      body: LogoutInput,
      response: { 200: Message },
      detail: { summary: 'Sign out' },
    })
