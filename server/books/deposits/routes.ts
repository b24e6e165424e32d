import { Elysia } from 'elysia'
import {
  AcceptInput,
  DepositResponse,
  DepositSettlementResponse,
  DisputeInput,
  NewSettlement,
  SettlementPosting,
  type ErrorReason,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { actorRoutes, created, readerRoutes } from '../../http/routes'
import { rawJson } from '../../http/reads/raw-json'
import { AgreementPath } from '../../leases/queries'
import { results, toResult } from '../../messages/results'
import { selectDeposit } from './queries'
import { decideSettlement, postDepositSettlement, proposeSettlement } from './service'
import { ANSWER_DAYS } from './settlement'
import examples from './examples.json'

const SETTLEMENT_DECISION: ErrorReason[] = [
  'books_not_open',
  'not_tenant',
  'settlement_not_found',
  'settlement_replaced',
  'settlement_wrong_status',
]

export const depositRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/agreements/:id/deposit', tags: ['Deposits'], detail: { examples } })
    .use(depositReads(deps))
    .use(landlordChanges(deps))
    .use(tenantChanges(deps))

const depositReads = (deps: Deps) =>
  readerRoutes(deps).get(
    '',
    ({ reader, params }) =>
      toResult(results.deposit, reader.one(selectDeposit, params.id, 'agreement_not_found')),
    {
      params: AgreementPath,
      response: { 200: rawJson(DepositResponse) },
      detail: {
        operationId: 'getDeposit',
        summary: 'Get the deposit of an agreement',
        description:
          'Returns what was agreed as a deposit, what the landlord holds of it, and how it was or is to ' +
          'be settled.',
      },
    },
  )

const landlordChanges = (deps: Deps) =>
  actorRoutes(deps)
    .guard({ params: AgreementPath })
    .post('/settlement', ({ change, params, body }) => change(proposeSettlement, params.id, body), {
      body: NewSettlement,
      response: created(DepositSettlementResponse),
      detail: {
        operationId: 'proposeSettlement',
        summary: 'Propose how to settle the deposit',
        description:
          'Proposes how to settle the deposit of a TERMINATED agreement: open charges and `deductions` ' +
          'are taken from it, and the rest is refunded. It replaces a proposal that is not posted yet; a ' +
          "tenant then accepts or disputes it. For the landlord's side only.",
        reasons: [
          'not_unit_side',
          'wrong_status',
          'books_not_open',
          'deposit_not_held',
          'settlement_wrong_status',
          'too_many_postings',
        ],
      },
    })
    .post('/settlement/post', ({ change, params, body }) => change(postDepositSettlement, params.id, body), {
      body: SettlementPosting,
      response: { 200: DepositSettlementResponse },
      detail: {
        operationId: 'postSettlement',
        summary: 'Post the settlement of the deposit',
        description:
          'Posts a settlement that was accepted, also on paper, or disputed: deductions become charges, the deposit ' +
          'settles what is owed and the rest is refunded. Deductions above the deposit stay owed. With `unanswered` ' +
          `no answer is needed ${ANSWER_DAYS} days after a message told the last tenant. 400 if what is held or open ` +
          "has changed since the proposal: propose it again. For the landlord's side only.",
        reasons: [
          'books_not_open',
          'date_in_future',
          'not_unit_side',
          'refund_method_missing',
          'settlement_awaits_answer',
          'settlement_not_found',
          'settlement_not_told',
          'settlement_outdated',
          'settlement_wrong_status',
        ],
      },
    })

const tenantChanges = (deps: Deps) =>
  actorRoutes(deps)
    .guard({ params: AgreementPath, response: { 200: DepositSettlementResponse } })
    .post(
      '/settlement/accept',
      ({ change, params, body }) => change(decideSettlement, params.id, 'accepted', body),
      {
        body: AcceptInput,
        detail: {
          operationId: 'acceptSettlement',
          summary: 'Accept the settlement, as a tenant',
          description: 'Accepts the proposed settlement. For tenants of the agreement only.',
          reasons: SETTLEMENT_DECISION,
        },
      },
    )
    .post(
      '/settlement/dispute',
      ({ change, params, body }) => change(decideSettlement, params.id, 'disputed', body),
      {
        body: DisputeInput,
        detail: {
          operationId: 'disputeSettlement',
          summary: 'Dispute the settlement, as a tenant',
          description:
            'Disputes the proposed settlement. The reason stays on record, also once the landlord posts ' +
            'it. Only a tenant of the agreement may.',
          reasons: SETTLEMENT_DECISION,
        },
      },
    )
