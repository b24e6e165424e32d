import type { PageQuery } from './common.ts'

/** A person to name in an agreement, or as a manager. */
export interface NewTenant {
  /** 10 digits, the first of them 6 to 9. */
  phone_number: string
  /** At most 255 characters. Without one the name given before stays. */
  first_name?: string | null
  /** At most 255 characters. Without one the name given before stays. */
  last_name?: string | null
  /** What a person with a new number is called. Default `tenant`. */
  role?: 'tenant' | 'manager' | null
}

/** A person whom the user has named. */
export interface NamedTenant {
  /** The user's number, which agreements and units name. */
  id: number
  /** The user's UUID. */
  user_id: string
  /** The 10 digits of the mobile number. */
  phone: string
  /** The name that the caller gave, now or before. */
  first_name: string | null
  /** The name that the caller gave, now or before. */
  last_name: string | null
}

/** A tenant of one of the user's agreements, or a person whom the user named. */
export interface Tenant {
  /** The user's number, which agreements and units name. */
  id: number
  /** The user's UUID. */
  user_id: string
  /** The mobile number, if the caller gave it or the tenant has signed. */
  phone: string | null
  /** The name that the caller gave, or the tenant's own once the tenant has signed. */
  first_name: string | null
  /** The name that the caller gave, or the tenant's own once the tenant has signed. */
  last_name: string | null
}

/** Which tenants to list. */
export interface TenantQuery extends PageQuery<'id' | 'first_name'> {
  /** Text of 1 to 100 characters to look for. */
  q?: string | undefined
}
