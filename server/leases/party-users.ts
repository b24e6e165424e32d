import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { hasCompletedProfile } from '../accounts/auth/queries'
import type { LockedAgreement } from './access'

export type PartyUser = { id: number; phone: string; name: string; is_active: boolean }
type PartyIds = { ids: number[]; landlordId: number }

/**
 * Reads users with what a provider, and the lease, need of them. All parties may see both before anyone has
 * signed: the landlord has the own name there, others the one that the landlord gave them, if any.
 */
export function findUsers(
  em: EntityManager,
  { agreement }: Pick<LockedAgreement, 'agreement'>,
  ids: number[],
): Promise<PartyUser[]> {
  return executeCompiled(em, selectUsersById, { ids, landlordId: agreement.landlord_id })
}

function selectUsersById(db: Db, { ids, landlordId }: PartyIds) {
  return db
    .selectFrom('users as u')
    .leftJoin('tenant_contacts as contact', join =>
      join.on('contact.landlord_id', '=', landlordId).onRef('contact.tenant_id', '=', 'u.id'),
    )
    .where(e => e('u.id', '=', e.fn.any(e.val(ids))))
    .select(['u.id', 'u.phone', 'u.is_active'])
    .select(
      sql<string>`case
        when u.id = ${landlordId} and ${hasCompletedProfile('u')} then concat_ws(' ', u.first_name, u.last_name)
        else concat_ws(' ', contact.first_name, contact.last_name)
      end`.as('name'),
    )
}
