import { sql, type Expression } from 'kysely'
import { executeCompiled, findEntities } from '../../db/compiled-queries'
import { SQL_TRUE, type Db, type EntityManager } from '../../db/database'
import { PropertyUnit } from '../../db/entities'
import type { Deps } from '../deps'
import { refuse, refuseFields } from '../faults'
import { type Actor } from '../http/authentication'
import { requireVisibleProperty } from '../properties/access'
import { findRefusedIds } from '../tenants/access'
import { parseRecordId, type RecordId } from '../domain/record-id'

/**
 * Locks a unit that the actor owns or manages.
 * @throws NOT_FOUND The property or the unit does not exist, is deleted, or belongs to others.
 */
export async function lockUnit(em: EntityManager, actor: Actor, propertyId: string, unitId: string) {
  const property = parseRecordId(propertyId, 'property_not_found')
  const unit = parseRecordId(unitId, 'unit_not_found')
  const [locked] = await findEntities(em, PropertyUnit, selectOwnUnitForUpdate, {
    userId: actor.id,
    propertyId: await findPropertyNumber(em, actor, property),
    unit,
  })
  if (locked) return locked

  await requireVisibleProperty(em, actor, property)
  throw refuse('unit_not_found')
}

type OwnUnit = { userId: number; propertyId: number; unit: RecordId }

function selectOwnUnitForUpdate(db: Db, { userId, propertyId, unit }: OwnUnit) {
  return db
    .selectFrom('property_units')
    .where('property_id', '=', propertyId)
    .where(e => ('id' in unit ? e('id', '=', unit.id) : e('property_unit_id', '=', unit.uuid)))
    .where(e => e.or([e('landlord_id', '=', userId), e('managed_by_id', '=', userId)]))
    .where('is_active', '=', SQL_TRUE)
    .forUpdate()
}

/** A numeric id needs no query: who owns or manages the unit may see its property. */
function findPropertyNumber(em: EntityManager, actor: Actor, property: RecordId) {
  return 'id' in property ? property.id : requireVisibleProperty(em, actor, property)
}

/** @throws FORBIDDEN The actor manages the unit but does not own it. */
export function requireUnitOwner(unit: PropertyUnit, actor: Actor, to: 'appoint' | 'delete') {
  if (unit.landlord_id !== actor.id) throw refuse('not_unit_landlord', { to })
}

/** @throws VALIDATION_ERROR The landlord may not name one of the managers. */
export async function requireManagers(
  deps: Deps,
  em: EntityManager,
  landlordId: number,
  managerIds: number[],
) {
  const [refusedId] = await findRefusedIds(deps, em, [landlordId], managerIds)
  if (refusedId === undefined) return
  const given = { id: refusedId, parties: deps.config.PARTIES }
  throw refuseFields('manager_not_nameable', 'managed_by_id', given)
}

/**
 * The unit is locked, so that no agreement of it appears meanwhile.
 * @throws VALIDATION_ERROR The user is a tenant of an open agreement of the unit, and has not declined it.
 */
export async function requireNoTenancy(em: EntityManager, unit: PropertyUnit, userId: number) {
  const [agreement] = await executeCompiled(em, selectOpenTenancy, { unitId: unit.id, userId })
  if (!agreement) return
  const given = { id: userId, agreement: agreement.agreement_number }
  throw refuseFields('tenant_as_manager', 'managed_by_id', given)
}

function selectOpenTenancy(db: Db, { unitId, userId }: { unitId: number; userId: number }) {
  return db
    .selectFrom('agreements as a')
    .innerJoin('agreement_tenants as t', 't.agreement_id', 'a.id')
    .where('a.property_unit_id', '=', unitId)
    .where('a.status', 'in', ['DRAFT', 'PENDING', 'ACTIVE'])
    .where('a.is_active', '=', SQL_TRUE)
    .where('t.tenant_id', '=', userId)
    .where(e => sql<boolean>`${selectLatestStatus(db, e.ref('a.id'), userId)} is distinct from 'DECLINED'`)
    .limit(1)
    .select('a.agreement_number')
}

/** Selects the status of a user's latest signature of an agreement: one who declined has no part in it. */
function selectLatestStatus(db: Db, agreementId: Expression<number>, userId: number) {
  return db
    .selectFrom('agreement_signatures as s')
    .where('s.agreement_id', '=', agreementId)
    .where('s.signer_id', '=', userId)
    .orderBy('s.id', 'desc')
    .limit(1)
    .select('s.status')
}
