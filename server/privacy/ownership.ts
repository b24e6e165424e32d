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
    split_part(${key}, ':', 1) in ('otp', 'wrong-otp', 'login', 'messages', 'invitations', 'identity-checks', 'own-signings')
    and split_part(${key}, ':', 2) = ${phoneHash}
  )`
}

/** Whether a user is the landlord of a record, deleted or not. */
export function isOwn(record: string, userId: Expression<number>) {
  return sql<boolean>`${sql.ref(`${record}.landlord_id`)} = ${userId}`
}

/** Whether a user manages a unit, deleted or not; without a manager it is its landlord. */
export function isManagedUnit(unit: string, userId: Expression<number>) {
  return sql<boolean>`${sql.ref(`${unit}.managed_by_id`)} = ${userId}`
}

/** Whether a user is the landlord of a unit, or manages it. */
export function isOwnOrManagedUnit(unit: string, userId: Expression<number>) {
  return sql<boolean>`(${isOwn(unit, userId)} or ${isManagedUnit(unit, userId)})`
}

/** Selects the ids of the agreements that a user is a party to, or manages, or whose unit they manage. */
export function selectAgreementIds(userId: Expression<number>) {
  return sql`
    ${selectLandlordSideIds(userId)}
    union select agreement_id from agreement_tenants where tenant_id = ${userId}`
}

/** The same without what is gone for a tenant: deleted agreements, and drafts that the tenant declined. */
export function selectReadableAgreementIds(userId: Expression<number>) {
  return sql`
    ${selectLandlordSideIds(userId)}
    union select agreement.id
    from agreement_tenants tenant join agreements agreement on agreement.id = tenant.agreement_id
    where tenant.tenant_id = ${userId} and agreement.is_active and not (
      agreement.status = 'DRAFT' and exists (
        select from agreement_signatures signature
        where signature.agreement_id = agreement.id
          and signature.signer_id = ${userId}
          and signature.status = 'DECLINED'
      )
    )`
}

const selectLandlordSideIds = (userId: Expression<number>) => sql`
  select id from agreements where landlord_id = ${userId}
  union select id from agreements where manager_id = ${userId}
  union select agreement.id
  from property_units unit join agreements agreement on agreement.property_unit_id = unit.id
  where unit.managed_by_id = ${userId} and unit.is_active`

/** Whether a user is a party to an agreement, or manages it or its unit. */
export function isPartyOrManager(idColumn: string, userId: Expression<number>) {
  return sql<boolean>`${sql.ref(idColumn)} in (${selectAgreementIds(userId)})`
}

/** Selects the ids of the leases that were recorded and that a user, a tenant, has not accepted. */
export const selectUnacceptedIds = (userId: Expression<number>) => sql`
  select recorded.id from agreement_tenants named join agreements recorded on recorded.id = named.agreement_id
  where named.tenant_id = ${userId} and named.accepted_at is null and recorded.recorded_on is not null`

/** Selects the ids of the maintenance requests for the units that a user lets or manages. */
export function selectUnitRequestIds(userId: Expression<number>) {
  return sql`
    select request.id
    from maintenance_requests request join property_units unit on unit.id = request.property_unit_id
    where ${isOwn('unit', userId)} or ${isManagedUnit('unit', userId)} and unit.is_active`
}

/** Selects the ids of those, and of the maintenance requests under the agreements that a user rents. */
export function selectRequestIds(userId: Expression<number>) {
  return sql`
    ${selectUnitRequestIds(userId)}
    union select request.id
    from maintenance_requests request join agreement_tenants tenant using (agreement_id)
    where tenant.tenant_id = ${userId}`
}
