import { Elysia } from 'elysia'
import type { Server } from 'elysia/universal'
import type { Deps } from '../deps'
import { refuse } from '../faults'
import { getClientAddress, toNetworkPrefix } from './limits/client-ip'
import { equalsInConstantTime, getBearerToken } from './constant-time'

/** Routes for operators, with OPS_TOKEN as the bearer token; without that setting every one answers 404. */
export const operatorRoutes = ({ config: { OPS_TOKEN, TRUSTED_PROXIES }, log }: Deps, prefix = '') => {
  // Before the input is checked, so that only operators learn what it should be.
  let server: Server | null // Reading it from the context would make Elysia create a getter for each request.
  return new Elysia({ prefix, tags: ['Operations'], detail: { security: [{ operator: [] }] } })
    .onStart(app => void ({ server } = app))
    .onTransform(({ request, route }) => {
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
