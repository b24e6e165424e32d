import { createDrafts } from './fresh-records'
import type { World } from './world'

export const RENT = 25_000
export const MAINTENANCE = 2500

type OpenLease = { id: number; landlord: number; charges: { charge_id: number; amount: number }[] }

/** Creates ACTIVE leases of the writers, each with a rent and a maintenance in its books that are not paid. */
export async function createOpenLeases(world: World, count: number): Promise<OpenLease[]> {
  const { sql } = world
  const drafts = await createDrafts(world, count)
  const [first, last] = [drafts[0]!.id, drafts.at(-1)!.id]
  await sql`
    update agreements
    set status = 'ACTIVE', signed_date = current_date
    where id between ${first} and ${last}`
  return sql`
    with owed as (
      insert into charges (
        agreement_id, property_unit_id, type, due_date, amount, source, item, posted_at
      )
      select a.id, a.property_unit_id, each.type, current_date, each.amount, 'schedule', each.item, now()
      from agreements a
      cross join (
        values ('rent', 0, ${RENT}::int), ('maintenance', 1, ${MAINTENANCE}::int)
      ) each (type, item, amount)
      where a.id between ${first} and ${last}
      returning id, agreement_id, type, amount, item
    ),
    entries as (
      insert into journals (agreement_id, position, kind, effective_on, posted_at, charge_id, hash)
      select
        agreement_id, item + 1, 'charge', current_date, now(), id,
        encode(sha256((agreement_id || '-' || item)::bytea), 'hex')
      from owed
      returning id, agreement_id, position, charge_id, hash
    ),
    lines as (
      insert into journal_lines (journal_id, line, account, debit, credit)
      select e.id, 1, 'receivable', o.amount, 0 from entries e join owed o on o.id = e.charge_id
      union all
      select e.id, 2, 'income:' || o.type, 0, o.amount from entries e join owed o on o.id = e.charge_id
    ),
    heads as (
      insert into ledgers (agreement_id, starts_on, length, hash)
      select agreement_id, current_date, position, hash from entries where position = 2
    )
    select
      a.id, a.landlord_id as landlord,
      json_agg(json_build_object('charge_id', o.id, 'amount', o.amount) order by o.id) as charges
    from owed o
    join agreements a on a.id = o.agreement_id
    group by a.id
    order by a.id`
}
