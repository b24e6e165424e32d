import { Elysia } from 'elysia'
import {
  MaintenanceChange,
  MaintenanceChangeResponse,
  MaintenanceComment,
  MaintenanceCommentPage,
  MaintenanceCommentQuery,
  MaintenancePage,
  MaintenanceQuery,
  MaintenanceRequestDetails,
  MaintenanceStatusInput,
  NewMaintenanceComment,
  NewMaintenanceRequest,
} from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { rawJson } from '../http/reads/raw-json'
import { actorRoutes, created, readerRoutes } from '../http/routes'
import { attachmentRoutes } from './attachment-routes'
import {
  ofMaintenanceRequest,
  MaintenancePath,
  selectCommentPage,
  selectMaintenanceRequest,
  selectMaintenanceRequestPage,
} from './queries'
import { changeStatus, createComment, createMaintenanceRequest, updateMaintenanceRequest } from './service'
import examples from './examples.json'

export const maintenanceRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/maintenance-requests', tags: ['Maintenance'], detail: { examples } })
    .use(requestReads(deps))
    .use(requestChanges(deps))
    .use(statusChanges(deps))
    .use(commentRoutes(deps))
    .use(attachmentRoutes(deps))

const requestReads = (deps: Deps) =>
  readerRoutes(deps)
    .get('', ({ reader, query }) => reader.page(selectMaintenanceRequestPage, query), {
      query: MaintenanceQuery,
      response: { 200: rawJson(MaintenancePage) },
      detail: {
        operationId: 'listMaintenanceRequests',
        summary: 'List maintenance requests',
        description:
          'Lists the requests for the units that the caller lets or manages, and under the agreements that the ' +
          'caller rents or rented, page by page.',
      },
    })
    .get(
      '/:id',
      ({ reader, params }) => reader.one(selectMaintenanceRequest, params, 'maintenance_request_not_found'),
      {
        params: MaintenancePath,
        response: { 200: rawJson(MaintenanceRequestDetails) },
        detail: {
          operationId: 'getMaintenanceRequest',
          summary: 'Get a maintenance request',
          description: 'Returns a request with its attachments and the history of its status.',
        },
      },
    )

const requestChanges = (deps: Deps) =>
  actorRoutes(deps)
    .post('', ({ change, body }) => change(createMaintenanceRequest, body), {
      body: NewMaintenanceRequest,
      response: created(MaintenanceRequestDetails),
      detail: {
        operationId: 'createMaintenanceRequest',
        summary: 'Raise a maintenance request',
        description:
          'Raises a request for a unit, as its landlord, its manager, or a tenant of its ACTIVE agreement.',
        reasons: ['unit_not_found'],
      },
    })
    .patch('/:id', ({ change, params, body }) => change(updateMaintenanceRequest, params, body), {
      params: MaintenancePath,
      body: MaintenanceChange,
      response: { 200: MaintenanceChangeResponse },
      detail: {
        operationId: 'updateMaintenanceRequest',
        summary: 'Change a maintenance request',
        description:
          "The landlord's side changes priority, vendor, visit and cost; the user who raised it changes title and " +
          'description while it is `open`. A visit in less than 24 hours is a warning.',
        reasons: [
          'cost_charged',
          'cost_not_chargeable',
          'lease_ended',
          'not_request_raiser',
          'not_unit_side',
          'maintenance_request_wrong_status',
        ],
      },
    })

const statusChanges = (deps: Deps) =>
  actorRoutes(deps).post('/:id/status', ({ change, params, body }) => change(changeStatus, params, body), {
    params: MaintenancePath,
    body: MaintenanceStatusInput,
    response: { 200: MaintenanceRequestDetails },
    detail: {
      operationId: 'changeMaintenanceStatus',
      summary: 'Move a maintenance request to another state',
      description:
        "The landlord's side acknowledges, starts, holds and resolves a request. The user who raised it cancels or closes " +
        'it, or reopens it within 14 days. One that is resolved with a cost that the tenant bears is charged ' +
        'to its agreement, once, due in seven days.',
      reasons: [
        'cost_not_chargeable',
        'lease_ended',
        'not_request_raiser',
        'not_unit_side',
        'reopening_late',
        'maintenance_request_wrong_status',
        'too_many_postings',
      ],
    },
  })

const commentRoutes = (deps: Deps) =>
  new Elysia()
    .use(
      readerRoutes(deps).get(
        '/:id/comments',
        ({ reader, params, query }) =>
          reader.page(selectCommentPage, { ...params, ...query }, ofMaintenanceRequest),
        {
          params: MaintenancePath,
          query: MaintenanceCommentQuery,
          response: { 200: rawJson(MaintenanceCommentPage) },
          detail: {
            operationId: 'listMaintenanceComments',
            summary: 'List the comments on a maintenance request',
            description:
              "Lists what both sides said, page by page; internal comments for the landlord's side alone.",
          },
        },
      ),
    )
    .use(
      actorRoutes(deps).post(
        '/:id/comments',
        ({ change, params, body }) => change(createComment, params, body),
        {
          params: MaintenancePath,
          body: NewMaintenanceComment,
          response: created(MaintenanceComment),
          detail: {
            operationId: 'createMaintenanceComment',
            summary: 'Comment on a maintenance request',
            description: "Both sides comment; only the landlord's side writes internal comments.",
            reasons: ['lease_ended', 'not_unit_side'],
          },
        },
      ),
    )
