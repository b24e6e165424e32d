import { sql } from 'kysely'
import type { NamedTenant, NewTenant } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import type { User } from '../../../db/entities'
import { toJsonText } from '../../../db/json-text'
import { findOrCreateUser, shareActor } from '../../accounts/auth/queries'
import type { Tx } from '../../deps'

type Names = Pick<NamedTenant, 'first_name' | 'last_name'>

/**
 * Finds or creates the user with a phone number, so that an agreement can name them. An existing user stays
 * as is, and the result does not tell whether there was one. The names are the actor's word for them: they stay
 * among the actor's contacts, and only the user gives the account a name.
 */
export async function findOrCreateTenant({ em, actor, now }: Tx, input: NewTenant): Promise<NamedTenant> {
  const { phone_number: phone, first_name = null, last_name = null } = input
  await shareActor(em, actor)
  const role = input.role === 'manager' ? 'MANAGER' : 'TENANT'
  const found = await findOrCreateUser(em, { phone, role, now: now() })
  const rows = toJsonText([{ phone_number: phone, first_name, last_name }])
  const [names] = await executeCompiled(em, upsertContacts, { rows, landlordId: actor.id })
  return { ...found, ...names! }
}

type NamedPerson = { phone_number: string; role: User['role'] } & { [N in keyof Names]?: Names[N] }

/** Does the same for many people at once, and returns their ids by phone number. */
export async function namePeople({ em, actor, now }: Tx, people: NamedPerson[]) {
  const phones = [...new Set(people.map(({ phone_number }) => phone_number))].toSorted()
  const ids = new Map<string, number>()
  await shareActor(em, actor)
  if (phones.length === 0) return ids
  const rows = toJsonText(people)
  await executeCompiled(em, insertPeople, { rows, now: now() })
  const users = await executeCompiled(em, selectPeople, { phones })
  await executeCompiled(em, upsertContacts, { rows, landlordId: actor.id })
  for (const { id, phone } of users) ids.set(phone, id)
  return ids
}

/** In one order, so that two who name the same new people do not wait for each other. */
const insertPeople = (_: Db, { rows, now }: { rows: string; now: Date }) => sql`
  insert into users (phone, role, created_at, updated_at)
  select distinct on (phone_number) phone_number, role, ${now}::timestamptz, ${now}::timestamptz
  from json_to_recordset(${rows}::text::json) as person (phone_number text, role text)
  order by phone_number
  on conflict (phone) do nothing`

function selectPeople(db: Db, { phones }: { phones: string[] }) {
  return db
    .selectFrom('users')
    .where(e => e('phone', '=', e.fn.any(e.val(phones))))
    .orderBy('id')
    .select(['id', 'phone'])
    .forKeyShare()
}

/** A name that is not given now stays as it was given before. */
const upsertContacts = (_: Db, { rows, landlordId }: { rows: string; landlordId: number }) => sql<Names>`
  insert into tenant_contacts (landlord_id, tenant_id, first_name, last_name)
  select ${landlordId}::int, named.id, max(person.first_name), max(person.last_name)
  from json_to_recordset(${rows}::text::json) as person (phone_number text, first_name text, last_name text)
  join users named on named.phone = person.phone_number
  group by named.id order by named.id
  on conflict (landlord_id, tenant_id) do update set
    first_name = coalesce(excluded.first_name, tenant_contacts.first_name),
    last_name = coalesce(excluded.last_name, tenant_contacts.last_name)
  returning first_name, last_name`
