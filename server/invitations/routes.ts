import { Elysia } from 'elysia'
import { Invitation, InvitationPage, InvitationQuery, Message, NewInvitation } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { createdStatus } from '../http/created'
import { coerceQuery } from '../http/query-params'
import { operators } from '../http/operators'
import { cancelInvitation, inviteLandlord, listInvitations } from './service'

export const invitationRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/operations/invitations', tags: ['Operations'] })
    .use(createdStatus)
    .use(operators(deps))
    .post('', ({ body }) => inviteLandlord(deps, body), {
      created: true,
      body: NewInvitation,
      response: { 201: Invitation },
      detail: { summary: 'Invite a landlord by a message' },
    })
    .get('', ({ query }) => listInvitations(deps, query), {
      ...coerceQuery(InvitationQuery),
      response: { 200: InvitationPage },
      detail: { summary: 'List the invitations' },
    })
    .delete('/:id', ({ params }) => cancelInvitation(deps, params.id), {
      response: { 200: Message },
      detail: { summary: 'Cancel an invitation' },
    })
