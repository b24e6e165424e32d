import { Type, type Static } from '@sinclair/typebox'
import {
  OptionalNullable,
  Nullable,
  StringEnum,
  PageQuery,
  PageMetadata,
  PhoneNumber,
  SearchText,
  Text,
} from './common.ts'

export const NewTenant = Type.Object({
  phone_number: PhoneNumber,
  first_name: OptionalNullable(Text(255)),
  last_name: OptionalNullable(Text(255)),
  role: OptionalNullable(StringEnum('tenant', 'manager')),
})
export type NewTenant = Static<typeof NewTenant>

/** The names are the ones that the caller gave, now or before. */
export const NamedTenant = Type.Object({
  id: Type.Integer(),
  user_id: Type.String(),
  phone: Type.String(),
  first_name: Nullable(Type.String()),
  last_name: Nullable(Type.String()),
})
export type NamedTenant = Static<typeof NamedTenant>

/**
 * A tenant of one of the caller's agreements, or a person whom the caller named. Number and names appear only
 * if the caller gave them or the tenant has signed; then the names are those of the tenant's own profile, if it
 * is complete.
 */
export const Tenant = Type.Object({ ...NamedTenant.properties, phone: Nullable(Type.String()) })
export type Tenant = Static<typeof Tenant>

export const TenantQuery = Type.Object({ ...PageQuery(['id', 'first_name']), q: SearchText })
export type TenantQuery = Static<typeof TenantQuery>
export const TenantPage = Type.Object({ data: Type.Array(Tenant), metadata: PageMetadata })
