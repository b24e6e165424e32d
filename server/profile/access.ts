import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '../../db/database'
import { User } from '../../db/entities'
import { refuse } from '../faults'
import type { Actor } from '../http/authentication'

/**
 * Locks the actor's own record.
 * @throws NOT_FOUND The actor is inactive, or was erased after the request arrived.
 */
export async function lockOwnUser(em: EntityManager, actor: Actor) {
  const user = await em.findOne(
    User,
    { id: actor.id, is_active: true },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!user) throw refuse('user_not_found')
  return user
}
