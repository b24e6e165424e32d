import { Elysia } from 'elysia'
import {
  AllocationChange,
  BounceInput,
  ClearInput,
  ConfirmInput,
  NewPayment,
  NewRefund,
  Payment,
  PaymentChange,
  PaymentPage,
  PaymentQuery,
  PaymentResponse,
  RefundResponse,
  RejectInput,
  ReverseInput,
  TdsQuery,
  TdsResponse,
} from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { toIndianDate } from '../domain/dates'
import { parseRecordId } from '../domain/record-id'
import { withActor, withReader } from '../http/authentication'
import { createdStatus } from '../http/created'
import { idempotencyParameters, withIdempotency } from '../http/idempotency'
import { coerceQuery } from '../http/query-params'
import { toRawJsonSchema } from '../http/raw-json'
import { toBookFilters } from '../ledger/queries'
import { results } from '../messages/results'
import { selectPayment, selectPaymentPage } from './queries'
import { createRefund } from './refunds'
import {
  bouncePayment,
  changeAllocations,
  clearPayment,
  confirmPayment,
  createPayment,
  rejectPayment,
  reversePayment,
  updatePayment,
} from './service'
import { loadTds } from './tds-view'

export const paymentRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Payments'] })
    .use(paymentReads(deps))
    .use(newPayments(deps))
    .use(chequeChanges(deps))
    .use(paymentChanges(deps))

const paymentReads = (deps: Deps) =>
  new Elysia()
    .use(withReader(deps))
    .get(
      '/payments',
      async ({ reader, query }) => ({
        message: results.payments,
        ...(await reader.page(PaymentPage, selectPaymentPage, toBookFilters(query), query)),
      }),
      {
        ...coerceQuery(PaymentQuery),
        response: { 200: toRawJsonSchema(PaymentPage) },
        detail: { summary: 'List the payments of the caller’s agreements' },
      },
    )
    .get(
      '/payments/:id',
      async ({ reader, params }) => {
        const key = parseRecordId(params.id, 'payment_not_found')
        return {
          message: results.payment,
          data: await reader.one('payment_not_found', Payment, selectPayment, key),
        }
      },
      { response: { 200: toRawJsonSchema(PaymentResponse) }, detail: { summary: 'Get a payment' } },
    )
    .get(
      '/agreements/:id/tds',
      async ({ reader, params, query }) => ({
        message: results.tds,
        data: await reader.inTurn(() => loadTds(reader, params.id, query, toIndianDate(deps.now()))),
      }),
      {
        ...coerceQuery(TdsQuery),
        response: { 200: TdsResponse },
        detail: { summary: 'Suggest the tax to deduct from the rent of a year' },
      },
    )

const newPayments = (deps: Deps) =>
  new Elysia()
    .use(createdStatus)
    .use(withActor(deps))
    .post(
      '/agreements/:id/payments',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => createPayment(deps, actor, params.id, body)),
      {
        created: true,
        body: NewPayment,
        response: { 201: PaymentResponse },
        detail: { summary: 'Record a payment; a tenant reports it', ...idempotencyParameters },
      },
    )
    .post(
      '/agreements/:id/refunds',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => createRefund(deps, actor, params.id, body)),
      {
        created: true,
        body: NewRefund,
        response: { 201: RefundResponse },
        detail: { summary: 'Record that an advance was paid back', ...idempotencyParameters },
      },
    )

const chequeChanges = (deps: Deps) =>
  new Elysia()
    .use(withActor(deps))
    .post(
      '/payments/:id/clear',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => clearPayment(deps, actor, params.id, body)),
      {
        body: ClearInput,
        response: { 200: PaymentResponse },
        detail: { summary: 'Record that the bank has cleared a cheque', ...idempotencyParameters },
      },
    )
    .post(
      '/payments/:id/bounce',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => bouncePayment(deps, actor, params.id, body)),
      {
        body: BounceInput,
        response: { 200: PaymentResponse },
        detail: { summary: 'Record that a cheque bounced', ...idempotencyParameters },
      },
    )

const paymentChanges = (deps: Deps) =>
  new Elysia()
    .use(withActor(deps))
    .post(
      '/payments/:id/confirm',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => confirmPayment(deps, actor, params.id, body)),
      {
        body: ConfirmInput,
        response: { 200: PaymentResponse },
        detail: { summary: 'Confirm a payment that a tenant reported', ...idempotencyParameters },
      },
    )
    .post(
      '/payments/:id/reject',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => rejectPayment(deps, actor, params.id, body)),
      {
        body: RejectInput,
        response: { 200: PaymentResponse },
        detail: { summary: 'Reject a payment that a tenant reported', ...idempotencyParameters },
      },
    )
    .post(
      '/payments/:id/reverse',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => reversePayment(deps, actor, params.id, body)),
      {
        body: ReverseInput,
        response: { 200: PaymentResponse },
        detail: { summary: 'Reverse a posted payment', ...idempotencyParameters },
      },
    )
    .patch('/payments/:id', ({ actor, params, body }) => updatePayment(deps, actor, params.id, body), {
      body: PaymentChange,
      response: { 200: PaymentResponse },
      detail: { summary: 'Change the certificate number of withheld tax' },
    })
    .put(
      '/payments/:id/allocations',
      ({ actor, params, body }) => changeAllocations(deps, actor, params.id, body),
      {
        body: AllocationChange,
        response: { 200: PaymentResponse },
        detail: { summary: 'Settle other charges with a payment' },
      },
    )
