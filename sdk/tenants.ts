import type { NamedTenant, NewTenant, Tenant, TenantQuery } from './contract'
import type { HttpClient } from './http-client'

/** The people whom agreements name. */
export const createTenants = (http: HttpClient) => ({
  /**
   * Finds or makes the user behind a phone number, so that an agreement can name them by `id`.
   * @throws {TooManyRequestsError} More than 100 in an hour.
   */
  create: (tenant: NewTenant) => http.create<NamedTenant>('tenants', tenant),

  /** A page of the tenants of the user's agreements. */
  list: (query?: TenantQuery) => http.page<Tenant>('tenants', query),
})
