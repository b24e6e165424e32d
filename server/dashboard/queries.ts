import { sql, type Expression } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { iso, yes, type Db } from '../../db/orm'
import { selectUsers } from '../auth/queries'
import type { UserIdExpression } from '../http/authentication'
import { selectProperties } from '../properties/queries'

const NEWEST = 20
/** A subquery that counts always has its one row. */
const number = (count: Expression<unknown>) => sql<number>`${count}`

/** Dates in India; the month is the one of `today`. */
export type DashboardDates = { today: string; monthStart: string; daysInMonth: number }

/** Selects the response of the dashboard. */
export const selectDashboard = (db: Db, me: UserIdExpression, dates: DashboardDates) => {
  const { today, monthStart, daysInMonth } = dates
  const active = db
    .selectFrom('agreements as a')
    .where('a.landlord_id', '=', me)
    .where('a.status', '=', 'ACTIVE')
    .where('a.is_active', '=', yes)
  // A due day that a month lacks is that month's last day.
  const dueOn = sql<string>`${monthStart}::date + least(a.rent_due_day, ${daysInMonth}::int) - 1`
  return db.selectNoFrom([
    jsonObjectFrom(selectUsers(db).where('u.id', '=', me))
      .$notNull()
      .as('user'),
    jsonObjectFrom(
      db.selectNoFrom([
        number(
          db.selectFrom(selectProperties(db, me).as('p')).select(e => e.fn.countAll<number>().as('n')),
        ).as('total_properties'),
        number(
          active
            .innerJoin('agreement_tenants as t', 't.agreement_id', 'a.id')
            .select(e => e.fn.count<number>('t.tenant_id').distinct().as('n')),
        ).as('total_tenants'),
        number(
          active
            .where(dueOn, '<=', sql<string>`${today}::date`)
            .whereRef('a.agreement_start_date', '<=', dueOn)
            .whereRef('a.agreement_end_date', '>=', dueOn)
            .select(e => e.fn.countAll<number>().as('n')),
        ).as('pending_payments'),
        sql<number>`0`.as('maintenance_requests'),
      ]),
    )
      .$notNull()
      .as('stats'),
    jsonArrayFrom(
      db
        .selectFrom('activities as y')
        .where('y.user_id', '=', me)
        .select([
          'y.id',
          'y.type',
          'y.message',
          'y.entity_type',
          'y.entity_id',
          'y.actor_id',
          iso('y.occurred_at'),
        ])
        .orderBy('y.id', 'desc')
        .limit(NEWEST),
    ).as('recent_activity'),
  ])
}
