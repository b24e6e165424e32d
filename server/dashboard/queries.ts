import { sql, type Expression } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { Activity, type ActivityType, type DashboardStats } from '@kiraya/sdk/contract'
import { SQL_TRUE, type Db } from '../../db/database'
import { userSelection } from '../accounts/auth/queries'
import { selectPendingRents } from '../books/charges/queries'
import { FEED_LENGTH } from '../domain/activities'
import { toColumns } from '../domain/fields'
import type { UserId } from '../http/reads/reader'
import { selectVisibleIds } from '../leases/queries'
import { selectProperties } from '../listing/properties/queries'
import { selectVacantUnits } from '../listing/units/queries'
import { selectOpenRequests } from '../maintenance/queries'
import { managedIds, selectReport } from '../reports/fragments'
import { toReceivedAndOverdue, type Period } from '../reports/summary'

const activitySelection = toColumns('activities as y', Activity, {
  type: sql.ref<ActivityType>('y.type'),
  entity_type: sql.ref<Activity['entity_type']>('y.entity_type'),
})

function selectNewestActivities(db: Db, userId: UserId) {
  return db
    .selectFrom('activities as y')
    .where('y.user_id', '=', userId)
    .select(activitySelection)
    .orderBy('y.id', 'desc')
    .limit(FEED_LENGTH)
}

/** Selects the response of the dashboard; the period is the present month in India. */
export function selectDashboard(db: Db, userId: UserId, period: Period) {
  // The user of the session, which the reader has found already.
  const user = db.selectFrom(sql<object>`(select me.*)`.as('u')).select(userSelection)
  const stats = selectStats(db, userId, period)
  return db.selectNoFrom([
    jsonObjectFrom(user).$notNull().as('user'),
    jsonObjectFrom(stats).$notNull().as('stats'),
    jsonArrayFrom(selectNewestActivities(db, userId)).as('recent_activity'),
  ])
}

function selectStats(db: Db, userId: UserId, period: Period) {
  const visibleIds = selectVisibleIds(db, userId, managedIds)
  return selectReport<DashboardStats>(db, toReceivedAndOverdue(db, userId, period), {
    total_properties: toNumber(countProperties(db, userId)),
    total_tenants: toNumber(countTenants(db, userId)),
    pending_payments: toNumber(selectPendingRents(db, visibleIds, period.today).select(countAll)),
    maintenance_requests: toNumber(selectOpenRequests(db, userId).select(countAll)),
    collected_this_month: sql.ref<number>('received'),
    overdue_amount: sql.ref<number>('overdue'),
    vacant_units: toNumber(selectVacantUnits(db, userId).select(countAll)),
  })
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
  return db
    .selectFrom('agreements as a')
    .innerJoin('agreement_tenants as t', 't.agreement_id', 'a.id')
    .where('a.landlord_id', '=', userId)
    .where('a.status', '=', 'ACTIVE')
    .where('a.is_active', '=', SQL_TRUE)
    .select(e => e.fn.count<number>('t.tenant_id').distinct().as('count'))
}
