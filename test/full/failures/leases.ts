import { sql } from 'kysely'
import { getKysely, type Database } from '../../../db/database'
import { DEFAULT_TIMES } from '../../support/timestamps'

const UNITS = 100
const isOurs = `phone like '8%' and last_name = 'of many'`

/** Leases from 1 December 2026, a hundred to a landlord, each in a unit of its own and with empty books. */
const statements = (leases: number) => [
  DEFAULT_TIMES,
  `insert into users (phone, first_name, last_name)
    select '8' || lpad(n::text, 9, '0'), 'User ' || n, 'of many'
    from generate_series(1, ${Math.ceil(leases / UNITS) + leases}) n`,
  `create temp table people as
    select id, row_number() over (order by id) - ${Math.ceil(leases / UNITS)} as n from users where ${isOurs}`,
  `insert into properties (alias_name, pin_code, district, city, state, property_type, landlord_id)
    select 'House ' || id, 560048, 'Bengaluru', 'Bengaluru', 'Karnataka', 'apartment', id from people where n <= 0`,
  `insert into property_units (property_id, landlord_id, managed_by_id, unit_name)
    select p.id, p.landlord_id, p.landlord_id, 'A-' || g
    from properties p join people o on o.id = p.landlord_id, generate_series(1, ${UNITS}) g`,
  `insert into agreements (agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date,
      agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days, status, signed_date)
    select 'AGR-2026-' || lpad(n::text, 6, '0'), 'https://example.com/lease.pdf', id, landlord_id, '2026-12-01',
      '2027-10-31', 11, 25000.50, 5, 30, 'ACTIVE', '2026-11-20'
    from (
      select u.id, u.landlord_id, row_number() over (order by u.id) as n
      from property_units u join people o on o.id = u.landlord_id
    ) u where n <= ${leases}`,
  `insert into agreement_tenants (agreement_id, tenant_id)
    select a.id, t.id
    from (
      select a.id, row_number() over (order by a.id) as n
      from agreements a join people o on o.id = a.landlord_id
    ) a join people t using (n)`,
  `insert into ledgers (agreement_id, starts_on, next_posting_on)
    select a.id, a.agreement_start_date, a.agreement_start_date from agreements a join people o on o.id = a.landlord_id`,
  'drop table people',
  'vacuum analyze users, properties, property_units, agreements, agreement_tenants, ledgers',
]

export async function createLeases(db: Database, leases: number) {
  await getKysely(db)
    .connection()
    .execute(async connection => {
      for (const statement of statements(leases)) await sql.raw(statement).execute(connection)
    })
}
