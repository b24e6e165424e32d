import type { NamedTenant, NewTenant, Tenant, TenantQuery } from './contract/index.ts'
import type { HttpClient } from './http-client.ts'

/** The people named in agreements. */
export const createTenants = (http: HttpClient) => ({
  /**
   * Finds or creates the user with a phone number and returns them; agreements and units name them by `id`.
   * Names that are not given stay as the landlord gave them before.
   * @throws {TooManyRequestsError} The landlord has created more than 100 tenants within an hour.
   */
  create: (tenant: NewTenant) => http.create<NamedTenant>('tenants', tenant),

  /** Returns a page of the tenants in the user's agreements and of the people whom the user named. */
  list: (query?: TenantQuery) => http.getPage<Tenant>('tenants', query),
})
