import { Elysia } from 'elysia'
import { NamedTenant, NewTenant, TenantPage, TenantQuery } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { withActor, withReader } from '../http/authentication'
import { createdStatus } from '../http/created'
import { idempotencyParameters, withIdempotency } from '../http/idempotency'
import { coerceQuery } from '../http/query-params'
import { toRawJsonSchema } from '../http/raw-json'
import { selectTenantPage } from './queries'
import { findOrCreateTenant } from './service'

export const tenantRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/tenants', tags: ['Tenants'] }).use(tenantReads(deps)).use(tenantChanges(deps))

const tenantReads = (deps: Deps) =>
  new Elysia()
    .use(withReader(deps))
    .get(
      '',
      ({ reader, query }) => reader.page(TenantPage, selectTenantPage, query, { sort: 'id', ...query }),
      {
        ...coerceQuery(TenantQuery),
        response: { 200: toRawJsonSchema(TenantPage) },
        detail: {
          summary: "List the tenants of the caller's agreements and the people whom the caller named",
        },
      },
    )

const tenantChanges = (deps: Deps) =>
  new Elysia()
    .use(createdStatus)
    .use(withActor(deps))
    .post(
      '',
      async ({ request, actor, body }) => {
        const { tenant } = await withIdempotency(deps, { request, actor, body }, () =>
          findOrCreateTenant(deps, actor, body),
        )
        return tenant
      },
      {
        created: true,
        body: NewTenant,
        response: { 201: NamedTenant },
        detail: { summary: 'Name a tenant or manager by phone number', ...idempotencyParameters },
      },
    )
