import { sql } from 'kysely'
import type { Db } from '../../db/database'

export type Tenant = { agreement_id: number; id: number; phone: string }

/** A reference may be the UUID of a record that has none. */
export const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** Selects the tenants of leases in their order. */
export const selectTenantsOf = (_: Db, { ids }: { ids: number[] }) => sql<Tenant>`
  select tenant.agreement_id, tenant.tenant_id as id, person.phone
  from agreement_tenants tenant join users person on person.id = tenant.tenant_id
  where tenant.agreement_id = any(${ids}::int[])
  order by tenant.id`
