import { readConfig } from '../../../server/config'
import { recordLog } from '../../support/log'
import { createMetrics } from '../../../server/observability/metrics'
import { createProviderClient } from '../../../server/providers/http-client'
import type { ProviderErrorKind } from '../../../server/providers/provider-errors'
import type { Constants } from '../../../server/settings/constants'

type ReadKind = (body: unknown) => ProviderErrorKind | undefined

/** A client of a provider, with a circuit breaker, a log and metrics of its own. */
export function createTestClient(constants: Partial<Constants>, readKind?: ReadKind) {
  const secrets = { NODE_ENV: 'test', JWT_SECRET: 'x', ESIGN_WEBHOOK_SECRET: 'x' }
  const { lines, log } = recordLog()
  const metrics = createMetrics()
  const config = readConfig(secrets, constants)
  return { client: createProviderClient('test', config, log, metrics, readKind), lines, metrics }
}
