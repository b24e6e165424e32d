import { sql } from 'kysely'
import type { UserId } from '../http/reads/reader'

/**
 * Selects the ids of the agreements of which a user is the landlord or manages the unit. Most are the landlord's own,
 * so those are left out of the units that they manage for others.
 */
export const withManagedAgreements = (userId: UserId) => sql`managed_agreements as materialized (
  select owned.id as agreement_id from agreements owned where owned.landlord_id = ${userId} and owned.is_active
  union all
  select managed.id from property_units unit join agreements managed on managed.property_unit_id = unit.id
  where unit.managed_by_id = ${userId} and unit.is_active and managed.is_active
    and unit.landlord_id <> ${userId} and managed.landlord_id <> ${userId}
)`

/** What the landlord calls a tenant who never completed a profile. */
const givenName = sql`(
  select nullif(concat_ws(' ', contact.first_name, contact.last_name), '')
  from agreements agreement join tenant_contacts contact on contact.landlord_id = agreement.landlord_id
  where agreement.id = t.agreement_id and contact.tenant_id = t.tenant_id
)`

/** The tenants of the agreements of a table; all of them have signed, since their leases have books. */
export const withTenants = (agreements: 'managed_agreements' | 'overdue') => sql`tenants as (
  select t.agreement_id, json_agg(json_build_object(
    'id', person.id, 'name', coalesce(nullif(concat_ws(' ', person.first_name, person.last_name), ''), ${givenName})
  ) order by t.id) as people
  from ${sql.table(agreements)} join agreement_tenants t using (agreement_id)
  join users person on person.id = t.tenant_id
  group by t.agreement_id
)`

/** Sums columns under their own names; nothing sums to 0. */
export const sumAll = (names: readonly string[]) =>
  sql.join(names.map(name => sql`coalesce(sum(${sql.ref(name)}), 0) as ${sql.ref(name)}`))

/** The unit (`u`) of an `agreement` and its property (`p`). */
export const joinUnit = sql`join property_units u on u.id = agreement.property_unit_id
  join properties p on p.id = u.property_id`
