import { sql, type Expression } from 'kysely'
import type { NamedPerson, NamedUnit } from '@kiraya/sdk/contract'
import { hasCompletedProfile } from '../accounts/auth/queries'
import { hasConsented } from '../domain/consent'
import type { UserId } from '../http/reads/reader'
import { unitPropertyName } from '../listing/properties/queries'

// What a screen shows beside the ids of an agreement (`a`).

/**
 * The name of a person (`users as who`): the own one to the reader, of the landlord, and of who has signed or accepted
 * it. Of others it is the one of the `contact`, which the caller joins for those who may read it.
 */
export const toPersonName = (me: UserId) => sql<string | null>`nullif(case
  when ${hasCompletedProfile('who')} and (
    who.id in (${me}, a.landlord_id) or ${hasConsented(sql.ref('a.id'), sql.ref('who.id'))}
  ) then concat_ws(' ', who.first_name, who.last_name)
  else concat_ws(' ', contact.first_name, contact.last_name)
end, '')`

const toPersonJson = (me: UserId) => sql`json_build_object('id', who.id, 'name', ${toPersonName(me)})`

/** Joins what the landlord calls a person, for the landlord's side alone. */
const toContacts = (me: UserId) => sql`left join tenant_contacts contact
  on contact.landlord_id = a.landlord_id and contact.tenant_id = who.id and (${me} in (a.landlord_id, a.manager_id) or exists (
    select from property_units managed where managed.id = a.property_unit_id and managed.managed_by_id = ${me}
  ))`

export const toNamedPerson = (id: Expression<unknown>, me: UserId) => sql<NamedPerson>`(
  select ${toPersonJson(me)} from users who ${toContacts(me)} where who.id = ${id}
)`

export const toNamedTenants = (me: UserId) => sql<NamedPerson[]>`(
  select coalesce(json_agg(${toPersonJson(me)} order by named.id), '[]')
  from agreement_tenants named join users who on who.id = named.tenant_id ${toContacts(me)}
  where named.agreement_id = a.id
)`

/** The manager: the one who signed it or is asked to, else that of the unit; none if the landlord manages it. */
export const managerId = sql<number | null>`coalesce(a.manager_id, (
  select nullif(u.managed_by_id, a.landlord_id) from property_units u where u.id = a.property_unit_id
))`

export const namedUnit = sql<NamedUnit>`(
  select json_build_object(
    'unit_name', u.unit_name,
    'property_name', ${unitPropertyName},
    'address', concat_ws(', ', p.society_building, p.road_name, p.locality, p.landmark, p.city, nullif(p.district, p.city), p.state),
    'pin_code', p.pin_code
  )
  from property_units u join properties p on p.id = u.property_id where u.id = a.property_unit_id
)`
