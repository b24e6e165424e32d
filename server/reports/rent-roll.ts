import { sql } from 'kysely'
import type { RentRoll } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import { getRentOn, listRents, type RentTerms, type Revision } from '../leases/rents'
import { sumRupees, toRupees } from '../domain/money'
import type { UserId } from '../http/reads/reader'
import { toLastChargedDay } from '../leases/term'
import { unitPropertyName } from '../listing/properties/queries'
import { sumAll, withManagedAgreements, withTenants } from './fragments'

type Month = { month: string; first: string; last: string }

/** The terms of a lease whose rent rises by itself, and the revisions. */
type Escalation = { terms: RentTerms; revisions: Revision[] }
type Row = RentRoll['rows'][number] & { escalation: Escalation | null }
export type StoredRentRoll = Omit<RentRoll, 'rows'> & { rows: Row[] }

/** Gives the leases of a stored roll the rents that will be in force on the last day of its month. */
export function toRentRoll({ rows, ...roll }: StoredRentRoll, { last }: Month): RentRoll {
  const projected = rows.map(({ escalation, ...row }) =>
    escalation ? { ...row, rent: toRupees(getProjectedRent(escalation, last)) } : row,
  )
  return { ...roll, rows: projected, rent: sumRupees(projected.map(({ rent }) => rent ?? 0)) }
}

function getProjectedRent({ terms, revisions }: Escalation, day: string) {
  // What happens after the day, or the lease, does not count.
  const lastDay = terms.agreement_end_date < day ? terms.agreement_end_date : day
  return getRentOn(listRents({ ...terms, agreement_end_date: lastDay }, revisions), lastDay)
}

const escalation = sql`case when agreement.escalation_percent is not null then json_build_object(
  'terms', json_build_object('rent_amount', agreement.rent_amount, 'escalation_percent', agreement.escalation_percent,
    'escalation_every_months', agreement.escalation_every_months, 'rent_rounding', agreement.rent_rounding,
    'agreement_start_date', agreement.agreement_start_date,
    'agreement_end_date', ${toLastChargedDay('agreement')}),
  'revisions', (
    select coalesce(json_agg(json_build_object(
      'effective_on', revision.effective_on, 'rent_amount', revision.rent_amount
    )), '[]')
    from rent_revisions revision where revision.agreement_id = agreement.id and revision.status = 'accepted'
  )
) end`

/** The rent that was agreed or accepted for a day, or the last one of a lease that ended before. */
const toRent = (day: string) => sql`coalesce((
  select revision.rent_amount from rent_revisions revision
  where revision.agreement_id = agreement.id and revision.status = 'accepted'
    and revision.effective_on <= least(${day}::date, ${toLastChargedDay('agreement')})
  order by revision.effective_on desc limit 1
), agreement.rent_amount)`

const toDue = ({ first, last }: Month) => sql`due as (
  select charge.agreement_id, sum(charge.amount - charge.amount_credited) as charged,
    sum(charge.amount_paid) as paid
  from managed_agreements join charges charge using (agreement_id)
  where charge.due_date between ${first}::date and ${last}::date and charge.type <> 'deposit'
  group by charge.agreement_id
)`

/** The leases that run in the month, or of which something falls due in it. */
const toLeases = ({ first, last }: Month) => sql`leases as (
  select agreement.id as agreement_id, agreement.agreement_number, agreement.property_unit_id,
    tenants.people as tenants, ${toRent(last)} as rent, ${escalation} as escalation,
    coalesce(due.charged, 0) as charged, coalesce(due.paid, 0) as paid
  from managed_agreements join ledgers ledger using (agreement_id)
  join agreements agreement on agreement.id = ledger.agreement_id
  left join tenants on tenants.agreement_id = agreement.id
  left join due on due.agreement_id = agreement.id
  where due.agreement_id is not null or (agreement.agreement_start_date <= ${last}::date
    and ${toLastChargedDay('agreement')} >= ${first}::date)
)`

const toUnits = (userId: UserId) => sql`units as (
  select unit.id from property_units unit
  where unit.is_active and (unit.landlord_id = ${userId} or unit.managed_by_id = ${userId})
)`

const rows = sql`rows as (
  select u.id as property_unit_id, ${unitPropertyName} as property_name, u.unit_name,
    leases.agreement_id, leases.agreement_number, coalesce(leases.tenants, '[]') as tenants, leases.rent,
    leases.escalation, coalesce(leases.charged, 0) as charged, coalesce(leases.paid, 0) as paid,
    coalesce(leases.charged - leases.paid, 0) as outstanding
  from leases full join units on units.id = leases.property_unit_id
  join property_units u on u.id = coalesce(units.id, leases.property_unit_id)
  join properties p on p.id = u.property_id
  order by property_name, u.unit_name, u.id, leases.agreement_id
)`

const sums = ['rent', 'charged', 'paid', 'outstanding'] as const

/**
 * Selects a row for each lease of a month, and for each unit without one. `toRentRoll` adds the
 * escalations to the rents.
 */
export function selectRentRoll(db: Db, userId: UserId, month: Month) {
  const tenants = withTenants('managed_agreements')
  const leases = [withManagedAgreements(userId), tenants, toDue(month), toLeases(month)]
  const roll = sql<Omit<StoredRentRoll, 'month'>>`(
    with ${sql.join([...leases, toUnits(userId), rows])}
    select coalesce(json_agg(rows), '[]') as rows, ${sumAll(sums)} from rows
  )`.as('roll')
  return db
    .selectFrom(roll)
    .select(e => [
      sql<string>`${month.month}::text`.as('month'),
      e.ref('roll.rows').$castTo<Row[]>().as('rows'),
      ...sums.map(name => `roll.${name}` as const),
    ])
}
