import { Elysia } from 'elysia'
import {
  Charge,
  ChargePage,
  ChargeQuery,
  ChargeResponse,
  NewCharge,
  NewCredit,
  ScheduleResponse,
} from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { toIndianDate } from '../domain/dates'
import { parseRecordId } from '../domain/record-id'
import { withActor, withReader } from '../http/authentication'
import { createdStatus } from '../http/created'
import { idempotencyParameters, withIdempotency } from '../http/idempotency'
import { coerceQuery } from '../http/query-params'
import { toRawJsonSchema } from '../http/raw-json'
import { results } from '../messages/results'
import { toBookFilters } from '../ledger/queries'
import { selectCharge, selectChargePage } from './queries'
import { loadSchedule } from './schedule-view'
import { createCharge, createCredit } from './service'

export const chargeRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Charges'] }).use(chargeReads(deps)).use(chargeChanges(deps))

const chargeReads = (deps: Deps) =>
  new Elysia()
    .use(withReader(deps))
    .get(
      '/charges',
      async ({ reader, query }) => {
        const filters = { ...toBookFilters(query), today: toIndianDate(deps.now()) }
        const page = await reader.page(ChargePage, selectChargePage, filters, query)
        return { message: results.charges, ...page }
      },
      {
        ...coerceQuery(ChargeQuery),
        response: { 200: toRawJsonSchema(ChargePage) },
        detail: { summary: 'List the charges of the caller’s agreements' },
      },
    )
    .get(
      '/charges/:id',
      async ({ reader, params }) => {
        const key = parseRecordId(params.id, 'charge_not_found')
        const given = { key, today: toIndianDate(deps.now()) }
        const data = await reader.one('charge_not_found', Charge, selectCharge, given)
        return { message: results.charge, data }
      },
      { response: { 200: toRawJsonSchema(ChargeResponse) }, detail: { summary: 'Get a charge' } },
    )
    .get(
      '/agreements/:id/schedule',
      async ({ reader, params }) => ({
        message: results.schedule,
        data: await reader.inTurn(() => loadSchedule(reader, params.id)),
      }),
      {
        response: { 200: toRawJsonSchema(ScheduleResponse) },
        detail: { summary: 'List the instalments of an agreement, posted and projected' },
      },
    )

const chargeChanges = (deps: Deps) =>
  new Elysia()
    .use(createdStatus)
    .use(withActor(deps))
    .post(
      '/agreements/:id/charges',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => createCharge(deps, actor, params.id, body)),
      {
        created: true,
        body: NewCharge,
        response: { 201: ChargeResponse },
        detail: { summary: 'Post a charge', ...idempotencyParameters },
      },
    )
    .post(
      '/charges/:id/credits',
      ({ request, actor, params, body }) =>
        withIdempotency(deps, { request, actor, body }, () => createCredit(deps, actor, params.id, body)),
      {
        created: true,
        body: NewCredit,
        response: { 201: ChargeResponse },
        detail: { summary: 'Credit a part of a charge', ...idempotencyParameters },
      },
    )
