import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  CompleteKycInput,
  CompleteProfileInput,
  StartKycResponse,
  ProfileResponse,
} from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { withActor } from '../http/authentication'
import { getClientAddress } from '../http/client-ip'
import { withIdempotency } from '../http/idempotency'
import { completeKyc } from './kyc'
import { completeProfile } from './service'
import { startKyc } from './start-kyc'

export const profileRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/profile', tags: ['Profile and eKYC'] })
    .use(withActor(deps, { allowInactive: true }))
    .put(
      '/complete',
      ({ body, actor, request, server }) =>
        completeProfile(deps, actor, body, getClientAddress(request, server, deps.config.TRUSTED_PROXIES)),
      {
        body: CompleteProfileInput,
        response: { 200: ProfileResponse },
        detail: { summary: 'Complete or change the profile' },
      },
    )
    .post(
      '/ekyc',
      ({ request, actor, body }) =>
        withIdempotency(deps, { request, actor, body }, () => startKyc(deps, actor)),
      {
        body: Type.Object({}),
        response: { 200: StartKycResponse },
        detail: { summary: 'Start the identity check' },
      },
    )
    .post('/ekyc/complete', ({ body, actor }) => completeKyc(deps, actor, body.verification_id), {
      body: CompleteKycInput,
      response: { 200: ProfileResponse },
      detail: { summary: 'Complete the identity check' },
    })
