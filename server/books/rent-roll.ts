import { sql } from 'kysely'
import type { RentRoll } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import type { UserIdExpression } from '../http/authentication'
import { withMine, withTenants } from './fragments'

type Month = { month: string; first: string; last: string }

/** Selects a row for each lease of a month, and for each unit without one. */
export function selectRentRoll(db: Db, userId: UserIdExpression, { month, first, last }: Month) {
  const rent = sql`coalesce((
    select r.rent_amount from rent_revisions r
    where r.agreement_id = a.id and r.status = 'accepted' and r.effective_on <= ${last}::date
    order by r.effective_on desc limit 1
  ), a.rent_amount)`
  const roll = sql<Omit<RentRoll, 'month'>>`(
    with ${withMine(userId)}, ${withTenants('mine', 'id')}, due as (
      select c.agreement_id, sum(c.amount - c.amount_credited) as charged, sum(c.amount_paid) as paid
      from mine join charges c on c.agreement_id = mine.id and c.due_date between ${first}::date and ${last}::date
      where c.type <> 'deposit'
      group by c.agreement_id
    ), leases as (
      select a.id as agreement_id, a.agreement_number, a.property_unit_id, tenants.people as tenants, ${rent} as rent,
        coalesce(due.charged, 0) as charged, coalesce(due.paid, 0) as paid
      from mine join agreements a on a.id = mine.id join ledgers l on l.agreement_id = a.id
      left join tenants on tenants.agreement_id = a.id left join due on due.agreement_id = a.id
      where due.agreement_id is not null or (a.agreement_start_date <= ${last}::date
        and coalesce(a.termination_date, a.agreement_end_date) >= ${first}::date)
    ), units as (
      select u.id from property_units u
      where u.is_active and (u.landlord_id = ${userId} or u.managed_by_id = ${userId})
    ), rows as (
      select u.id as property_unit_id, p.alias_name as property_name, u.unit_name, leases.agreement_id,
        leases.agreement_number, coalesce(leases.tenants, '[]') as tenants, leases.rent,
        coalesce(leases.charged, 0) as charged, coalesce(leases.paid, 0) as paid,
        coalesce(leases.charged - leases.paid, 0) as outstanding
      from leases full join units on units.id = leases.property_unit_id
      join property_units u on u.id = coalesce(units.id, leases.property_unit_id)
      join properties p on p.id = u.property_id
      order by p.alias_name, u.unit_name, u.id, leases.agreement_id
    )
    select coalesce(json_agg(rows), '[]') as rows, coalesce(sum(rent), 0) as rent,
      coalesce(sum(charged), 0) as charged, coalesce(sum(paid), 0) as paid,
      coalesce(sum(outstanding), 0) as outstanding
    from rows
  )`.as('roll')
  return db
    .selectFrom(roll)
    .select(e => [
      sql<string>`${month}::text`.as('month'),
      e.ref('roll.rows').$castTo<RentRoll['rows']>().as('rows'),
      'roll.rent',
      'roll.charged',
      'roll.paid',
      'roll.outstanding',
    ])
}
