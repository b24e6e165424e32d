import { Elysia } from 'elysia'
import {
  ChargePage,
  ChargeQuery,
  ChargeResponse,
  NewCharge,
  NewCredit,
  ScheduleResponse,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { toIndianDate } from '../../domain/dates'
import { recordPath } from '../../http/record-id'
import { actorRoutes, created, readerRoutes } from '../../http/routes'
import { rawJson } from '../../http/reads/raw-json'
import { AgreementPath } from '../../leases/queries'
import { results, toPageResult, toResult } from '../../messages/results'
import { chargeWords } from './descriptions'
import { selectCharge, selectChargePage } from './queries'
import { loadSchedule } from './schedule-view'
import { createCharge, createCredit } from './service'
import examples from './examples.json'

const ChargePath = recordPath({ id: 'charge' })

export const chargeRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Charges'], detail: { examples } }).use(chargeReads(deps)).use(chargeChanges(deps))

const chargeReads = (deps: Deps) =>
  readerRoutes(deps)
    .get(
      '/charges',
      ({ reader, query }) => {
        const filters = { ...query, today: toIndianDate(deps.now()), words: chargeWords[reader.language] }
        return toPageResult(results.charges, reader.page(selectChargePage, filters))
      },
      {
        query: ChargeQuery,
        response: { 200: rawJson(ChargePage) },
        detail: {
          operationId: 'listCharges',
          summary: 'List the charges of the caller’s agreements',
          description:
            "Lists what is owed under the caller's agreements, page by page. `pending=true` finds what is " +
            'due today or before, with something outstanding, of an ACTIVE or TERMINATED agreement; ' +
            '`type=rent&pending=true` is what the dashboard counts.',
        },
      },
    )
    .get(
      '/charges/:id',
      ({ reader, params }) => {
        const given = { key: params.id, today: toIndianDate(deps.now()), words: chargeWords[reader.language] }
        return toResult(results.charge, reader.one(selectCharge, given, 'charge_not_found'))
      },
      {
        params: ChargePath,
        response: { 200: rawJson(ChargeResponse) },
        detail: {
          operationId: 'getCharge',
          summary: 'Get a charge',
          description:
            "Returns a charge of one of the caller's agreements. `amount` is the sum of what was paid, " +
            'what was credited and what is outstanding.',
        },
      },
    )
    .get(
      '/agreements/:id/schedule',
      ({ reader, params }) => toResult(results.schedule, loadSchedule(reader, params.id)),
      {
        params: AgreementPath,
        response: { 200: rawJson(ScheduleResponse) },
        detail: {
          operationId: 'getSchedule',
          summary: 'List the instalments of an agreement, posted and projected',
          description:
            'Returns the instalments of the whole tenure, posted and projected, with the escalations that ' +
            'are agreed, of a draft too. A projected one has no `charge_id`: it is posted seven days ' +
            'before it falls due. A lease that renews itself is charged by whole months.',
        },
      },
    )

const chargeChanges = (deps: Deps) =>
  actorRoutes(deps)
    .post('/agreements/:id/charges', ({ change, params, body }) => change(createCharge, params.id, body), {
      params: AgreementPath,
      body: NewCharge,
      response: created(ChargeResponse),
      detail: {
        operationId: 'createCharge',
        summary: 'Post a charge',
        description:
          'Posts a charge that the schedule does not have, such as electricity or a damage. Nothing that ' +
          "is posted changes: credit it if it is wrong. For the landlord's side only.",
        reasons: [
          'books_not_open',
          'date_after_lease',
          'date_before_books',
          'deposit_after_lease',
          'not_unit_side',
          'period_ends_before_start',
          'period_incomplete',
          'too_many_postings',
          'wrong_status',
        ],
      },
    })
    .post('/charges/:id/credits', ({ change, params, body }) => change(createCredit, params.id, body), {
      params: ChargePath,
      body: NewCredit,
      response: created(ChargeResponse),
      detail: {
        operationId: 'createCredit',
        summary: 'Credit part of a charge',
        description:
          'Credits part of a charge, or all of it. What was already paid becomes an advance of the ' +
          "lease. Only the landlord's side may.",
        reasons: ['credit_above_charge', 'deposit_settled', 'not_unit_side', 'too_many_postings'],
      },
    })
