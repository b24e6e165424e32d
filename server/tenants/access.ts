import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { lockActiveUsers } from '../auth/queries'
import type { Deps } from '../deps'

/** Landlord and manager of a unit. */
export type LandlordSide = { landlord_id: number; managed_by_id: number }

/** How errors describe the users whom `PARTIES` allows to name. */
export const nameableUsers = {
  any: { one: 'an active user', many: 'active users' },
  named: {
    one: 'a user whom you have named by phone number with POST /tenants',
    many: 'users whom you have named by phone number with POST /tenants',
  },
} as const

/**
 * Locks the users whom a landlord's side wants to name as tenants or managers, and returns the ids that it may
 * not name. With `PARTIES=named` these include everyone whom it has not named by phone number, so that ids do
 * not tell who exists. Those in `knownIds` need not be named again.
 */
export async function findRefusedIds(
  { config }: Deps,
  em: EntityManager,
  side: LandlordSide,
  ids: number[],
  knownIds: number[] = [],
): Promise<number[]> {
  if (ids.length === 0) return []
  const activeIds = await lockActiveUsers(em, ids)
  if (config.PARTIES === 'any') return ids.filter(id => !activeIds.has(id))

  const sideIds = [side.landlord_id, side.managed_by_id]
  const contacts = await executeCompiled(em, selectContacts, { sideIds, ids })
  const namedIds = new Set([...knownIds, ...contacts.map(({ tenant_id }) => tenant_id)])
  return ids.filter(id => !activeIds.has(id) || !namedIds.has(id))
}

function selectContacts(db: Db, { sideIds, ids }: { sideIds: number[]; ids: number[] }) {
  return db
    .selectFrom('tenant_contacts')
    .where(e => e('landlord_id', '=', e.fn.any(e.val(sideIds))))
    .where(e => e('tenant_id', '=', e.fn.any(e.val(ids))))
    .select('tenant_id')
}
