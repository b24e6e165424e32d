import { Elysia } from 'elysia'
import { Login, Logout, Me, Message, OtpSent, SendOtp, SignedIn, VerifyOtp } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { acting, asking } from '../http/actor'
import { policyOf } from '../http/dialect'
import { addressOf } from '../http/limits'
import { login, logout, me, sendOtp, verifyOtp } from './service'

export const authRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/auth', tags: ['Sign-in'] })
    .post(
      '',
      ({ body, request, server }) =>
        sendOtp(
          deps,
          policyOf(request),
          body.phone_number,
          addressOf(request, server, deps.config.TRUSTED_PROXIES),
        ),
      { body: SendOtp, response: { 200: OtpSent }, detail: { summary: 'Send a one-time password' } },
    )
    .post(
      '/verify',
      ({ body, request, server }) =>
        verifyOtp(
          deps,
          policyOf(request).variant,
          body,
          addressOf(request, server, deps.config.TRUSTED_PROXIES),
        ),
      {
        body: VerifyOtp,
        response: { 200: SignedIn },
        detail: { summary: 'Sign in with the one-time password' },
      },
    )
    .use(
      new Elysia().use(asking(deps)).get('/me', ({ asker }) => me(asker), {
        response: { 200: Me },
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
          policyOf(request),
          body.phone_number,
          addressOf(request, server, deps.config.TRUSTED_PROXIES),
        ),
      { body: SendOtp, response: { 200: OtpSent }, detail: { summary: 'Send a one-time password' } },
    )
    .post(
      '/login',
      ({ body, request, server }) =>
        login(deps, policyOf(request).variant, body, addressOf(request, server, deps.config.TRUSTED_PROXIES)),
      { body: Login, response: { 200: SignedIn }, detail: { summary: 'Sign in with the password' } },
    )
    .use(acting(deps))
    .post('/logout', ({ body, actor }) => logout(deps, actor, body), {
      body: Logout,
      response: { 200: Message },
      detail: { summary: 'Sign out' },
    })
