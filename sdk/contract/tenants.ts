import { Type, type Static } from '@sinclair/typebox'
import { userIdentity } from './auth.ts'
import {
  computed,
  defaulted,
  described,
  field,
  nullable,
  optional,
  page,
  pageQuery,
  PhoneNumber,
  SearchText,
  stringEnum,
  text,
} from './common.ts'

const NewRole = stringEnum('tenant', 'manager')
export const NewTenant = described('A person to name in an agreement, or as a manager.', {
  phone_number: PhoneNumber,
  first_name: optional(text(255), 'Without one the name given before stays'),
  last_name: optional(text(255), 'Without one the name given before stays'),
  role: defaulted(NewRole, 'tenant', 'What a person with a new number is called'),
})
export type NewTenant = Static<typeof NewTenant>

const givenName = computed(nullable(Type.String()), 'The name that the caller gave, now or before')
export const NamedTenant = described(
  'A person by phone number. The names are those that the caller gave, now or before.',
  {
    ...userIdentity,
    phone: field(Type.String(), 'The 10 digits of the mobile number'),
    first_name: givenName,
    last_name: givenName,
  },
)
export type NamedTenant = Static<typeof NamedTenant>

const shownName = computed(
  nullable(Type.String()),
  "The name that the caller gave, or the tenant's own once the tenant has signed",
)
export const Tenant = described(
  "A tenant of one of the caller's agreements, or a person whom the caller named.",
  {
    ...userIdentity,
    phone: computed(
      nullable(Type.String()),
      'The mobile number, if the caller gave it or the tenant has signed',
    ),
    first_name: shownName,
    last_name: shownName,
  },
)
export type Tenant = Static<typeof Tenant>

export const TenantQuery = described('Which tenants to list.', {
  ...pageQuery(['id', 'first_name'], 'id'),
  q: SearchText,
})
export type TenantQuery = Static<typeof TenantQuery>
export const TenantPage = page(Tenant)
