import { sql } from 'kysely'
import type { ExpiringLease, ExpiringLeases } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import { addDays } from '../domain/dates'
import { toRawJson } from '../http/reads/raw-json'
import type { Reader, UserId } from '../http/reads/reader'
import { toLeaseRent, type LeaseRent } from '../leases/rents'
import { OPEN_STATUSES } from '../leases/states'
import { unitPropertyName } from '../listing/properties/queries'
import { joinUnit, listRows, selectReport, withManagedAgreements, withTenants } from './fragments'
import { computeRents } from './rent-roll'

type Days = { today: string; to: string }

type StoredRow = Omit<ExpiringLease, 'rent'> & { rent: LeaseRent }
type StoredLeases = Omit<ExpiringLeases, 'rows'> & { rows: StoredRow[] }

/** Loads the ACTIVE leases that end within some days, with the rents that are in force today. */
export async function loadExpiringLeases(reader: Reader, today: string, days: number) {
  const given = { today, to: addDays(today, days) }
  const stored = await reader.row(selectExpiringLeases, given, 'user_not_found')
  return toRawJson<ExpiringLeases>({ ...stored, rows: await computeRents(stored.rows, today) })
}

/** The next terms that are drawn up; a lease has one at most. */
const renewals = sql`renewals as (
  select next.renews_id, next.id, next.status from managed_agreements
  join agreements next on next.id = managed_agreements.agreement_id
  where next.renews_id is not null and next.status in (${sql.join(OPEN_STATUSES)})
)`

const toLeases = ({ to }: Days) => sql`rows as (
  select agreement.id as agreement_id, agreement.agreement_number, u.id as property_unit_id,
    ${unitPropertyName} as property_name, u.unit_name, tenants.people as tenants, agreement.agreement_end_date,
    agreement.auto_renew, renewals.id as renewal_id, renewals.status as renewal_status,
    ${toLeaseRent('agreement')} as rent
  from managed_agreements join agreements agreement on agreement.id = managed_agreements.agreement_id
  join tenants on tenants.agreement_id = agreement.id
  left join renewals on renewals.renews_id = agreement.id
  ${joinUnit}
  where agreement.status = 'ACTIVE' and agreement.agreement_end_date <= ${to}::date
  order by agreement.agreement_end_date, property_name, u.unit_name, agreement.id
)`

function selectExpiringLeases(db: Db, userId: UserId, days: Days) {
  const leases = [withTenants('managed_agreements'), renewals, toLeases(days)]
  return selectReport<StoredLeases>(db, [withManagedAgreements(db, userId), ...leases], {
    as_of: sql<string>`${days.today}::text`,
    to: sql<string>`${days.to}::text`,
    rows: listRows<StoredRow>(),
  })
}
