import type { NamedTenant, NewTenant, Paging, Tenant, TenantQuery } from './contract'
import type { Http } from './http'

export class Tenants {
  constructor(private readonly http: Http) {}

  /**
   * Finds or makes the user behind a phone number, so that an agreement can name them by `id`.
   * @throws {TooManyRequestsError} More than 100 in an hour.
   */
  create = (tenant: NewTenant) => this.http.post<NamedTenant>('tenants', tenant)

  /** A page of the tenants of the user's agreements. */
  list = (query?: TenantQuery) => this.http.page<Tenant, Paging>('tenants', query)
}
