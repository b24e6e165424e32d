import type { JobsReport, WebhookDelivery, WebhookDeliveryQuery } from './contract/index.ts'
import { createHttpClient, type ClientOptions } from './http-client.ts'
import { path } from './path.ts'

/**
 * Creates a client for operators; `token` is the server's `OPS_TOKEN`. Every method throws a `NotFoundError`
 * if the server has no `OPS_TOKEN`.
 */
export function createOperationsClient(options: ClientOptions) {
  const http = createHttpClient(options)
  return {
    /** Returns a page of the received webhooks, newest first unless `sort` says otherwise. */
    webhooks: (query?: WebhookDeliveryQuery) => http.getPage<WebhookDelivery>('operations/webhooks', query),

    /**
     * Processes a webhook again and returns it. Processing is idempotent.
     * @throws {ServerError} The webhook failed again.
     */
    replay: (id: number) => http.post<WebhookDelivery>(path`operations/webhooks/${id}/replay`),

    /** Returns the runs of each job, the newest failures and the backlog. */
    jobs: () => http.get<JobsReport>('operations/jobs'),
  }
}
