import { sql } from 'kysely'
import type { Language } from '@kiraya/sdk/contract'
import { toIsoTimestamp, type Db } from '../../db/database'
import { isErasedPhone } from '../accounts/auth/queries'
import { toShownName } from '../documents/names'
import { hasConsented } from '../domain/consent'
import { maskPhone } from '../domain/formats'
import { getWords } from '../messages'
import type { SignerRole } from './states'

export type Person = {
  id: number
  role: SignerRole
  has_consented: boolean
  /** Null if it may not be shown. */
  phone: string | null
  /** What the landlord calls a tenant. */
  given_name: string | null
  /** An ISO timestamp. */
  accepted_at: string | null
  /** Why a tenant objects to what was recorded, and since when. */
  objection: string | null
  objected_at: string | null
}

/** Whether the lease was signed and a person (`u`) agreed to it; the landlord recorded what was signed on paper. */
const hasAgreed = sql<boolean>`(a.signed_date is not null and (
  party.role = 'LANDLORD' or ${hasConsented(sql.ref('a.id'), sql.ref('u.id'))}
))`

/**
 * Selects the people whom documents of an agreement name: the landlord, the manager, and the tenants in their order. Of
 * tenants who have not accepted what was recorded, they show what the landlord says.
 */
export const selectPeople = (_: Db, { agreementId }: { agreementId: number }) => sql<Person>`
  select u.id, party.role, ${toIsoTimestamp(sql.ref('party.accepted_at'))} as accepted_at,
    party.objection, ${toIsoTimestamp(sql.ref('party.objected_at'))} as objected_at, ${hasAgreed} as has_consented,
    case when (${hasAgreed} or a.signed_date is not null and contact.tenant_id is not null)
      and not ${isErasedPhone('u.phone')} then u.phone end as phone,
    case when a.signed_date is not null
      then nullif(concat_ws(' ', contact.first_name, contact.last_name), '') end as given_name
  from agreements a
  cross join lateral (
    select a.landlord_id as id, 'LANDLORD' as role, 0 as position, null::timestamptz as accepted_at,
      null as objection, null::timestamptz as objected_at
    union all
    select a.manager_id, 'MANAGER', 0, null, null, null where a.manager_id is not null
    union all
    select t.tenant_id, 'TENANT', t.id, t.accepted_at, t.objection, t.objected_at from agreement_tenants t where t.agreement_id = a.id
  ) party
  join users u on u.id = party.id
  left join tenant_contacts contact
    on contact.landlord_id = a.landlord_id and contact.tenant_id = u.id and party.role = 'TENANT'
  where a.id = ${agreementId}
  order by party.position, party.role`

const USER = ['User', 'उपयोगकर्ता'] as const

/** Returns what documents call people: the names that were fixed, else what the landlord calls them, if anything. */
export const toNaming =
  (people: Person[], names: Record<string, string | null>, language: Language = 'en') =>
  (id: number) => {
    const { phone, given_name } = people.find(person => person.id === id) ?? {}
    const name = names[id] ?? given_name
    if (name) return toShownName(name, phone, language)
    return phone ? maskPhone(phone) : `${getWords(USER, language)} ${id}`
  }

/** Lists who of the people objects to what was recorded, and why. */
export const listObjections = (people: Person[], getName: (id: number) => string) =>
  people.flatMap(({ id, objection, objected_at }) =>
    objection && objected_at ? [{ name: getName(id), reason: objection, objected_at }] : [],
  )
