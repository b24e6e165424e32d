import { sql } from 'kysely'
import { Agreement, AgreementTenant, PropertyUnit } from '../../db/entities'
import type { Db } from '../../db/orm'
import type { Records, Transaction } from '../../db/records'
import { forbidden, notFound } from '../faults'
import { type Actor } from '../http/authentication'
import { selectVisibleAgreement } from './queries'
import { parseRecordId, type RecordId } from '../domain/record-id'

/** An agreement as the rules look at it, its row locked until the transaction ends. */
export type LockedAgreement = { agreement: Agreement; unit: PropertyUnit; tenantIds: number[] }

/** The agreement where the actor may see it. The unit is locked before it, as everywhere, so that nobody waits in a ring. */
export async function lockAgreement(
  tx: Transaction,
  actor: Pick<Actor, 'id'>,
  id: string,
  unitLock: 'share' | 'update' = 'share',
): Promise<LockedAgreement> {
  const [found] = await tx.run(seen, { me: actor.id, id: parseRecordId(id, 'Agreement') })
  const unit =
    found &&
    (await tx.findOne(PropertyUnit, { id: found.property_unit_id }, { lock: unitLock, filters: false }))
  const agreement = unit && (await tx.findOne(Agreement, { id: found.id }, { lock: 'update' }))
  if (!unit || !agreement) throw notFound('Agreement')
  if (agreement.property_unit_id !== unit.id) return lockAgreement(tx, actor, id, unitLock) // it was moved to another unit meanwhile
  return { agreement, unit, tenantIds: await findTenantIds(tx, agreement) }
}

const seen = (db: Db, { me, id }: { me: number; id: RecordId }) =>
  selectVisibleAgreement(db, sql.val(me), id).select(['a.id', 'a.property_unit_id'])

export const findTenantIds = async (tx: Records, agreement: Agreement) =>
  (await tx.find(AgreementTenant, { agreement_id: agreement.id }, { orderBy: { id: 'asc' } })).map(
    ({ tenant_id }) => tenant_id,
  )

/** Tenants read their agreements; only landlord and manager change them. */
export const isLandlordOrManager = (actor: Pick<Actor, 'id'>, { agreement, unit }: LockedAgreement) =>
  [agreement.landlord_id, unit.managed_by_id].includes(actor.id)
export function requireLandlordOrManager(actor: Actor, held: LockedAgreement) {
  if (!isLandlordOrManager(actor, held))
    throw forbidden('Only the landlord or the manager of the unit may do this')
}

/** Who signs: fixed with the first signature, until then whoever manages the unit. Nobody signs for both sides. */
export function getParties({ agreement, unit, tenantIds }: LockedAgreement) {
  const manager = agreement.status === 'DRAFT' ? getManagerId(unit) : (agreement.manager_id ?? null)
  return {
    landlord_id: agreement.landlord_id,
    manager_id: manager !== null && tenantIds.includes(manager) ? null : manager,
    tenant_ids: tenantIds,
  }
}
export const getManagerId = (unit: PropertyUnit) =>
  unit.managed_by_id === unit.landlord_id ? null : unit.managed_by_id

/** Whom news of an agreement reaches. */
export const getActivityRecipients = ({ agreement, unit, tenantIds }: LockedAgreement) => [
  agreement.landlord_id,
  unit.managed_by_id,
  ...tenantIds,
]
