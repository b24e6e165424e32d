import { Type } from '@sinclair/typebox'
import { ReceivedWebhook, ReceivedWebhookPage, ReceivedWebhookQuery, JobsReport } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { refuse } from '../errors'
import { renderDatabaseGauges } from '../observability/metrics'
import { operatorRoutes } from '../http/operators'
import { listWebhooks, getBacklog, loadJobsReport, replayWebhook } from './service'
import examples from './examples.json'

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export const operationRoutes = (deps: Deps) =>
  operatorRoutes(deps, { examples })
    .get('/metrics', () => renderMetrics(deps), {
      response: { 200: Type.Any({ contentMediaType: 'text/plain' }) },
      detail: {
        operationId: 'getMetrics',
        summary: 'Metrics in the text format of Prometheus',
        description:
          'Returns counters and gauges of requests, providers, signatures and jobs for Prometheus.',
        reasons: ['metrics_incomplete'],
      },
    })
    .get('/operations/webhooks', ({ query }) => listWebhooks(deps, query), {
      query: ReceivedWebhookQuery,
      response: { 200: ReceivedWebhookPage },
      detail: {
        operationId: 'listReceivedWebhooks',
        summary: 'List the received webhooks',
        description:
          'Lists the webhooks that arrived, page by page. `state=unknown` finds those about requests that this server did not make.',
      },
    })
    .post('/operations/webhooks/:id/replay', ({ params }) => replayWebhook(deps, params.id), {
      response: { 200: ReceivedWebhook },
      detail: {
        operationId: 'replayReceivedWebhook',
        summary: 'Process a webhook again (idempotent)',
        description: 'Processes a stored webhook once more. A second time changes nothing.',
        reasons: [
          'provider_unreachable',
          'provider_not_configured',
          'provider_request_unknown',
          'webhook_not_found',
        ],
      },
    })
    .get('/operations/jobs', () => loadJobsReport(deps), {
      response: { 200: JobsReport },
      detail: {
        operationId: 'getJobsReport',
        summary: 'Show jobs, failures and the backlog',
        description: 'Returns the runs of each job by state, the newest failures and the work that waits.',
      },
    })

async function renderMetrics(deps: Deps) {
  const counted = await deps.scrapeMetrics()
  if (counted === undefined) throw refuse('metrics_incomplete')
  const gauges = await renderDatabaseGauges(await getBacklog(deps))
  return new Response(`${counted}\n${gauges}`, { headers: { 'content-type': METRICS_TYPE } })
}
