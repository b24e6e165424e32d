import { Elysia } from 'elysia'
import { NamedTenant, NewTenant, TenantPage, TenantQuery } from '@kiraya/sdk/contract'
import type { Deps } from '../deps'
import { acting, asking } from '../http/actor'
import { once } from '../http/once'
import { inQuery } from '../http/query'
import { written } from '../http/written'
import { tenantPage } from './queries'
import { nameTenant } from './service'

export const tenantRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/tenants', tags: ['Tenants'] })
    .use(
      new Elysia()
        .use(asking(deps))
        .get('', ({ asker, query }) => asker.page(TenantPage, tenantPage, query, { sort: 'id', ...query }), {
          ...inQuery(TenantQuery),
          response: { 200: written(TenantPage) },
          detail: { summary: "Tenants of the caller's agreements" },
        }),
    )
    .use(acting(deps))
    .post(
      '',
      async ({ request, actor, body, set }) => {
        const { made, tenant } = await once(deps, { request, actor, body }, () =>
          nameTenant(deps, actor, body),
        )
        set.status = made ? 201 : 200
        return tenant
      },
      {
        body: NewTenant,
        response: { 200: NamedTenant, 201: NamedTenant },
        detail: { summary: 'Name a tenant or manager by phone number' },
      },
    )
