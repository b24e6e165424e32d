import { sql } from 'kysely'
import type { RentRoll } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import { getRentOn, projectRents, type RentTerms } from '../charges/rents'
import { toPaise, toRupees } from '../domain/money'
import type { UserIdExpression } from '../http/authentication'
import { withMine, withTenants } from './fragments'

type Month = { month: string; first: string; last: string }

type Revision = { effective_on: string; rent_amount: number }
/** The terms of a lease whose rent rises by itself: its escalations are not written down long before their day. */
type Escalation = { terms: RentTerms; revisions: Revision[] }
type Row = RentRoll['rows'][number] & { escalation: Escalation | null }
export type StoredRentRoll = Omit<RentRoll, 'rows'> & { rows: Row[] }

/** Gives the leases of a stored roll the rents that will be in force on the last day of its month. */
export function toRentRoll({ rows, ...roll }: StoredRentRoll, { last }: Month): RentRoll {
  const projected = rows.map(({ escalation, ...row }) => {
    return escalation ? { ...row, rent: toRupees(getProjectedRent(escalation, last)) } : row
  })
  const rent = projected.reduce((sum, row) => sum + toPaise(row.rent ?? 0), 0)
  return { ...roll, rows: projected, rent: toRupees(rent) }
}

function getProjectedRent({ terms, revisions }: Escalation, day: string) {
  const decided = revisions.map(({ effective_on, rent_amount }) => ({
    effective_on,
    amount: toPaise(rent_amount),
  }))
  return getRentOn(projectRents(terms, decided), day)
}

const escalation = sql`case when a.escalation_percent is not null then json_build_object(
  'terms', json_build_object('rent_amount', a.rent_amount, 'escalation_percent', a.escalation_percent,
    'escalation_every_months', a.escalation_every_months, 'rent_rounding', a.rent_rounding,
    'agreement_start_date', a.agreement_start_date,
    'agreement_end_date', coalesce(a.termination_date, a.agreement_end_date)),
  'revisions', (
    select coalesce(json_agg(json_build_object('effective_on', r.effective_on, 'rent_amount', r.rent_amount)), '[]')
    from rent_revisions r where r.agreement_id = a.id and r.status = 'accepted'
  )
) end`

/**
 * Selects a row for each lease of a month, and for each unit without one. Rents are those that are written down;
 * `toRentRoll` adds the escalations to come.
 */
export function selectRentRoll(db: Db, userId: UserIdExpression, { month, first, last }: Month) {
  const rent = sql`coalesce((
    select r.rent_amount from rent_revisions r
    where r.agreement_id = a.id and r.status = 'accepted' and r.effective_on <= ${last}::date
    order by r.effective_on desc limit 1
  ), a.rent_amount)`
  const roll = sql<Omit<StoredRentRoll, 'month'>>`(
    with ${withMine(userId)}, ${withTenants('mine', 'id')}, due as (
      select c.agreement_id, sum(c.amount - c.amount_credited) as charged, sum(c.amount_paid) as paid
      from mine join charges c on c.agreement_id = mine.id and c.due_date between ${first}::date and ${last}::date
      where c.type <> 'deposit'
      group by c.agreement_id
    ), leases as (
      select a.id as agreement_id, a.agreement_number, a.property_unit_id, tenants.people as tenants, ${rent} as rent, ${escalation} as escalation,
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
        leases.agreement_number, coalesce(leases.tenants, '[]') as tenants, leases.rent, leases.escalation,
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
      e.ref('roll.rows').$castTo<Row[]>().as('rows'),
      'roll.rent',
      'roll.charged',
      'roll.paid',
      'roll.outstanding',
    ])
}
