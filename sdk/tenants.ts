import type { HttpClient } from './http-client.ts'
import type { CallOptions } from './options.ts'
import { normalizePhone } from './phone.ts'
import type { NamedTenant, NewTenant, Tenant, TenantQuery } from '#types'

/** The people named in agreements. */
export interface TenantCalls extends ReturnType<typeof createTenants> {}

export const createTenants = (http: HttpClient) => ({
  /**
   * Finds or creates the user with a phone number and returns them; agreements and units name them by `id`.
   * Names that are not given stay as the landlord gave them before.
   * @throws {TooManyRequestsError} The landlord has created more than 100 tenants within an hour.
   * @example
   * const tenant = await kiraya.tenants.create({ phone_number: '9123456789', first_name: 'Tara' })
   */
  create: (tenant: NewTenant, options?: CallOptions) =>
    http.post<NamedTenant>(
      'tenants',
      () => ({ ...tenant, phone_number: normalizePhone(tenant.phone_number) }),
      options,
    ),

  /**
   * Lists the tenants in the user's agreements, and of the people whom the user named. `await` returns a page, `for await` yields all.
   * @example
   * const { data, metadata } = await kiraya.tenants.list({ q: 'Tara' })
   */
  list: (query?: TenantQuery, options?: CallOptions) => http.list<Tenant>('tenants', query, options),
})
