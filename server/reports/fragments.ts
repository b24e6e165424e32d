import { sql, type Expression, type RawBuilder } from 'kysely'
import type { Db } from '../../db/database'
import { hasConsented } from '../domain/consent'
import type { UserId } from '../http/reads/reader'
import { selectManagedAgreements } from '../listing/visibility'

/** Selects the ids of the agreements of which a user is the landlord or manages the unit; void ones are in no report. */
export const withManagedAgreements = (
  db: Db,
  userId: UserId,
) => sql`managed_agreements (agreement_id) as materialized (
  select lease.id from ${selectManagedAgreements(db, userId)} managed
  join agreements lease on lease.id = managed.id and lease.voided_on is null
)`

/** Selects the ids of `managed_agreements`, for part of the same statement. */
export const managedIds = sql<{ id: number }>`select agreement_id as id from managed_agreements`

/** What the landlord calls a tenant. */
const givenName = sql`(
  select nullif(concat_ws(' ', contact.first_name, contact.last_name), '')
  from agreements agreement join tenant_contacts contact on contact.landlord_id = agreement.landlord_id
  where agreement.id = t.agreement_id and contact.tenant_id = t.tenant_id
)`

/** The tenants of the agreements of a table, by their own names once they have signed or accepted their lease. */
export const withTenants = (agreements: 'managed_agreements' | 'overdue') => sql`tenants as (
  select t.agreement_id, json_agg(json_build_object(
    'id', person.id, 'name', coalesce(case when ${hasConsented(sql.ref('t.agreement_id'), sql.ref('t.tenant_id'))}
      then nullif(concat_ws(' ', person.first_name, person.last_name), '') end, ${givenName})
  ) order by t.id) as people
  from ${sql.table(agreements)} join agreement_tenants t using (agreement_id)
  join users person on person.id = t.tenant_id
  group by t.agreement_id
)`

/** Nothing sums to 0. */
const sumColumn = (name: string) => sql<number>`coalesce(sum(${sql.ref(name)}), 0)`

/** Sums columns under their own names. */
export const sumAll = (names: readonly string[]) =>
  sql.join(names.map(name => sql`${sumColumn(name)} as ${sql.ref(name)}`))

/** The sums of a report, by their names. */
export const toSums = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map(name => [name, sumColumn(name)])) as Record<Name, RawBuilder<number>>

/** The rows of a report. */
export const listRows = <Row>() => sql<Row[]>`coalesce(json_agg(rows), '[]')`

/** Selects a report, each of its fields from `rows`, the last of its parts. */
export function selectReport<Report extends object>(
  db: Db,
  parts: RawBuilder<unknown>[],
  fields: { [Name in keyof Report]: Expression<Report[Name]> },
) {
  const columns = Object.entries<Expression<unknown>>(fields)
  const selection = columns.map(([name, field]) => sql`${field} as ${sql.ref(name)}`)
  const report = sql<Report>`(with ${sql.join(parts)} select ${sql.join(selection)} from rows)`
  return db.selectFrom(report.as('report')).selectAll()
}

/** The unit (`u`) of an `agreement` and its property (`p`). */
export const joinUnit = sql`join property_units u on u.id = agreement.property_unit_id
  join properties p on p.id = u.property_id`
