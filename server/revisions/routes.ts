import { Elysia } from 'elysia'
import {
  NewRentRevision,
  RentRevisionPage,
  RentRevisionQuery,
  RentRevisionResponse,
} from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { parseRecordId } from '../domain/record-id'
import { withActor, withReader } from '../http/authentication'
import { createdStatus } from '../http/created'
import { idempotencyParameters, withIdempotency } from '../http/idempotency'
import { coerceQuery } from '../http/query-params'
import { toRawJsonSchema } from '../http/raw-json'
import { results } from '../messages/results'
import { selectRevised, selectRevisionPage } from './queries'
import { acceptRevision, declineRevision, proposeRevision, withdrawRevision } from './service'

export const revisionRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Agreements'] }).use(revisionReads(deps)).use(revisionChanges(deps))

const revisionReads = (deps: Deps) =>
  new Elysia().use(withReader(deps)).get(
    '/agreements/:id/rent-revisions',
    async ({ reader, params, query }) => {
      const given = { agreementId: parseRecordId(params.id, 'agreement_not_found') }
      const parent = { missing: 'agreement_not_found' as const, rows: selectRevised }
      const page = await reader.page(RentRevisionPage, selectRevisionPage, given, query, parent)
      return { message: results.revisions, ...page }
    },
    {
      ...coerceQuery(RentRevisionQuery),
      response: { 200: toRawJsonSchema(RentRevisionPage) },
      detail: { summary: 'List the revisions of the rent' },
    },
  )

const revisionChanges = (deps: Deps) =>
  new Elysia()
    .use(createdStatus)
    .use(withActor(deps))
    .post(
      '/agreements/:id/rent-revisions',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => proposeRevision(deps, actor, params.id, body)),
      {
        created: true,
        body: NewRentRevision,
        response: { 201: RentRevisionResponse },
        detail: { summary: 'Propose another rent', ...idempotencyParameters },
      },
    )
    .post(
      '/agreements/:id/rent-revisions/:revisionId/accept',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () =>
          acceptRevision(deps, actor, params.id, params.revisionId),
        ),
      {
        response: { 200: RentRevisionResponse },
        detail: { summary: 'Accept a proposed rent, as a tenant', ...idempotencyParameters },
      },
    )
    .post(
      '/agreements/:id/rent-revisions/:revisionId/decline',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () =>
          declineRevision(deps, actor, params.id, params.revisionId),
        ),
      {
        response: { 200: RentRevisionResponse },
        detail: { summary: 'Decline a proposed rent, as a tenant', ...idempotencyParameters },
      },
    )
    .post(
      '/agreements/:id/rent-revisions/:revisionId/withdraw',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () =>
          withdrawRevision(deps, actor, params.id, params.revisionId),
        ),
      {
        response: { 200: RentRevisionResponse },
        detail: { summary: 'Withdraw a proposed rent', ...idempotencyParameters },
      },
    )
