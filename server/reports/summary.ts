import { sql } from 'kysely'
import type { BookMonth, BookSummary } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import type { UserIdExpression } from '../http/authentication'
import { outstanding, withMine } from './fragments'

type Period = { from: string; to: string; today: string }
type Row = Omit<BookSummary, 'from' | 'to'>

/** Selects what fell due and was received in a period, and the balances of today. */
export function selectSummary(db: Db, userId: UserIdExpression, { from, to, today }: Period) {
  const summary = sql<Row>`(
    with ${withMine(userId)}, due as (
      select c.due_date as day, sum(c.amount) as charged, sum(c.amount_credited) as credited,
        sum(c.amount_paid) as paid, 0 as received
      from mine join charges c on c.agreement_id = mine.id and c.due_date between ${from}::date and ${to}::date
      group by 1
    ), received as (
      select y.paid_on, 0, 0, 0, sum(y.amount + y.tds_amount)
      from mine join payments y on y.agreement_id = mine.id and y.paid_on between ${from}::date and ${to}::date
      where y.status = 'posted'
      group by 1
    ), months as (
      select to_char(day, 'YYYY-MM') as month, sum(charged) as charged, sum(credited) as credited,
        sum(paid) as paid, sum(charged - credited - paid) as outstanding, sum(received) as received
      from (table due union all table received) each
      group by 1 order by 1
    ), open as (
      select coalesce(sum(${outstanding}), 0) as outstanding,
        coalesce(sum(${outstanding}) filter (where c.due_date < ${today}::date), 0) as overdue
      from mine join charges c on c.agreement_id = mine.id and c.amount > c.amount_paid + c.amount_credited
    ), advance as (
      select coalesce(sum(y.unapplied_amount), 0) as advances
      from mine join payments y on y.agreement_id = mine.id and y.unapplied_amount > 0
    ), held as (
      select coalesce(sum(l.deposit_held), 0) as deposits_held
      from mine join ledgers l on l.agreement_id = mine.id
    )
    select coalesce(json_agg(months), '[]') as months, coalesce(sum(charged), 0) as charged,
      coalesce(sum(credited), 0) as credited, coalesce(sum(paid), 0) as paid,
      coalesce(sum(outstanding), 0) as outstanding, coalesce(sum(received), 0) as received,
      (select to_json(now) from (select * from open, advance, held) now) as balances
    from months
  )`.as('summary')
  return db
    .selectFrom(summary)
    .select(e => [
      sql<string>`${from}::text`.as('from'),
      sql<string>`${to}::text`.as('to'),
      e.ref('summary.months').$castTo<BookMonth[]>().as('months'),
      'summary.charged',
      'summary.credited',
      'summary.paid',
      'summary.outstanding',
      'summary.received',
      e.ref('summary.balances').$castTo<BookSummary['balances']>().as('balances'),
    ])
}
