import { sql } from 'kysely'
import type { Arrears, ArrearsRow } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import { outstanding } from '../books/charges/queries'
import type { UserId } from '../http/reads/reader'
import { unitPropertyName } from '../listing/properties/queries'
import { joinUnit, listRows, selectReport, toSums, withManagedAgreements, withTenants } from './fragments'

/** The buckets by the days for which a charge has been due. */
const AGE_BUCKETS = [
  { bucket: 'days_0_30', maxDays: 30 },
  { bucket: 'days_31_60', maxDays: 60 },
  { bucket: 'days_61_90', maxDays: 90 },
  { bucket: 'days_over_90', maxDays: Infinity },
] as const

const buckets = AGE_BUCKETS.map(({ bucket }) => bucket)

/** A column for each bucket, of the days since the charges fell due. */
const bucketSums = AGE_BUCKETS.map(({ bucket, maxDays }, index) => {
  const above = sql`days > ${sql.lit(AGE_BUCKETS[index - 1]?.maxDays ?? -1)}`
  const within = Number.isFinite(maxDays) ? sql`${above} and days <= ${sql.lit(maxDays)}` : above
  return sql`coalesce(sum(owed) filter (where ${within}), 0) as ${sql.ref(bucket)}`
})

const toDue = (today: string) => sql`due as (
  select charge.agreement_id, ${today}::date - charge.due_date as days, ${outstanding} as owed
  from managed_agreements join charges charge using (agreement_id)
  where charge.amount > charge.amount_paid + charge.amount_credited and charge.due_date <= ${today}::date
)`

const overdue = sql`overdue as (
  select agreement_id, ${sql.join(bucketSums)}, sum(owed) as total from due group by agreement_id
)`

const rows = sql`rows as (
  select overdue.agreement_id, agreement.agreement_number, u.id as property_unit_id,
    ${unitPropertyName} as property_name, u.unit_name, tenants.people as tenants,
    ${sql.join(buckets.map(name => sql.ref(`overdue.${name}`)))}, overdue.total
  from overdue join agreements agreement on agreement.id = overdue.agreement_id
  join tenants on tenants.agreement_id = overdue.agreement_id
  ${joinUnit}
  order by overdue.total desc, overdue.agreement_id
)`

/** Selects what is outstanding and due, by lease and by age. */
export function selectArrears(db: Db, userId: UserId, { today }: { today: string }) {
  const parts = [withManagedAgreements(db, userId), toDue(today), overdue, withTenants('overdue'), rows]
  return selectReport<Arrears>(db, parts, {
    as_of: sql<string>`${today}::text`,
    rows: listRows<ArrearsRow>(),
    ...toSums([...buckets, 'total']),
  })
}
