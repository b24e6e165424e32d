import { Elysia } from 'elysia'
import {
  NewPayment,
  NewRefund,
  PaymentPage,
  PaymentQuery,
  PaymentResponse,
  RefundPage,
  RefundQuery,
  RefundResponse,
  ReverseInput,
  TdsQuery,
  TdsResponse,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { toIndianDate } from '../../domain/dates'
import { actorRoutes, created, readerRoutes } from '../../http/routes'
import { rawJson } from '../../http/reads/raw-json'
import { AgreementPath, ofAgreement } from '../../leases/queries'
import { results, toPageResult, toResult } from '../../messages/results'
import { ALLOCATIONS, paymentChangeRoutes } from './change-routes'
import { PaymentPath, RefundPath, selectPayment, selectPaymentPage, selectRefundPage } from './queries'
import { createRefund, reverseRefund } from './refunds'
import { createPayment } from './service'
import { loadTds } from './tds'
import examples from './examples.json'

export const paymentRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Payments'], detail: { examples } })
    .use(paymentReads(deps))
    .use(newPayments(deps))
    .use(refunds(deps))
    .use(paymentChangeRoutes(deps))

const paymentReads = (deps: Deps) =>
  readerRoutes(deps)
    .get(
      '/payments',
      ({ reader, query }) => toPageResult(results.payments, reader.page(selectPaymentPage, query)),
      {
        query: PaymentQuery,
        response: { 200: rawJson(PaymentPage) },
        detail: {
          operationId: 'listPayments',
          summary: 'List the payments of the caller’s agreements',
          description: "Lists the payments of the caller's agreements, page by page, whatever their status.",
        },
      },
    )
    .get(
      '/payments/:id',
      ({ reader, params }) =>
        toResult(results.payment, reader.one(selectPayment, params.id, 'payment_not_found')),
      {
        params: PaymentPath,
        response: { 200: rawJson(PaymentResponse) },
        detail: {
          operationId: 'getPayment',
          summary: 'Get a payment',
          description:
            "Returns a payment of one of the caller's agreements, with the charges that it settles. What " +
            'it does not settle is an advance.',
        },
      },
    )
    .get(
      '/agreements/:id/tds',
      ({ reader, params, query }) =>
        toPageResult(results.tds, loadTds(reader, params.id, query, toIndianDate(deps.now()))),
      {
        params: AgreementPath,
        query: TdsQuery,
        response: { 200: TdsResponse },
        detail: {
          operationId: 'getTds',
          summary: 'Suggest the tax to deduct from the rent of a year',
          description:
            'Suggests the tax that the tenants deduct from the rent of a year from April to March: nothing ' +
            "unless a month's rent is above the threshold, else once, from the last rent of the year or of " +
            'the tenancy. A rent is of the year in which its period ends; a payment is of the year of the newest ' +
            'rent that it settles. The year is the present one unless it is given. The tenant decides; the ' +
            'threshold holds for each of several tenants, which is a warning.',
        },
      },
    )

const refunds = (deps: Deps) =>
  readerRoutes(deps)
    .get(
      '/agreements/:id/refunds',
      ({ reader, params, query }) =>
        toPageResult(results.refunds, reader.page(selectRefundPage, { ...params, ...query }, ofAgreement)),
      {
        params: AgreementPath,
        query: RefundQuery,
        response: { 200: rawJson(RefundPage) },
        detail: {
          operationId: 'listRefunds',
          summary: 'List the advances of an agreement that were paid back',
          description:
            'Lists the advances that were paid back, page by page, reversed ones too. What is paid back of the ' +
            'deposit is in its settlement.',
        },
      },
    )
    .use(refundChanges(deps))

const refundChanges = (deps: Deps) =>
  actorRoutes(deps).post(
    '/refunds/:id/reverse',
    ({ change, params, body }) => change(reverseRefund, params.id, body),
    {
      params: RefundPath,
      body: ReverseInput,
      response: { 200: RefundResponse },
      detail: {
        operationId: 'reverseRefund',
        summary: 'Reverse a refund',
        description:
          'Takes a refund back by further postings: its money is an advance again, and its payments can be ' +
          "reversed. It counts in no year then. For the landlord's side only.",
        reasons: ['books_not_open', 'not_unit_side', 'payment_above_outstanding', 'refund_reversed'],
      },
    },
  )

const newPayments = (deps: Deps) =>
  actorRoutes(deps)
    .guard({ params: AgreementPath })
    .post('/agreements/:id/payments', ({ change, params, body }) => change(createPayment, params.id, body), {
      body: NewPayment,
      response: created(PaymentResponse),
      detail: {
        operationId: 'createPayment',
        summary: 'Record a payment; a tenant reports it',
        description:
          "Records a payment. Of the landlord's side it is posted at once, a cheque once it is cleared; a " +
          "tenant reports it, and the landlord's side confirms. `allocations` say which charges it " +
          'settles, else the oldest are settled first. The same method and reference again are 400 unless ' +
          '`allow_duplicate` is sent.',
        reasons: [
          ...ALLOCATIONS,
          'books_not_open',
          'cheque_number_missing',
          'date_before_lease',
          'date_in_future',
          'date_too_far',
          'not_a_cheque',
          'not_unit_side',
          'payer_not_self',
          'payer_not_tenant',
          'payment_empty',
          'payment_above_outstanding',
          'reference_used',
          'too_many_postings',
          'too_many_reports',
        ],
      },
    })
    .post('/agreements/:id/refunds', ({ change, params, body }) => change(createRefund, params.id, body), {
      body: NewRefund,
      response: created(RefundResponse),
      detail: {
        operationId: 'createRefund',
        summary: 'Record that an advance was paid back',
        description:
          "Records that an advance was paid back, from the oldest payments first. For the landlord's side " +
          'only.',
        reasons: [
          'books_not_open',
          'date_in_future',
          'not_unit_side',
          'refund_above_advance',
          'refund_before_payment',
          'too_many_postings',
        ],
      },
    })
