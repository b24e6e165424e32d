import { sql } from 'kysely'
import { Agreement, AgreementTenant, PropertyUnit } from '../../db/entities'
import type { Db } from '../../db/orm'
import type { Records, Transaction } from '../../db/records'
import { forbidden, notFound } from '../faults'
import { idOf, type Actor, type Id } from '../http/actor'
import { visibleAgreement } from './queries'

/** An agreement as the rules look at it, its row locked until the transaction ends. */
export type Held = { agreement: Agreement; unit: PropertyUnit; tenantIds: number[] }

/** The agreement where the actor may see it. The unit is locked before it, as everywhere, so that nobody waits in a ring. */
export async function hold(
  tx: Transaction,
  actor: Pick<Actor, 'id'>,
  id: string,
  unitLock: 'share' | 'update' = 'share',
): Promise<Held> {
  const [found] = await tx.run(seen, { me: actor.id, id: idOf(id, 'Agreement') })
  const unit =
    found &&
    (await tx.findOne(PropertyUnit, { id: found.property_unit_id }, { lock: unitLock, filters: false }))
  const agreement = unit && (await tx.findOne(Agreement, { id: found.id }, { lock: 'update' }))
  if (!unit || !agreement) throw notFound('Agreement')
  if (agreement.property_unit_id !== unit.id) return hold(tx, actor, id, unitLock) // it was moved to another unit meanwhile
  return { agreement, unit, tenantIds: await tenantsOf(tx, agreement) }
}

const seen = (db: Db, { me, id }: { me: number; id: Id }) =>
  visibleAgreement(db, sql.val(me), id).select(['a.id', 'a.property_unit_id'])

export const tenantsOf = async (tx: Records, agreement: Agreement) =>
  (await tx.find(AgreementTenant, { agreement_id: agreement.id }, { orderBy: { id: 'asc' } })).map(
    ({ tenant_id }) => tenant_id,
  )

/** Tenants read their agreements; only landlord and manager change them. */
export const isLandlordSide = (actor: Pick<Actor, 'id'>, { agreement, unit }: Held) =>
  [agreement.landlord_id, unit.managed_by_id].includes(actor.id)
export function requireLandlordSide(actor: Actor, held: Held) {
  if (!isLandlordSide(actor, held))
    throw forbidden('Only the landlord or the manager of the unit may do this')
}

/** Who signs: fixed with the first signature, until then whoever manages the unit. Nobody signs for both sides. */
export function partiesOf({ agreement, unit, tenantIds }: Held) {
  const manager = agreement.status === 'DRAFT' ? managerOf(unit) : (agreement.manager_id ?? null)
  return {
    landlord_id: agreement.landlord_id,
    manager_id: manager !== null && tenantIds.includes(manager) ? null : manager,
    tenant_ids: tenantIds,
  }
}
export const managerOf = (unit: PropertyUnit) =>
  unit.managed_by_id === unit.landlord_id ? null : unit.managed_by_id

/** Whom news of an agreement reaches. */
export const audience = ({ agreement, unit, tenantIds }: Held) => [
  agreement.landlord_id,
  unit.managed_by_id,
  ...tenantIds,
]
