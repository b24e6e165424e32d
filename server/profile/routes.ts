import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { CompleteKyc, CompleteProfile, KycStarted, ProfileAnswer } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { acting } from '../http/actor'
import { once } from '../http/once'
import { completeKyc, completeProfile, startKyc } from './service'

export const profileRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/profile', tags: ['Profile and eKYC'] })
    .use(acting(deps, { inactive: 'told' }))
    .put('/complete', ({ body, actor }) => completeProfile(deps, actor, body), {
      body: CompleteProfile,
      response: { 200: ProfileAnswer },
      detail: { summary: 'Complete or change the profile' },
    })
    .post(
      '/ekyc',
      ({ request, actor, body }) => once(deps, { request, actor, body }, () => startKyc(deps, actor)),
      {
        body: Type.Object({}),
        response: { 200: KycStarted },
        detail: { summary: 'Start the identity check' },
      },
    )
    .post('/ekyc/complete', ({ body, actor }) => completeKyc(deps, actor, body.verification_id), {
      body: CompleteKyc,
      response: { 200: ProfileAnswer },
      detail: { summary: 'Complete the identity check' },
    })
