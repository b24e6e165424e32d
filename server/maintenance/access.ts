import { sql, type InferResult } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import { SQL_TRUE, type Db } from '../../db/database'
import { MaintenanceRequest } from '../../db/entities'
import { shareActor } from '../accounts/auth/queries'
import type { Tx } from '../deps'
import { toIndianDate } from '../domain/dates'
import { refuse } from '../errors'
import { lockVisible } from '../http/changes'
import { selectMaintenanceRequestRow, type MaintenancePath } from './queries'

/** A unit, its ACTIVE agreement, if it has one, and what the actor is to them. */
export type Premises = InferResult<ReturnType<typeof selectPremises>>[number]
export type LockedMaintenanceRequest = { request: MaintenanceRequest; premises: Premises }

/**
 * Locks a request that the actor sees.
 * @throws NOT_FOUND The actor does not see it.
 */
export async function lockMaintenanceRequest(
  tx: Tx,
  path: MaintenancePath,
): Promise<LockedMaintenanceRequest> {
  const request = await lockVisible(tx, MaintenanceRequest, selectMaintenanceRequestRow, path)
  if (!request) throw refuse('maintenance_request_not_found')
  await shareActor(tx.em, tx.actor)
  const [premises] = await executeCompiled(tx.em, selectPremises, toGiven(tx, request.property_unit_id))
  return { request, premises: premises! }
}

/**
 * Locks a request that the actor may change. Former tenants only read it.
 * @throws NOT_FOUND The actor does not see it. FORBIDDEN The actor's lease of the unit has ended.
 */
export async function lockMaintenanceRequestForChange(
  tx: Tx,
  path: MaintenancePath,
): Promise<LockedMaintenanceRequest> {
  const locked = await lockMaintenanceRequest(tx, path)
  const { isLandlordSide, isTenant } = locked.premises
  if (!isLandlordSide && !isTenant) throw refuse('lease_ended')
  return locked
}

/**
 * Locks a unit for which the actor may raise a request, so that it is not deleted before the commit.
 * @throws NOT_FOUND The actor neither lets, manages nor rents it.
 */
export async function lockPremises(tx: Tx, unitId: number): Promise<Premises> {
  const [premises] = await executeCompiled(tx.em, selectPremisesForChange, toGiven(tx, unitId))
  if (!premises?.isLandlordSide && !premises?.isTenant) throw refuse('unit_not_found')
  return premises
}

type Given = { userId: number; unitId: number; today: string }
const toGiven = ({ actor, now }: Tx, unitId: number): Given => ({
  userId: actor.id,
  unitId,
  today: toIndianDate(now()),
})

function selectPremisesForChange(db: Db, given: Given) {
  return selectPremises(db, given).forNoKeyUpdate('unit')
}

function selectPremises(db: Db, { userId, unitId, today }: Given) {
  return db
    .selectFrom('property_units as unit')
    .leftJoinLateral(selectLease(db, { userId, unitId, today }).as('lease'), join => join.onTrue())
    .where('unit.id', '=', unitId)
    .select(['unit.id', 'unit.unit_name', 'unit.landlord_id', 'unit.managed_by_id'])
    .select(['lease.id as agreement_id', sql<boolean>`coalesce(lease.is_rented, false)`.as('isTenant')])
    .select(
      sql<boolean>`unit.is_active and ${userId}::int in (unit.landlord_id, unit.managed_by_id)`.as(
        'isLandlordSide',
      ),
    )
}

/** A unit has two ACTIVE agreements before the second begins: a tenant's is their own, else it is that of today. */
function selectLease(db: Db, { userId, unitId, today }: Given) {
  const tenancy = db
    .selectFrom('agreement_tenants as tenant')
    .where('tenant.agreement_id', '=', sql.ref<number>('a.id'))
    .where('tenant.tenant_id', '=', userId)
    .select('tenant.id')
  return db
    .selectFrom('agreements as a')
    .where('a.property_unit_id', '=', unitId)
    .where('a.status', '=', 'ACTIVE')
    .where('a.is_active', '=', SQL_TRUE)
    .select(['a.id', sql<boolean>`exists ${tenancy}`.as('is_rented')])
    .orderBy('is_rented', 'desc')
    .orderBy(sql`a.agreement_start_date > ${today}::date`)
    .orderBy(sql`abs(a.agreement_start_date - ${today}::date)`)
    .limit(1)
}
