import { sql, type Expression } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { Activity, type ActivityType } from '@kiraya/sdk/contract'
import { SQL_TRUE, type Db } from '../../db/database'
import { userSelection } from '../accounts/auth/queries'
import { selectPendingRents } from '../books/charges/queries'
import { FEED_LENGTH } from '../domain/activities'
import { toColumns } from '../domain/fields'
import type { UserId } from '../http/reads/reader'
import { selectProperties } from '../listing/properties/queries'

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

/** Selects the response of the dashboard; `today` is the day in India. */
export function selectDashboard(db: Db, userId: UserId, { today }: { today: string }) {
  // The user of the session, which the reader has found already.
  const user = db.selectFrom(sql<object>`(select me.*)`.as('u')).select(userSelection)
  const stats = db.selectNoFrom([
    toNumber(countProperties(db, userId)).as('total_properties'),
    toNumber(countTenants(db, userId)).as('total_tenants'),
    toNumber(selectPendingRents(db, userId, today).select(countAll)).as('pending_payments'),
    sql<number>`0`.as('maintenance_requests'),
  ])
  return db.selectNoFrom([
    jsonObjectFrom(user).$notNull().as('user'),
    jsonObjectFrom(stats).$notNull().as('stats'),
    jsonArrayFrom(selectNewestActivities(db, userId)).as('recent_activity'),
  ])
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
