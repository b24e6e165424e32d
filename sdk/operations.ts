import { createHttp, type ClientOptions } from './http'
import type { Delivery, DeliveryQuery, JobsReport } from './contract'
import { path } from './path'

/** What operations look at and set going again; `token` is the server's `OPS_TOKEN`. Every method throws `NotFoundError` where the server has none. */
export function createOperations(options: ClientOptions) {
  const http = createHttp(options)
  return {
    /** A page of the webhooks that came, newest first unless `sort` says otherwise. */
    webhooks: (query?: DeliveryQuery) => http.page<Delivery>('operations/webhooks', query),
    /** Acts on a webhook again, which never does harm. @throws {ServerError} It could not be acted upon. */
    replay: (id: number) => http.post<Delivery>(path`operations/webhooks/${id}/replay`),
    /** How the background work stands. */
    jobs: () => http.get<JobsReport>('operations/jobs'),
  }
}
