import { sql, type Expression } from 'kysely'

// Conditions for records that belong to a user without a column that says so.

/** The id of a user; the cast tells PostgreSQL its type where no column does. */
export function toUserId(id: number) {
  return sql<number>`${id}::int`
}

/** Whether a rate limit key, of parts between colons, has a phone number: its counter does not outlive an erasure. */
export function isRateLimitKeyWithPhone(column: string, phone: Expression<string>) {
  return sql<boolean>`${phone} = any (string_to_array(${sql.ref(column)}, ':'))`
}

/** Whether a rate limit counts what the user with the hash of a phone number does; it outlives an erasure. */
export function isRateLimitKeyOfHash(column: string, phoneHash: Expression<string>) {
  const key = sql.ref(column)
  return sql<boolean>`(
    split_part(${key}, ':', 1) in ('otp', 'tenants') and split_part(${key}, ':', 2) = ${phoneHash}
  )`
}

/** Whether a user is a party to an agreement, or manages it or its unit. */
export function isPartyOrManager(agreements: string, userId: Expression<number>) {
  const column = (name: string) => sql.ref(`${agreements}.${name}`)
  return sql<boolean>`(
    ${userId} in (${column('landlord_id')}, ${column('manager_id')})
    or exists (
      select from agreement_tenants tenancy
      where tenancy.agreement_id = ${column('id')} and tenancy.tenant_id = ${userId}
    )
    or exists (
      select from property_units unit
      where unit.id = ${column('property_unit_id')} and unit.managed_by_id = ${userId} and unit.is_active
    )
  )`
}

/** Blanks, dashes, brackets and dots between the digits of a phone number, but nothing that separates values. */
const BETWEEN_DIGITS = '[^[:alnum:]",:{}]{0,3}'

/** Returns a regular expression for a phone number, in whichever way its digits are grouped. */
function toPhonePattern(phone: Expression<string>) {
  return sql<string>`regexp_replace(${phone}, '(\\d)(?=\\d)', ${`\\1${BETWEEN_DIGITS}`}, 'g')`
}

/** Whether a webhook (`webhook_deliveries as w`) is about a user's signature or has their phone number. */
export function mentionsUser(userId: Expression<number>, phone: Expression<string>) {
  return sql<boolean>`(
    w.payload ~ ${toPhonePattern(phone)}
    or exists (
      select from agreement_signatures signature
      where signature.signer_id = ${userId}
        and (
          signature.provider_request_id = w.request_id
          or signature.signature_id::text = w.document_id
        )
    )
  )`
}
