import { TenantContact } from '../../../db/entities'
import { shareActiveUsers } from '../../accounts/auth/queries'
import type { Tx } from '../../deps'

/**
 * Locks the users to be named as tenants or managers, and returns the ids that may not be named. With
 * `PARTIES=named` these include everyone whom no one in `namerIds` has named by phone number, so that ids do not
 * tell who exists. A manager counts only if they act: the contacts of one who was appointed unasked stay theirs.
 * Those in `knownIds` need not be named again.
 */
export async function findRefusedIds(
  { config, em }: Pick<Tx, 'config' | 'em'>,
  namerIds: number[],
  ids: number[],
  knownIds: number[] = [],
): Promise<number[]> {
  if (ids.length === 0) return []
  const activeIds = await shareActiveUsers(em, ids)
  if (config.PARTIES === 'any') return ids.filter(id => !activeIds.has(id))

  const contacts = await em.find(TenantContact, { landlord_id: { $in: namerIds }, tenant_id: { $in: ids } })
  const namedIds = new Set([...knownIds, ...contacts.map(({ tenant_id }) => tenant_id)])
  return ids.filter(id => !activeIds.has(id) || !namedIds.has(id))
}
