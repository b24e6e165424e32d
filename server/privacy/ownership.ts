import { sql, type Expression } from 'kysely'

// Conditions for records that belong to a user without a column that says so.

/** Users may have many records: all queries of an erasure may take this long together, as each of an export may. */
export const MAX_QUERY_MS = 20_000

/** The id of a user; the cast tells PostgreSQL its type where no column does. */
export function toUserId(id: number) {
  return sql<number>`${id}::int`
}

/** Whether a rate limit counts what is done by or to the user with the hash of a phone number. */
export function isRateLimitKeyOfHash(column: string, phoneHash: Expression<string>) {
  const key = sql.ref(column)
  return sql<boolean>`(
    split_part(${key}, ':', 1) in ('otp', 'wrong-otp', 'login', 'messages', 'invitations')
    and split_part(${key}, ':', 2) = ${phoneHash}
  )`
}

type DeletableTable = 'properties' | 'property_units' | 'agreements'

/** Selects the ids of records whose `column` has a value, also of deleted ones: they have an index of their own. */
function selectIds(table: DeletableTable, column: string, value: Expression<number>) {
  const isMatch = sql`${sql.ref(column)} = ${value}`
  return sql`(
    select id from ${sql.table(table)} where is_active and ${isMatch}
    union all
    select id from ${sql.table(table)} where not is_active and ${isMatch}
  )`
}

/** Selects the ids of the records of a landlord. */
export function selectOwnIds(table: DeletableTable, landlordId: Expression<number>) {
  return selectIds(table, 'landlord_id', landlordId)
}

/** Whether a record is one of the landlord with an id. */
export function isOwn(table: DeletableTable, idColumn: string, landlordId: Expression<number>) {
  return sql<boolean>`${sql.ref(idColumn)} in ${selectOwnIds(table, landlordId)}`
}

/** Whether a user manages a unit. */
export function isManagedUnit(idColumn: string, userId: Expression<number>) {
  return sql<boolean>`${sql.ref(idColumn)} in ${selectIds('property_units', 'managed_by_id', userId)}`
}

/** Whether a user is the landlord of a unit, or manages it. */
export function isOwnOrManagedUnit(idColumn: string, userId: Expression<number>) {
  return sql<boolean>`${sql.ref(idColumn)} in (
    ${selectIds('property_units', 'landlord_id', userId)}
    union ${selectIds('property_units', 'managed_by_id', userId)}
  )`
}

/** Selects the ids of the agreements that a user is a party to, or manages, or whose unit they manage. */
export function selectAgreementIds(userId: Expression<number>) {
  return sql`
    ${selectIds('agreements', 'landlord_id', userId)}
    union ${selectIds('agreements', 'manager_id', userId)}
    union select agreement_id from agreement_tenants where tenant_id = ${userId}
    union (
      select agreement.id
      from property_units unit
      cross join lateral ${selectIds('agreements', 'property_unit_id', sql.ref('unit.id'))} agreement
      where unit.managed_by_id = ${userId} and unit.is_active
    )`
}

/** Whether a user is a party to an agreement, or manages it or its unit. */
export function isPartyOrManager(idColumn: string, userId: Expression<number>) {
  return sql<boolean>`${sql.ref(idColumn)} in (${selectAgreementIds(userId)})`
}
