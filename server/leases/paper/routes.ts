import { Elysia } from 'elysia'
import { AgreementResponse, DraftResponse, RecordInput } from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { actorRoutes } from '../../http/routes'
import { AgreementPath } from '../queries'
import { AGREEMENT_CHANGE } from '../reasons'
import { acceptAgreement } from './acceptance'
import { recordAgreement } from './record'
import examples from './examples.json'

/** Leases that were signed on paper. */
export const paperRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/agreements/:id', tags: ['Agreements'], detail: { examples } })
    .use(landlordChanges(deps))
    .use(tenantChanges(deps))

const landlordChanges = (deps: Deps) =>
  actorRoutes(deps).post(
    '/record',
    async ({ actor, change, params, body }) => {
      const recorded = await change(recordAgreement, params.id, body)
      deps.log.audit('agreement_recorded', { agreement: recorded.data.id, user: actor.id })
      return recorded
    },
    {
      params: AgreementPath,
      body: RecordInput,
      response: { 200: DraftResponse },
      detail: {
        operationId: 'recordAgreement',
        summary: 'Record that a draft was signed on paper',
        description:
          'Makes a draft that all parties signed on paper ACTIVE at once. A tenure that is over ends, or is extended ' +
          'if the lease renews itself. Timeline and documents say that the landlord recorded it and that it was not ' +
          "signed electronically; until a tenant accepts it, it is no consent of theirs. For the landlord's side only.",
        reasons: [
          ...AGREEMENT_CHANGE,
          'date_in_future',
          'tenants_declined',
          'tenants_erased',
          'unit_overlap',
        ],
      },
    },
  )

const tenantChanges = (deps: Deps) =>
  actorRoutes(deps).post('/acceptance', ({ change, params }) => change(acceptAgreement, params.id), {
    params: AgreementPath,
    response: { 200: AgreementResponse },
    detail: {
      operationId: 'acceptAgreement',
      summary: 'Accept a recorded lease, as a tenant',
      description:
        'Accepts a lease that the landlord recorded as signed on paper, as a signature would; to report a payment ' +
        'accepts it too. To repeat it changes nothing. Only a tenant of the lease may.',
      reasons: ['not_recorded', 'not_tenant'],
    },
  })
