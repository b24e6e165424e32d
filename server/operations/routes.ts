import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Server } from 'elysia/universal'
import { WebhookDelivery, WebhookDeliveryPage, WebhookDeliveryQuery, JobsReport } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { notFound, unauthorized } from '../faults'
import { coerceQuery } from '../http/query-params'
import { getBearerToken, equalsInConstantTime } from '../http/constant-time'
import { listDeliveries, getBacklog, loadJobsReport, replayDelivery } from './service'
import { getClientAddress, toNetworkPrefix } from '../http/client-ip'

/** For those who run the server: they show `OPS_TOKEN`, and where none is set there is nothing here. */
export const operationRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Operations'] })
    .use(operators(deps))
    .get(
      '/metrics',
      async () => {
        const { text, type } = await deps.metrics.renderPrometheus(
          await deps.collectMetrics(),
          await getBacklog(deps),
        )
        return new Response(text, { headers: { 'content-type': type } })
      },
      {
        response: { 200: Type.Any({ contentMediaType: 'text/plain' }) },
        detail: { summary: "Figures in Prometheus' text format" },
      },
    )
    .get('/operations/webhooks', ({ query }) => listDeliveries(deps, query), {
      ...coerceQuery(WebhookDeliveryQuery),
      response: { 200: WebhookDeliveryPage },
      detail: { summary: 'The webhooks that came' },
    })
    .post('/operations/webhooks/:id/replay', ({ params }) => replayDelivery(deps, params.id), {
      response: { 200: WebhookDelivery },
      detail: { summary: 'Act on a webhook again' },
    })
    .get('/operations/jobs', () => loadJobsReport(deps), {
      response: { 200: JobsReport },
      detail: { summary: 'How the background work stands' },
    })

const operators = ({ config: { OPS_TOKEN, TRUSTED_PROXIES }, log }: Deps) => {
  let server: Server | null // named as a part of the context it would be made for every request of every route
  return new Elysia()
    .onStart(app => void ({ server } = app))
    .onBeforeHandle({ as: 'scoped' }, ({ request, route }) => {
      if (!OPS_TOKEN) throw notFound('Page')
      const isAllowed = equalsInConstantTime(getBearerToken(request), OPS_TOKEN)
      // Figures are fetched every few seconds and tell of nobody.
      if (!isAllowed || route !== '/metrics')
        log.audit(isAllowed ? 'operations_used' : 'operations_refused', {
          method: request.method,
          route,
          network: toNetworkPrefix(getClientAddress(request, server, TRUSTED_PROXIES)),
        })
      if (!isAllowed) throw unauthorized('Operations ask for OPS_TOKEN as their bearer token')
    })
}
