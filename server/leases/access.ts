import { sql } from 'kysely'
import type { AgreementStatus } from '@kiraya/sdk/contract'
import { executeCompiled, findEntities } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { Agreement, type PropertyUnit } from '../../db/entities'
import { refuse, type NotFoundReason } from '../errors'
import type { RecordId } from '../http/record-id'
import type { Actor, Tx } from '../deps'
import { selectVisibleAgreement } from './queries'
import type { Parties } from './states'

/** An agreement with what its rules depend on. Its row is locked until the transaction ends. */
export type LockedAgreement = { agreement: Agreement; unit: AgreementUnit; tenantIds: number[] }
export type AgreementUnit = Pick<PropertyUnit, 'id' | 'landlord_id' | 'managed_by_id' | 'is_active'>

/**
 * Locks an agreement that the actor can see, after its unit, as `LOCK_ORDER` says. The unit's lock is not shared:
 * PostgreSQL lets new shared ones pass a change of the unit that waits, so parties could stop it for good.
 * `missing` is the reason for a record that is found by its agreement.
 * @throws NOT_FOUND The agreement does not exist, is deleted, or is not visible to the actor.
 */
export async function lockAgreement(
  em: EntityManager,
  actor: Pick<Actor, 'id'>,
  id: RecordId,
  missing: NotFoundReason = 'agreement_not_found',
): Promise<LockedAgreement> {
  const given = { userId: actor.id, id }
  const [visible] = await executeCompiled(em, selectVisibleUnitForChange, given)
  if (!visible) throw refuse(missing)

  const { agreementId, ...unit } = visible
  const [found] = await executeCompiled(em, selectOfUnitForUpdate, { id: agreementId, unitId: unit.id })
  // A change that committed before the unit was locked may have moved the agreement to another one.
  if (!found) return lockAgreement(em, actor, id, missing)
  const { tenantIds, ...row } = found
  const agreement = em.map(Agreement, row)
  if (!agreement.is_active) throw refuse(missing)
  return { agreement, unit, tenantIds }
}

/** The activation, which locks the agreement alone, may still refer to the unit. */
function selectVisibleUnitForChange(db: Db, { userId, id }: { userId: number; id: RecordId }) {
  return selectVisibleAgreement(db, sql.val(userId), id)
    .innerJoin('property_units as unit', 'unit.id', 'a.property_unit_id')
    .select(['a.id as agreementId', 'unit.id', 'unit.landlord_id', 'unit.managed_by_id', 'unit.is_active'])
    .forNoKeyUpdate('unit')
}

/** Locks an agreement that the actor can see and the one that it renews, since the older one comes first. */
export async function lockWithVisiblePrevious(em: EntityManager, actor: Pick<Actor, 'id'>, id: RecordId) {
  const [visible] = await executeCompiled(em, selectVisibleUnitForChange, { userId: actor.id, id })
  if (visible) await lockWithPrevious(em, visible.agreementId)
  return lockAgreement(em, actor, id)
}

/** Locks an agreement that may be deleted: its signatures still change. */
export async function lockAgreementById(em: EntityManager, id: number): Promise<Agreement> {
  const [agreement] = await findEntities(em, Agreement, selectAgreementForUpdate, { id })
  return agreement!
}

/** Locks an agreement and the one that it renews, whose deposit moves when it becomes active: the older one first. */
export async function lockWithPrevious(em: EntityManager, id: number): Promise<Agreement> {
  const agreements = await findEntities(em, Agreement, selectWithPreviousForUpdate, { id })
  return agreements.find(agreement => agreement.id === id)!
}

function selectWithPreviousForUpdate(db: Db, { id }: { id: number }) {
  const previous = db.selectFrom('agreements as next').where('next.id', '=', id).select('next.renews_id')
  return db
    .selectFrom('agreements')
    .where(e => e.or([e('id', '=', id), e('id', '=', previous)]))
    .orderBy('id')
    .forUpdate()
}

const agreementColumns = Object.keys(Agreement.meta.properties) as never[]

/** A change of the tenants locks the unit first. */
function selectOfUnitForUpdate(db: Db, { id, unitId }: { id: number; unitId: number }) {
  return selectAgreementForUpdate(db, { id })
    .where('property_unit_id', '=', unitId)
    .select(agreementColumns)
    .select(toTenantIds(id).as('tenantIds'))
}

function selectAgreementForUpdate(db: Db, { id }: { id: number }) {
  return db.selectFrom('agreements').where('id', '=', id).forUpdate()
}

/** Adds what the rules depend on to an agreement that is locked already. */
export async function loadLockedAgreement(em: EntityManager, agreement: Agreement): Promise<LockedAgreement> {
  const given = { id: agreement.id, unitId: agreement.property_unit_id }
  const [{ tenantIds, ...unit }] = (await executeCompiled(em, selectUnitWithTenants, given)) as [LockedUnit]
  return { agreement, unit, tenantIds }
}

type LockedUnit = AgreementUnit & { tenantIds: number[] }

function selectUnitWithTenants(db: Db, { id, unitId }: { id: number; unitId: number }) {
  return db
    .selectFrom('property_units')
    .where('id', '=', unitId)
    .select(['id', 'landlord_id', 'managed_by_id', 'is_active', toTenantIds(id).as('tenantIds')])
}

const toTenantIds = (id: number) => sql<number[]>`array(
  select tenant_id from agreement_tenants where agreement_id = ${id} order by id
)`

/** The manager of a unit that its landlord has deleted has no say in its agreements any more. */
export function isLandlordOrManager(actor: Pick<Actor, 'id'>, { agreement, unit }: LockedAgreement) {
  return actor.id === agreement.landlord_id || (unit.is_active && actor.id === unit.managed_by_id)
}

/** @throws FORBIDDEN The actor is a tenant or was the manager: they only read their agreements and sign. */
export function requireLandlordOrManager(actor: Actor, locked: LockedAgreement) {
  if (isLandlordOrManager(actor, locked)) return
  throw refuse('not_unit_side')
}

/**
 * Locks an agreement for a change by its landlord's side.
 * @throws FORBIDDEN The actor is not of that side, or the status does not allow the change.
 */
export async function lockForChange(
  { em, actor }: Tx,
  id: RecordId,
  to_be: 'changed' | 'deleted' | 'revised' | 'terminated' | 'voided' | 'completed',
  isAllowed: (status: AgreementStatus) => boolean,
) {
  const locked = await lockAgreement(em, actor, id)
  requireLandlordOrManager(actor, locked)
  const { status } = locked.agreement
  if (!isAllowed(status)) throw refuse('wrong_status', { status, to_be })
  return locked
}

/** Returns who signs. The first signature fixes the manager. */
export function getParties({ agreement, unit, tenantIds }: LockedAgreement): Parties {
  const manager_id = agreement.status === 'DRAFT' ? getManagerId(unit) : (agreement.manager_id ?? null)
  return { landlord_id: agreement.landlord_id, manager_id, tenant_ids: tenantIds }
}

/** Returns the manager of a unit, or null if its landlord manages it. */
export function getManagerId(unit: AgreementUnit) {
  return unit.managed_by_id === unit.landlord_id ? null : unit.managed_by_id
}
