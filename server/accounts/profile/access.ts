import type { EntityManager } from '../../../db/database'
import { lockUser } from '../auth/queries'
import { refuse } from '../../errors'
import type { Actor } from '../../deps'

/**
 * Locks the actor's own record.
 * @throws NOT_FOUND The actor is inactive, or was erased after the request arrived.
 */
export async function lockOwnUser(em: EntityManager, actor: Actor) {
  const user = await lockUser(em, actor.id)
  if (!user?.is_active) throw refuse('user_not_found')
  return user
}
