import { Elysia } from 'elysia'
import {
  AgreementResponse,
  DraftResponse,
  ObjectionInput,
  RecordInput,
  type ErrorReason,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { actorRoutes, created } from '../../http/routes'
import { AgreementPath } from '../queries'
import { AGREEMENT_CHANGE, OPENING } from '../reasons'
import { acceptAgreement } from './acceptance'
import { objectToAgreement, withdrawObjection } from './objection'
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
          ...OPENING,
          'date_in_future',
          'tenants_declined',
          'tenants_erased',
          'unit_overlap',
        ],
      },
    },
  )

const TENANT: ErrorReason[] = ['not_recorded', 'not_tenant']

const tenantChanges = (deps: Deps) =>
  actorRoutes(deps)
    .post('/acceptance', ({ change, params }) => change(acceptAgreement, params.id), {
      params: AgreementPath,
      response: { 200: AgreementResponse },
      detail: {
        operationId: 'acceptAgreement',
        summary: 'Accept a recorded lease, as a tenant',
        description:
          'Accepts a lease that the landlord recorded as signed on paper, as a signature would; to report a payment ' +
          'accepts it too. To repeat it changes nothing. Only a tenant of the lease may.',
        reasons: TENANT,
      },
    })
    .post('/objection', ({ change, params, body }) => change(objectToAgreement, params.id, body), {
      params: AgreementPath,
      body: ObjectionInput,
      response: created(AgreementResponse),
      detail: {
        operationId: 'objectToAgreement',
        summary: 'Object to a recorded lease, as a tenant',
        description:
          'Objects to a lease as the landlord recorded it. Until the tenant withdraws it, the lease has a warning, and ' +
          'its certificate, statement and settlement sheet show it. A tenant has one open objection.',
        reasons: [...TENANT, 'objection_open'],
      },
    })
    .delete('/objection', ({ change, params }) => change(withdrawObjection, params.id), {
      params: AgreementPath,
      response: { 200: AgreementResponse },
      detail: {
        operationId: 'withdrawObjection',
        summary: 'Withdraw the objection to a recorded lease, as a tenant',
        description: 'Withdraws the objection of the caller; the timeline keeps it.',
        reasons: [...TENANT, 'objection_not_found'],
      },
    })
