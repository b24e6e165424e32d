import { Elysia, type InternalRoute } from 'elysia'
import { agreementRoutes } from './leases/agreements/routes'
import { authRoutes } from './auth/routes'
import { reportRoutes } from './reports/routes'
import { chargeRoutes } from './charges/routes'
import { dashboardRoutes } from './dashboard/routes'
import { depositRoutes } from './deposits/routes'
import type { Deps } from './deps'
import { docsRoutes } from './docs/routes'
import { healthRoutes } from './health/routes'
import { createBodyLimits } from './http/body/limits'
import { checkInputs } from './http/body/schemas'
import { crossOrigin } from './http/cross-origin'
import { setCreatedStatus } from './http/routes'
import { requestLifecycle, NO_BODY_LIMIT } from './http/request-lifecycle'
import { requestTracing } from './http/request-tracing'
import { createVariantPlugins } from './http/variants/plugins'
import { checkHost, securityHeaders, fallbackErrorHandler } from './http/security-headers'
import './http/body/formats'
import { openApiRoutes } from './http/openapi'
import { invitationRoutes } from './invitations/routes'
import { operationRoutes } from './operations/routes'
import { paymentRoutes } from './payments/routes'
import { privacyRoutes } from './privacy/routes'
import { profileRoutes } from './profile/routes'
import { propertyRoutes } from './listing/properties/routes'
import { revisionRoutes } from './revisions/routes'
import { isInternalCall } from './sandbox/call-simulator'
import { sandboxRoutes } from './sandbox/routes'
import { receiptPageRoutes, statementRoutes } from './statements/routes'
import { tenantRoutes } from './listing/tenants/routes'
import { unitRoutes } from './listing/units/routes'
import { webhookRoutes } from './leases/signing/webhook-routes'

/** Composes the server without listening. */
export function createApp(deps: Deps) {
  const listRoutes = (): InternalRoute[] => app.routes
  const limits = createBodyLimits(deps, listRoutes, request => isInternalCall(deps, request))
  const { responses, requests } = createVariantPlugins(deps, limits)
  const sandbox = sandboxRoutes(deps)
  const app = new Elysia({
    // A host of one to three characters, such as a container's name, would shift the path.
    handler: { standardHostname: false },
    serve: {
      maxRequestBodySize: NO_BODY_LIMIT,
      idleTimeout: deps.config.KEEP_ALIVE_S,
      reusePort: deps.config.WORKERS > 1,
      ...fallbackErrorHandler(deps.log, deps.config.PUBLIC_URL),
    },
  })
    .use(requestLifecycle(deps, limits))
    .use(requestTracing(deps.tracing))
    .use(securityHeaders(deps.config.PUBLIC_URL))
    // Before anything is refused, so that a page can read why.
    .use(crossOrigin(deps))
    .onRequest(({ request }) => checkHost(request))
    .use(responses)
    .use(webhookRoutes(deps))
    .use(sandbox.pages)
    .use(receiptPageRoutes(deps))
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
    .use(chargeRoutes(deps))
    .use(paymentRoutes(deps))
    .use(statementRoutes(deps))
    .use(depositRoutes(deps))
    .use(revisionRoutes(deps))
    .use(reportRoutes(deps))
    .use(operationRoutes(deps))
    .use(invitationRoutes(deps))
    .use(sandbox.api)
  checkInputs(app)
  setCreatedStatus(app)
  return app.use(openApiRoutes(app, deps.config)).use(docsRoutes(deps))
}
