import { Elysia, type AnyElysia } from 'elysia'
import { agreementRoutes } from './leases/agreements/routes'
import { leaseUploadRoutes } from './leases/agreements/upload-routes'
import { servedLeaseRoutes } from './leases/documents/routes'
import { authRoutes } from './accounts/auth/routes'
import { reportRoutes } from './reports/routes'
import { chargeRoutes } from './books/charges/routes'
import { dashboardRoutes } from './dashboard/routes'
import { depositRoutes } from './books/deposits/routes'
import type { Deps } from './deps'
import { docsRoutes } from './docs/routes'
import { healthRoutes } from './health/routes'
import { importRoutes } from './imports/routes'
import { checkInputs } from './http/body/schemas'
import { crossOrigin } from './http/cross-origin'
import { setCreatedStatus } from './http/routes'
import { requestLifecycle } from './http/request-lifecycle'
import { requestTracing } from './http/request-tracing'
import { createVariantPlugins } from './http/variants/plugins'
import { securityHeaders, fallbackErrorHandler } from './http/security-headers'
import './http/body/formats'
import { openApiRoutes } from './http/openapi'
import { uploadRoutes } from './maintenance/attachment-routes'
import { maintenanceRoutes } from './maintenance/routes'
import { invitationRoutes } from './accounts/invitations/routes'
import { operationRoutes } from './operations/routes'
import { paymentRoutes } from './books/payments/routes'
import { paperRoutes } from './leases/paper/routes'
import { privacyRoutes } from './privacy/routes'
import { ekycWebhookRoutes, profileRoutes } from './accounts/profile/routes'
import { propertyRoutes } from './listing/properties/routes'
import { revisionRoutes } from './books/revisions/routes'
import { sandboxRoutes } from './sandbox/routes'
import { receiptPageRoutes, settlementSheetRoutes, statementRoutes } from './books/statements/routes'
import { tenantRoutes } from './listing/tenants/routes'
import { unitRoutes } from './listing/units/routes'
import { esignWebhookRoutes } from './leases/signing/routes'

/** A little more than the largest body that a route reads, so that ours is the one that is named. */
const MAX_REQUEST_BYTES = 11 * 1024 * 1024
/** Longer than a request waits for a provider. */
const IDLE_TIMEOUT_S = 120

/** What each group of operations is for, in the order in which the page shows them. */
const tagDescriptions: Record<string, string> = {
  'Sign-in': 'One-time passwords, passwords, sessions, and the data of the signed-in user.',
  'Profile and eKYC':
    'The two steps after the first sign-in: names and e-mail address, then the identity check.',
  Dashboard: 'What a landlord sees first.',
  Properties: 'Buildings and houses. Several landlords may have units in one of them.',
  'Property units': 'The flats, rooms and shops of a property, which agreements let.',
  Tenants: 'The people that agreements name.',
  Agreements: 'Leases, from the draft over the signatures to their end.',
  Charges: 'What is owed under a lease: rent, deposit, late fees and what the landlord charges besides.',
  Payments: 'What was paid under a lease, and which charges it settles.',
  Statements: 'The documents of a lease: receipts, the account, and what a tenant paid in a year.',
  Deposits: 'What is held of a deposit, and its settlement at the end of the lease.',
  Maintenance: 'What has to be repaired in a unit, from the report of a tenant to the charge of its cost.',
  Books: 'What the leases of a landlord owe and brought in, for landlords and managers.',
  Imports: 'Leases and payments that a landlord has elsewhere, such as in a spreadsheet.',
  Webhooks: 'What the providers of e-signing and eKYC send. You need not call these.',
  Health: 'Probes for a load balancer or an orchestrator.',
  Operations: 'For operators, with `OPS_TOKEN` as the bearer token; without that setting these answer 404.',
  Sandbox: 'Control of the simulated providers, for tests and demonstrations.',
}

/** Composes the server without listening. */
export function createApp(deps: Deps): AnyElysia {
  const { responses, requests } = createVariantPlugins(deps)
  const sandbox = sandboxRoutes(deps)
  const plugins: AnyElysia[] = [
    requestLifecycle(deps),
    requestTracing(deps.tracing),
    securityHeaders(deps.config.PUBLIC_URL),
    // Before anything is refused, so that a page can read why.
    crossOrigin(deps),
    responses,
    esignWebhookRoutes(deps),
    ekycWebhookRoutes(deps),
    sandbox.pages,
    receiptPageRoutes(deps),
    servedLeaseRoutes(deps),
    uploadRoutes(deps),
    leaseUploadRoutes(deps),
    requests,
    healthRoutes(deps),
    authRoutes(deps),
    privacyRoutes(deps),
    profileRoutes(deps),
    dashboardRoutes(deps),
    propertyRoutes(deps),
    unitRoutes(deps),
    tenantRoutes(deps),
    agreementRoutes(deps),
    paperRoutes(deps),
    chargeRoutes(deps),
    paymentRoutes(deps),
    statementRoutes(deps),
    depositRoutes(deps),
    settlementSheetRoutes(deps),
    revisionRoutes(deps),
    reportRoutes(deps),
    importRoutes(deps),
    maintenanceRoutes(deps),
    operationRoutes(deps),
    invitationRoutes(deps),
    sandbox.api,
  ]
  const app: AnyElysia = new Elysia({
    // A host of one to three characters, such as a container's name, would shift the path.
    handler: { standardHostname: false },
    serve: {
      maxRequestBodySize: MAX_REQUEST_BYTES,
      idleTimeout: IDLE_TIMEOUT_S,
      reusePort: deps.config.WORKERS > 1,
      ...fallbackErrorHandler(deps.log, deps.config.PUBLIC_URL),
    },
  })
  for (const plugin of plugins) app.use(plugin)
  checkInputs(app)
  setCreatedStatus(app)
  return app.use(openApiRoutes(app, deps.config, tagDescriptions)).use(docsRoutes(deps))
}
