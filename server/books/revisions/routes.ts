import { Elysia } from 'elysia'
import {
  AcceptanceInput,
  NewRentRevision,
  RentRevisionPage,
  RentRevisionQuery,
  RentRevisionResponse,
  type ErrorReason,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { actorRoutes, created, readerRoutes } from '../../http/routes'
import { rawJson } from '../../http/reads/raw-json'
import { AgreementPath, ofAgreement } from '../../leases/queries'
import { results, toPageResult } from '../../messages/results'
import { RevisionPath, selectRevisionPage } from './queries'
import { decideRevision, proposeRevision } from './service'
import examples from './examples.json'

const LANDLORD_CHANGE: ErrorReason[] = ['books_not_open', 'not_unit_side', 'wrong_status']
const TENANT_DECISION: ErrorReason[] = ['books_not_open', 'not_tenant', 'revision_decided', 'wrong_status']

export const revisionRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/agreements/:id/rent-revisions', tags: ['Agreements'], detail: { examples } })
    .use(revisionReads(deps))
    .use(landlordChanges(deps))
    .use(tenantDecisions(deps))

const revisionReads = (deps: Deps) =>
  readerRoutes(deps).get(
    '',
    ({ reader, params, query }) =>
      toPageResult(results.revisions, reader.page(selectRevisionPage, { ...params, ...query }, ofAgreement)),
    {
      params: AgreementPath,
      query: RentRevisionQuery,
      response: { 200: rawJson(RentRevisionPage) },
      detail: {
        operationId: 'listRentRevisions',
        summary: 'List the revisions of the rent',
        description:
          "Lists the rents that the landlord's side proposed for a lease, page by page. The escalations " +
          'that are agreed are in its schedule.',
      },
    },
  )

const landlordChanges = (deps: Deps) =>
  actorRoutes(deps)
    .post('', ({ change, params, body }) => change(proposeRevision, params.id, body), {
      params: AgreementPath,
      body: NewRentRevision,
      response: created(RentRevisionResponse),
      detail: {
        operationId: 'proposeRentRevision',
        summary: 'Propose another rent',
        description:
          'Proposes another rent of an ACTIVE agreement, from a day on that is not past. A tenant ' +
          "accepts or declines it. Less than three months' notice is a warning. For the landlord's side " +
          'only.',
        reasons: [
          ...LANDLORD_CHANGE,
          'escalation_too_high',
          'revision_exists',
          'revision_outside_lease',
          'too_many_postings',
        ],
      },
    })
    .post('/:revisionId/withdraw', ({ change, params }) => change(decideRevision, params, 'withdrawn'), {
      params: RevisionPath,
      response: { 200: RentRevisionResponse },
      detail: {
        operationId: 'withdrawRentRevision',
        summary: 'Withdraw a proposed rent',
        description:
          'Withdraws a proposed rent: a tenant can no longer accept it, and another rent may be proposed ' +
          "from its day on. 400 once it was accepted or declined. For the landlord's side only.",
        reasons: [...LANDLORD_CHANGE, 'revision_decided'],
      },
    })

const tenantDecisions = (deps: Deps) =>
  actorRoutes(deps)
    .guard({ params: RevisionPath, response: { 200: RentRevisionResponse } })
    .post(
      '/:revisionId/accept',
      ({ change, params, body }) => change(decideRevision, params, 'accepted', body),
      {
        body: AcceptanceInput,
        detail: {
          operationId: 'acceptRentRevision',
          summary: 'Accept a proposed rent, as a tenant or on paper',
          description:
            'Accepts a proposed rent: the schedule has it from its day on, and later escalations raise it. ' +
            'What is already posted of a period that reaches that day is corrected by a credit or a ' +
            "further charge. Only a tenant of the agreement may; with `accepted_on_paper` the landlord's side " +
            'enters what tenants accepted on paper. Silence accepts nothing.',
          reasons: [...TENANT_DECISION, 'date_in_future', 'not_unit_side'],
        },
      },
    )
    .post('/:revisionId/decline', ({ change, params }) => change(decideRevision, params, 'declined'), {
      detail: {
        operationId: 'declineRentRevision',
        summary: 'Decline a proposed rent, as a tenant',
        description: 'Declines a proposed rent. For tenants of the agreement only.',
        reasons: TENANT_DECISION,
      },
    })
