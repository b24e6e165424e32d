import { Elysia, type DocumentDecoration } from 'elysia'
import type { Deps } from '../deps'
import { refuse } from '../errors'
import { getClientNetwork } from './limits/client-ip'
import { equalsInConstantTime, getBearerToken } from './constant-time'

type Options = { prefix?: string; examples: DocumentDecoration['examples'] }

/** Routes for operators, with OPS_TOKEN as the bearer token; without that setting every one answers 404. */
export const operatorRoutes = ({ config: { OPS_TOKEN }, log }: Deps, { prefix, examples }: Options) => {
  // Before the input is checked, so that only operators learn what it should be.
  const detail = { security: [{ operator: [] }], examples }
  return new Elysia({ prefix, tags: ['Operations'], detail }).onTransform(({ request, route }) => {
    if (!OPS_TOKEN) throw refuse('page_not_found')
    const isAllowed = equalsInConstantTime(getBearerToken(request), OPS_TOKEN)
    // Metrics are scraped every few seconds and have no personal data.
    if (!isAllowed || route !== '/metrics')
      log.audit(isAllowed ? 'operations_used' : 'operations_refused', {
        method: request.method,
        route,
        network: getClientNetwork(),
      })
    if (!isAllowed) throw refuse('ops_token_required')
  })
}
