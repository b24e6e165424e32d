import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  CompleteKycInput,
  CompleteProfileInput,
  CurrentUser,
  Message,
  ProfileResponse,
  StartKycResponse,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { readText } from '../../http/body/read'
import { toJsonContent, toStandardSchema } from '../../http/openapi/schemas'
import { actorRoutes, readerRoutes } from '../../http/routes'
import { getCurrentUser } from './current-user'
import { completeKyc } from './kyc'
import { createKycReceiver, KycWebhook } from './kyc-webhook'
import { completeProfile } from './service'
import { startKyc } from './start-kyc'
import examples from './examples.json'

export const profileRoutes = (deps: Deps) =>
  new Elysia()
    .use(new Elysia({ prefix: '/auth', tags: ['Sign-in'], detail: { examples } }).use(currentUser(deps)))
    .use(
      new Elysia({ prefix: '/profile', tags: ['Profile and eKYC'], detail: { examples } })
        .use(profileChanges(deps))
        .use(identityChecks(deps)),
    )

const currentUser = (deps: Deps) =>
  readerRoutes(deps).get('/me', ({ reader }) => getCurrentUser(deps, reader), {
    response: { 200: CurrentUser },
    detail: {
      operationId: 'getCurrentUser',
      summary: 'Who is signed in, and the next step',
      description:
        'Returns the user of the token and the next step of the onboarding. Call it when a page loads, to continue ' +
        'where the user stopped. `invitation` fills in the form of the profile, for the user to confirm.',
    },
  })

const profileChanges = (deps: Deps) =>
  actorRoutes(deps, { allowInactive: true }).put(
    '/complete',
    ({ body, actor, change }) => completeProfile(deps, { actor, change }, body),
    {
      body: CompleteProfileInput,
      response: { 200: ProfileResponse },
      detail: {
        operationId: 'completeProfile',
        summary: 'Complete or change the profile',
        description:
          'Stores names and e-mail address, and optionally a password. Call it again to change them; after the ' +
          'identity check the names are fixed. Another password also needs `current_password` or `otp`.',
        reasons: [
          'name_is_verified',
          'password_changed_meanwhile',
          'password_proof_missing',
          'passwords_busy',
          'too_many_wrong_otps',
          'too_many_wrong_passwords',
          'user_not_found',
          'wrong_otp',
          'wrong_password',
        ],
      },
    },
  )

const identityChecks = (deps: Deps) =>
  actorRoutes(deps, { allowInactive: true })
    .post('/ekyc', ({ actor, change }) => startKyc(deps, actor, change), {
      body: Type.Object({}),
      response: { 200: StartKycResponse },
      detail: {
        operationId: 'startIdentityCheck',
        summary: 'Start the identity check',
        description:
          'Starts the identity check. Send the user to `verification_url`, then complete the check with its ' +
          '`verification_id`. A check that is still open is returned again. The profile has to be complete.',
        reasons: [
          'already_verified',
          'kyc_given_up',
          'kyc_in_progress',
          'profile_incomplete',
          'provider_unreachable',
          'too_many_starts',
          'user_not_found',
        ],
      },
    })
    .post(
      '/ekyc/complete',
      ({ body, actor, change }) => completeKyc(deps, { actor, change }, body.verification_id),
      {
        body: CompleteKycInput,
        response: { 200: ProfileResponse },
        detail: {
          operationId: 'completeIdentityCheck',
          summary: 'Complete the identity check',
          description:
            'Reads the result of the identity check from the provider and marks the user as verified. 400 until the ' +
            'person has finished it.',
          reasons: [
            'provider_unreachable',
            'user_not_found',
            'verification_failed',
            'verification_incomplete',
            'verification_unknown',
          ],
        },
      },
    )

export function ekycWebhookRoutes(deps: Deps) {
  const receiveWebhook = createKycReceiver(deps)
  return new Elysia({ prefix: '/webhooks', tags: ['Webhooks'], detail: { security: [], examples } }).post(
    '/ekyc',
    ({ body }) => receiveWebhook(String(body ?? '')),
    {
      parse: ({ request }) => readText(request),
      response: { 200: Message },
      detail: {
        operationId: 'receiveEkycWebhook',
        summary: 'Receive a webhook of the eKYC provider',
        description:
          'The eKYC provider sends changes of an identity check here. It is not signed, so it only makes the server ' +
          'read the result from the provider.',
        reasons: ['body_not_json', 'provider_unreachable', 'webhook_id_missing'],
        requestBody: { required: true, content: toJsonContent(toStandardSchema(KycWebhook)) },
      },
    },
  )
}
