import { createHttpClient, type ClientOptions } from './http-client'
import type { WebhookDelivery, WebhookDeliveryQuery, JobsReport } from './contract'
import { path } from './path'

/** What operations look at and set going again; `token` is the server's `OPS_TOKEN`. Every method throws `NotFoundError` where the server has none. */
export function createOperationsClient(options: ClientOptions) {
  const http = createHttpClient(options)
  return {
    /** A page of the webhooks that came, newest first unless `sort` says otherwise. */
    webhooks: (query?: WebhookDeliveryQuery) => http.page<WebhookDelivery>('operations/webhooks', query),
    /** Acts on a webhook again, which never does harm. @throws {ServerError} It could not be acted upon. */
    replay: (id: number) => http.post<WebhookDelivery>(path`operations/webhooks/${id}/replay`),
    /** How the background work stands. */
    jobs: () => http.get<JobsReport>('operations/jobs'),
  }
}
