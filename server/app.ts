import { cors } from '@elysiajs/cors'
import { Elysia } from 'elysia'
import { agreementRoutes } from './agreements/routes'
import { authRoutes } from './auth/routes'
import { dashboardRoutes } from './dashboard/routes'
import type { Deps } from './deps'
import { unavailable } from './faults'
import { healthRoutes } from './health/routes'
import { requestLifecycle, NO_BODY_LIMIT } from './http/request-lifecycle'
import { requestTracing } from './http/request-tracing'
import { createVariantPlugins } from './http/variant-plugins'
import { securityHeaders, fallbackErrorHandler } from './http/security-headers'
import './http/formats'
import { openApiRoutes } from './http/openapi'
import { operationRoutes } from './operations/routes'
import { privacyRoutes } from './privacy/routes'
import { profileRoutes } from './profile/routes'
import { propertyRoutes } from './properties/routes'
import { sandboxRoutes } from './sandbox/routes'
import { tenantRoutes } from './tenants/routes'
import { unitRoutes } from './units/routes'
import { webhookRoutes } from './webhooks/routes'

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const PREFLIGHT_MAX_AGE_S = 600

/** Composes the server without listening. */
export function createApp(deps: Deps) {
  const { responses, requests } = createVariantPlugins(deps.config, deps.log, deps.metrics)
  const sandbox = sandboxRoutes(deps)
  const app = new Elysia({
    serve: {
      maxRequestBodySize: NO_BODY_LIMIT,
      idleTimeout: deps.config.KEEP_ALIVE_S,
      reusePort: deps.config.WORKERS > 1,
      ...fallbackErrorHandler(deps.log, deps.config.PUBLIC_URL),
    },
  })
    .use(requestLifecycle(deps))
    .use(requestTracing(deps.tracing))
    .use(securityHeaders(deps.config.PUBLIC_URL))
    .use(responses)
    .onRequest(({ request }) => {
      if (deps.replica?.isBlockingCommits() && !READ_METHODS.has(request.method))
        throw unavailable('Writes are unavailable: the standby is offline')
    })
    .use(crossOrigin(deps.config.FRONTEND_ORIGIN))
    .use(webhookRoutes(deps))
    .use(sandbox.pages)
    .use(requests)
    .use(healthRoutes(deps))
    .use(authRoutes(deps))
    .use(privacyRoutes(deps))
    .use(profileRoutes(deps))
    .use(dashboardRoutes(deps))
    .use(propertyRoutes(deps))
    .use(unitRoutes(deps))
    .use(tenantRoutes(deps))
    .use(agreementRoutes(deps))
    .use(operationRoutes(deps))
    .use(sandbox.api)
  return app.use(openApiRoutes(app, deps.publicUrl))
}

/** Lets pages of the configured origins call the API. Tokens are in a header, so cookies are not allowed. */
function crossOrigin(origins: string[]) {
  if (origins.length === 0) return new Elysia()
  return cors({
    origin: origins,
    credentials: false,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposeHeaders: ['x-request-id', 'Retry-After'],
    maxAge: PREFLIGHT_MAX_AGE_S,
  })
}
