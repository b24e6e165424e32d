import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { RentRoll, RentRollRow } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import { getRentInForce, toLeaseRent, type LeaseRent } from '../leases/rents'
import { toMonthEnd } from '../domain/dates'
import { sumRupees, toRupees } from '../domain/money'
import { toRawJson } from '../http/reads/raw-json'
import type { Reader, UserId } from '../http/reads/reader'
import { toLastChargedDay } from '../leases/term'
import { unitPropertyName } from '../listing/properties/queries'
import { listRows, selectReport, toSums, withManagedAgreements, withTenants } from './fragments'

const MAX_BLOCK_MS = 5

type Month = { month: string; first: string; last: string }

type StoredRow = Omit<RentRollRow, 'rent'> & { rent: LeaseRent | null }
type StoredRentRoll = Omit<RentRoll, 'rows' | 'rent'> & { rows: StoredRow[] }

/** Loads a row for each lease of a month, with the rent that is in force on its last day, and for each unit without one. */
export async function loadRentRoll(reader: Reader, month: string) {
  const [first, last] = [`${month}-01`, toMonthEnd(`${month}-01`)]
  const stored = await reader.row(selectRentRoll, { month, first, last }, 'user_not_found')
  const rows = await computeRents(stored.rows, last)
  return toRawJson<RentRoll>({ ...stored, rows, rent: sumRupees(rows.map(({ rent }) => rent ?? 0)) })
}

/** Computes the rents of what may be thousands of units, and lets other requests be served in between. */
export async function computeRents<Row extends { rent: LeaseRent | null }>(stored: Row[], day: string) {
  const rows: (Omit<Row, 'rent'> & { rent: number | Extract<Row['rent'], null> })[] = []
  let since = performance.now()
  for (const row of stored) {
    rows.push({ ...row, rent: row.rent && toRupees(getRentInForce(row.rent, day)) } as (typeof rows)[number])
    if (performance.now() - since < MAX_BLOCK_MS) continue
    await setImmediate()
    since = performance.now()
  }
  return rows
}

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
    tenants.people as tenants, ${toLeaseRent('agreement')} as rent,
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
    coalesce(leases.charged, 0) as charged, coalesce(leases.paid, 0) as paid,
    coalesce(leases.charged - leases.paid, 0) as outstanding
  from leases full join units on units.id = leases.property_unit_id
  join property_units u on u.id = coalesce(units.id, leases.property_unit_id)
  join properties p on p.id = u.property_id
  order by property_name, u.unit_name, u.id, leases.agreement_id
)`

function selectRentRoll(db: Db, userId: UserId, month: Month) {
  const tenants = withTenants('managed_agreements')
  const leases = [withManagedAgreements(db, userId), tenants, toDue(month), toLeases(month)]
  return selectReport<StoredRentRoll>(db, [...leases, toUnits(userId), rows], {
    month: sql<string>`${month.month}::text`,
    rows: listRows<StoredRow>(),
    ...toSums(['charged', 'paid', 'outstanding']),
  })
}
