import { sql, type Expression } from 'kysely'

// What belongs to a user, where no column says so by itself.

/** Counters are kept under words that are separated by colons; a phone number is one of them, or the number of a user after `tenants`. */
export const isRateLimitKeyOfUser = (column: string, me: Expression<number>, phone: Expression<string>) =>
  sql<boolean>`(${phone} = any (string_to_array(${sql.ref(column)}, ':')) or ${sql.ref(column)} = 'tenants:' || ${me})`

/** Agreements that a user is a party of or manages. */
export const isPartyOrManager = (
  table: string,
  me: Expression<number>,
) => sql<boolean>`(${me} in (${sql.ref(`${table}.landlord_id`)}, ${sql.ref(`${table}.manager_id`)})
  or exists (select from agreement_tenants part where part.agreement_id = ${sql.ref(`${table}.id`)} and part.tenant_id = ${me})
  or exists (select from property_units under where under.id = ${sql.ref(`${table}.property_unit_id`)} and under.managed_by_id = ${me} and under.is_active))`

/** Webhooks, as `w`, about requests that ask a user to sign, or that name their phone number. */
export const mentionsUser = (
  me: Expression<number>,
  phone: Expression<string>,
) => sql<boolean>`(strpos(w.payload, ${phone}) > 0
  or exists (select from agreement_signatures asked where asked.signer_id = ${me} and (asked.provider_request_id = w.request_id or asked.signature_id::text = w.document_id)))`
