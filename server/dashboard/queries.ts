import { sql, type Expression } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Activity as ActivityView, Dashboard } from '@kiraya/sdk/contract'
import { SQL_TRUE, toIsoTimestamp, type Db } from '../../db/database'
import { userSelection } from '../accounts/auth/queries'
import { selectPendingRents } from '../books/charges/queries'
import { FEED_LENGTH } from '../domain/activities'
import { toSelection, type ColumnsOf } from '../domain/columns'
import type { UserId } from '../http/reads/reader'
import { selectProperties } from '../listing/properties/queries'

export const activitySelection = toSelection<ActivityView>({
  id: 'y.id',
  type: 'y.type',
  message: 'y.message',
  entity_type: 'y.entity_type',
  entity_id: 'y.entity_id',
  actor_id: 'y.actor_id',
  occurred_at: toIsoTimestamp(sql.ref('y.occurred_at')),
})

/** Selects a user's activities, of the table `activities as y`. */
export function selectActivities(db: Db, userId: UserId) {
  return db.selectFrom('activities as y').where('y.user_id', '=', userId).select(activitySelection)
}

/** The day in India. */
export type DashboardDay = { today: string }

/** Selects the response of the dashboard. */
export function selectDashboard(db: Db, userId: UserId, day: DashboardDay) {
  // The user of the session, which the reader has found already.
  const user = db.selectFrom(sql<object>`(select me.*)`.as('u')).select(userSelection)
  const stats = db.selectNoFrom(toSelection(toStatsColumns(db, userId, day)))
  const activities = selectActivities(db, userId).orderBy('y.id', 'desc').limit(FEED_LENGTH)
  return db.selectNoFrom([
    jsonObjectFrom(user).$notNull().as('user'),
    jsonObjectFrom(stats).$notNull().as('stats'),
    jsonArrayFrom(activities).as('recent_activity'),
  ])
}

function toStatsColumns(db: Db, userId: UserId, day: DashboardDay): ColumnsOf<Dashboard['stats']> {
  return {
    total_properties: toNumber(countProperties(db, userId)),
    total_tenants: toNumber(countTenants(db, userId)),
    pending_payments: toNumber(selectPendingRents(db, userId, day.today).select(countAll)),
    maintenance_requests: sql<number>`0`,
  }
}

/** A count has one row, which Kysely's types do not know. */
function toNumber(count: Expression<unknown>) {
  return sql<number>`${count}`
}

const countAll = sql<number>`count(*)`.as('count')

function countProperties(db: Db, userId: UserId) {
  return db.selectFrom(selectProperties(db, userId).as('p')).select(countAll)
}

function countTenants(db: Db, userId: UserId) {
  return selectActiveAgreements(db, userId)
    .innerJoin('agreement_tenants as t', 't.agreement_id', 'a.id')
    .select(e => e.fn.count<number>('t.tenant_id').distinct().as('count'))
}

function selectActiveAgreements(db: Db, userId: UserId) {
  return db
    .selectFrom('agreements as a')
    .where('a.landlord_id', '=', userId)
    .where('a.status', '=', 'ACTIVE')
    .where('a.is_active', '=', SQL_TRUE)
}
