import { Invitation, InvitationPage, InvitationQuery, Message, NewInvitation } from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { operatorRoutes } from '../../http/operators'
import { created } from '../../http/routes'
import { cancelInvitation, inviteLandlord, listInvitations } from './service'
import examples from './examples.json'

export const invitationRoutes = (deps: Deps) =>
  operatorRoutes(deps, { prefix: '/operations/invitations', examples })
    .post('', ({ body }) => inviteLandlord(deps, body), {
      body: NewInvitation,
      response: created(Invitation),
      detail: {
        operationId: 'inviteLandlord',
        summary: 'Invite a landlord by a message',
        description:
          'Invites a landlord by a message that leads to the sign-in. No account is made: the person signs in with a one-time password of their own, and finds the names in `GET /auth/me`, for the form of the profile. Inviting again changes an open invitation, and sends a message only if none was sent.',
        reasons: [
          'account_exists',
          'phone_number_unreachable',
          'provider_unreachable',
          'too_many_invitations',
        ],
      },
    })
    .get('', ({ query }) => listInvitations(deps, query), {
      query: InvitationQuery,
      response: { 200: InvitationPage },
      detail: {
        operationId: 'listInvitations',
        summary: 'List the invitations',
        description: 'Lists the invitations, page by page. One that has expired is deleted seven days later.',
      },
    })
    .delete('/:id', ({ params }) => cancelInvitation(deps, params.id), {
      response: { 200: Message },
      detail: {
        operationId: 'cancelInvitation',
        summary: 'Cancel an invitation',
        description:
          'Deletes an invitation, so that the person no longer finds its names. A message cannot be called back.',
        reasons: ['invitation_not_found'],
      },
    })
