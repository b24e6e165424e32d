import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Server } from 'elysia/universal'
import { WebhookDelivery, WebhookDeliveryPage, WebhookDeliveryQuery, JobsReport } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { refuse } from '../faults'
import { renderDatabaseGauges } from '../observability/metrics'
import { coerceQuery } from '../http/query-params'
import { getBearerToken, equalsInConstantTime } from '../http/constant-time'
import { listDeliveries, getBacklog, loadJobsReport, replayDelivery } from './service'
import { getClientAddress, toNetworkPrefix } from '../http/client-ip'

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** For operators, with OPS_TOKEN as the bearer token; without that setting every route answers 404. */
export const operationRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Operations'] })
    .use(operators(deps))
    .get('/metrics', () => renderMetrics(deps), {
      response: { 200: Type.Any({ contentMediaType: 'text/plain' }) },
      detail: { summary: 'Metrics in the text format of Prometheus' },
    })
    .get('/operations/webhooks', ({ query }) => listDeliveries(deps, query), {
      ...coerceQuery(WebhookDeliveryQuery),
      response: { 200: WebhookDeliveryPage },
      detail: { summary: 'List the received webhooks' },
    })
    .post('/operations/webhooks/:id/replay', ({ params }) => replayDelivery(deps, params.id), {
      response: { 200: WebhookDelivery },
      detail: { summary: 'Process a webhook again (idempotent)' },
    })
    .get('/operations/jobs', () => loadJobsReport(deps), {
      response: { 200: JobsReport },
      detail: { summary: 'Show jobs, failures and the backlog' },
    })

async function renderMetrics(deps: Deps) {
  const counted = await deps.scrapeMetrics()
  if (counted === undefined) throw refuse('metrics_incomplete')
  const gauges = await renderDatabaseGauges(await getBacklog(deps))
  return new Response(`${counted}\n${gauges}`, { headers: { 'content-type': METRICS_TYPE } })
}

const operators = ({ config: { OPS_TOKEN, TRUSTED_PROXIES }, log }: Deps) => {
  let server: Server | null // Reading it from the context would make Elysia create a getter for each request.
  return new Elysia()
    .onStart(app => void ({ server } = app))
    .onBeforeHandle({ as: 'scoped' }, ({ request, route }) => {
      if (!OPS_TOKEN) throw refuse('page_not_found')
      const isAllowed = equalsInConstantTime(getBearerToken(request), OPS_TOKEN)
      // Metrics are scraped every few seconds and have no personal data.
      if (!isAllowed || route !== '/metrics')
        log.audit(isAllowed ? 'operations_used' : 'operations_refused', {
          method: request.method,
          route,
          network: toNetworkPrefix(getClientAddress(request, server, TRUSTED_PROXIES)),
        })
      if (!isAllowed) throw refuse('ops_token_required')
    })
}
