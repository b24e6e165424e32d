import { sql } from 'kysely'
import type { Arrears } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import type { UserIdExpression } from '../http/authentication'
import { outstanding, withMine, withTenants } from './fragments'

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

const totals = sql.join(
  [...buckets, 'total'].map(name => sql`coalesce(sum(${sql.ref(name)}), 0) as ${sql.ref(name)}`),
)

/** Selects what is outstanding and due, by lease and by age. */
export function selectArrears(db: Db, userId: UserIdExpression, { today }: { today: string }) {
  const arrears = sql<Omit<Arrears, 'as_of'>>`(
    with ${withMine(userId)}, due as (
      select c.agreement_id, ${today}::date - c.due_date as days, ${outstanding} as owed
      from mine join charges c on c.agreement_id = mine.id and c.amount > c.amount_paid + c.amount_credited
      where c.due_date <= ${today}::date
    ), overdue as (
      select agreement_id, ${sql.join(bucketSums)}, sum(owed) as total from due group by agreement_id
    ), ${withTenants('overdue', 'agreement_id')}, rows as (
      select a.id as agreement_id, a.agreement_number, u.id as property_unit_id, p.alias_name as property_name,
        u.unit_name, tenants.people as tenants, ${sql.join(buckets.map(name => sql.ref(`overdue.${name}`)))}, overdue.total
      from overdue join agreements a on a.id = overdue.agreement_id
      join tenants on tenants.agreement_id = a.id
      join property_units u on u.id = a.property_unit_id join properties p on p.id = u.property_id
      order by overdue.total desc, a.id
    )
    select coalesce(json_agg(rows), '[]') as rows, ${totals} from rows
  )`.as('arrears')
  return db
    .selectFrom(arrears)
    .select(e => [
      sql<string>`${today}::text`.as('as_of'),
      e.ref('arrears.rows').$castTo<Arrears['rows']>().as('rows'),
      'arrears.days_0_30',
      'arrears.days_31_60',
      'arrears.days_61_90',
      'arrears.days_over_90',
      'arrears.total',
    ])
}
