import { Elysia } from 'elysia'
import { NamedTenant, NewTenant, TenantPage, TenantQuery } from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { actorRoutes, created, readerRoutes } from '../../http/routes'
import { rawJson } from '../../http/reads/raw-json'
import { selectTenantPage } from './queries'
import { findOrCreateTenant } from './service'
import examples from './examples.json'

export const tenantRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/tenants', tags: ['Tenants'], detail: { examples } })
    .use(tenantReads(deps))
    .use(tenantChanges(deps))

const tenantReads = (deps: Deps) =>
  readerRoutes(deps).get('', ({ reader, query }) => reader.page(selectTenantPage, query), {
    query: TenantQuery,
    response: { 200: rawJson(TenantPage) },
    detail: {
      operationId: 'listTenants',
      summary: "List the tenants of the caller's agreements and the people whom the caller named",
      description:
        "Lists the tenants of the caller's agreements and the people whom the caller named, page by page. Number and names appear if the caller gave them or the tenant has signed.",
    },
  })

const tenantChanges = (deps: Deps) =>
  actorRoutes(deps).post('', ({ change, body }) => change(findOrCreateTenant, body), {
    body: NewTenant,
    response: created(NamedTenant),
    detail: {
      operationId: 'createTenant',
      summary: 'Name a tenant or manager by phone number',
      description:
        'Finds or creates the user with this phone number, so that an agreement can name them by `id`. It never changes an account: the names are those that the caller uses for them.',
      reasons: ['phone_number_busy'],
    },
  })
