import { sql } from 'kysely'
import type { AnnualBooks, AnnualBooksRow } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import type { UserIdExpression } from '../http/authentication'
import { withMine } from './fragments'

/** A fiscal year, and the day as of which its deposits are held: its last one, or today in a year that is not over. */
type Year = { year: string; from: string; to: string; heldOn: string }
type Sum = Exclude<keyof AnnualBooksRow, 'property_unit_id' | 'property_name' | 'unit_name'>

const sums: Sum[] = [
  'received',
  'tds',
  'for_rent',
  'for_deposits',
  'for_others',
  'refunded',
  'advances',
  'deposits_held',
]
const sumAll = sql.join(sums.map(name => sql`coalesce(sum(${sql.ref(name)}), 0) as ${sql.ref(name)}`))

/** Selects what was received in a year, by unit; units of which nothing was received or is held are left out. */
export function selectAnnualBooks(db: Db, userId: UserIdExpression, { year, from, to, heldOn }: Year) {
  const annual = sql<Omit<AnnualBooks, 'year'>>`(
    with ${withMine(userId)}, received as (
      select y.agreement_id, sum(y.amount) as received, sum(y.tds_amount) as tds,
        sum(y.refunded_amount) as refunded, sum(y.unapplied_amount) as advances
      from mine join payments y on y.agreement_id = mine.id and y.paid_on between ${from}::date and ${to}::date
      where y.status = 'posted'
      group by y.agreement_id
    ), settled as (
      select c.agreement_id, sum(l.amount) filter (where c.type = 'rent') as for_rent,
        sum(l.amount) filter (where c.type = 'deposit') as for_deposits,
        sum(l.amount) filter (where c.type not in ('rent', 'deposit')) as for_others
      from mine join charges c on c.agreement_id = mine.id
      join payment_allocations l on l.charge_id = c.id join payments y on y.id = l.payment_id
      where y.status = 'posted' and y.paid_on between ${from}::date and ${to}::date
      group by c.agreement_id
    ), entries as (
      select received.agreement_id, received, tds, for_rent, for_deposits, for_others, refunded, advances,
        0 as deposits_held
      from received left join settled on settled.agreement_id = received.agreement_id
      union all
      select j.agreement_id, 0, 0, 0, 0, 0, 0, 0, sum(l.credit - l.debit)
      from mine join journals j on j.agreement_id = mine.id and j.effective_on <= ${heldOn}::date
      join journal_lines l on l.journal_id = j.id and l.account = 'deposit_held'
      where j.kind in ('allocation', 'reversal', 'settlement', 'transfer')
      group by j.agreement_id having sum(l.credit - l.debit) > 0
    ), rows as (
      select u.id as property_unit_id, p.alias_name as property_name, u.unit_name, ${sumAll}
      from entries join agreements a on a.id = entries.agreement_id
      join property_units u on u.id = a.property_unit_id join properties p on p.id = u.property_id
      group by u.id, p.alias_name, u.unit_name
      order by p.alias_name, u.unit_name, u.id
    )
    select coalesce(json_agg(rows), '[]') as rows, ${sumAll} from rows
  )`.as('annual')
  return db
    .selectFrom(annual)
    .select(e => [
      sql<string>`${year}::text`.as('year'),
      e.ref('annual.rows').$castTo<AnnualBooks['rows']>().as('rows'),
      ...sums.map(name => `annual.${name}` as const),
    ])
}
