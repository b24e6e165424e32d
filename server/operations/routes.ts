import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { WebhookDelivery, WebhookDeliveryPage, WebhookDeliveryQuery, JobsReport } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { refuse } from '../faults'
import { renderDatabaseGauges } from '../observability/metrics'
import { coerceQuery } from '../http/query-params'
import { operators } from '../http/operators'
import { listDeliveries, getBacklog, loadJobsReport, replayDelivery } from './service'

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

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
