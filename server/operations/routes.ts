import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Server } from 'elysia/universal'
import { Delivery, DeliveryPage, DeliveryQuery, JobsReport } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { notFound, unauthorized } from '../faults'
import { addressOf, networkOf } from '../http/limits'
import { inQuery } from '../http/query'
import { bearerOf, same } from '../http/secrets'
import { deliveries, depths, jobsReport, replay } from './service'

/** For those who run the server: they show `OPS_TOKEN`, and where none is set there is nothing here. */
export const operationRoutes = (deps: Deps) =>
  new Elysia({ tags: ['Operations'] })
    .use(operators(deps))
    .get(
      '/metrics',
      async () => {
        const { text, type } = await deps.metrics.show(await deps.figures(), await depths(deps))
        return new Response(text, { headers: { 'content-type': type } })
      },
      {
        response: { 200: Type.Any({ contentMediaType: 'text/plain' }) },
        detail: { summary: "Figures in Prometheus' text format" },
      },
    )
    .get('/operations/webhooks', ({ query }) => deliveries(deps, query), {
      ...inQuery(DeliveryQuery),
      response: { 200: DeliveryPage },
      detail: { summary: 'The webhooks that came' },
    })
    .post('/operations/webhooks/:id/replay', ({ params }) => replay(deps, params.id), {
      response: { 200: Delivery },
      detail: { summary: 'Act on a webhook again' },
    })
    .get('/operations/jobs', () => jobsReport(deps), {
      response: { 200: JobsReport },
      detail: { summary: 'How the background work stands' },
    })

const operators = ({ config: { OPS_TOKEN, TRUSTED_PROXIES }, log }: Deps) => {
  let server: Server | null // named as a part of the context it would be made for every request of every route
  return new Elysia()
    .onStart(app => void ({ server } = app))
    .onBeforeHandle({ as: 'scoped' }, ({ request, route }) => {
      if (!OPS_TOKEN) throw notFound('Page')
      const isAllowed = same(bearerOf(request), OPS_TOKEN)
      // Figures are fetched every few seconds and tell of nobody.
      if (!isAllowed || route !== '/metrics')
        log.audit(isAllowed ? 'operations_used' : 'operations_refused', {
          method: request.method,
          route,
          network: networkOf(addressOf(request, server, TRUSTED_PROXIES)),
        })
      if (!isAllowed) throw unauthorized('Operations ask for OPS_TOKEN as their bearer token')
    })
}
