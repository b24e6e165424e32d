import { Elysia } from 'elysia'
import {
  AcceptInput,
  Deposit,
  DepositResponse,
  DepositSettlementResponse,
  DisputeInput,
  NewSettlement,
  SettlementPosting,
} from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { parseRecordId } from '../domain/record-id'
import { withActor, withReader } from '../http/authentication'
import { createdStatus } from '../http/created'
import { idempotencyParameters, withIdempotency } from '../http/idempotency'
import { Pdf, toPdfResponse } from '../http/pdf-response'
import { toRawJsonSchema } from '../http/raw-json'
import { results } from '../messages/results'
import { selectDeposit } from './queries'
import { createSettlementPdf } from './settlement-sheet'
import { acceptSettlement, disputeSettlement, postDepositSettlement, proposeSettlement } from './service'

export const depositRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Deposits'] })
    .use(depositReads(deps))
    .use(landlordChanges(deps))
    .use(tenantChanges(deps))

const depositReads = (deps: Deps) =>
  new Elysia()
    .use(withReader(deps))
    .get(
      '/agreements/:id/deposit',
      async ({ reader, params }) => {
        const id = parseRecordId(params.id, 'agreement_not_found')
        const data = await reader.one('agreement_not_found', Deposit, selectDeposit, id)
        return { message: results.deposit, data }
      },
      {
        response: { 200: toRawJsonSchema(DepositResponse) },
        detail: { summary: 'Get the deposit of an agreement' },
      },
    )
    .get(
      '/agreements/:id/deposit/settlement/pdf',
      async ({ reader, params }) => {
        const { name, content } = await reader.inDocumentTurn(() =>
          createSettlementPdf(deps, reader, params.id),
        )
        return toPdfResponse(name, content)
      },
      {
        response: { 200: Pdf },
        detail: { summary: 'Download the settlement of the deposit, a PDF' },
      },
    )

const landlordChanges = (deps: Deps) =>
  new Elysia()
    .use(createdStatus)
    .use(withActor(deps))
    .post(
      '/agreements/:id/deposit/settlement',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () =>
          proposeSettlement(deps, actor, params.id, body),
        ),
      {
        created: true,
        body: NewSettlement,
        response: { 201: DepositSettlementResponse },
        detail: { summary: 'Propose how to settle the deposit', ...idempotencyParameters },
      },
    )
    .post(
      '/agreements/:id/deposit/settlement/post',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () =>
          postDepositSettlement(deps, actor, params.id, body),
        ),
      {
        body: SettlementPosting,
        response: { 200: DepositSettlementResponse },
        detail: { summary: 'Post the settlement of the deposit', ...idempotencyParameters },
      },
    )

const tenantChanges = (deps: Deps) =>
  new Elysia()
    .use(withActor(deps))
    .post(
      '/agreements/:id/deposit/settlement/accept',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => acceptSettlement(deps, actor, params.id, body)),
      {
        body: AcceptInput,
        response: { 200: DepositSettlementResponse },
        detail: { summary: 'Accept the settlement, as a tenant', ...idempotencyParameters },
      },
    )
    .post(
      '/agreements/:id/deposit/settlement/dispute',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () =>
          disputeSettlement(deps, actor, params.id, body),
        ),
      {
        body: DisputeInput,
        response: { 200: DepositSettlementResponse },
        detail: { summary: 'Dispute the settlement, as a tenant', ...idempotencyParameters },
      },
    )
