import type { NamedTenant, NewTenant } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { requireActiveUser } from '../auth/queries'
import type { Config } from '../config'
import type { Deps } from '../deps'
import { HOUR_MS } from '../domain/durations'
import { refuse } from '../faults'
import type { Actor } from '../http/authentication'
import { saveIdempotentResponse } from '../http/idempotency'
import { consumeRateLimits, type RateLimitRule } from '../http/rate-limits'

type TenantResult = { tenant: NamedTenant }
type NewUser = { phone: string; first_name: string | null; last_name: string | null; role: UserRole }
type UserRole = 'MANAGER' | 'TENANT'

/**
 * Finds or creates the user with a phone number, so that an agreement can name them. An existing user stays
 * as is, and the result does not tell whether there was one; the names are the actor's own.
 */
export async function findOrCreateTenant(deps: Deps, actor: Actor, input: NewTenant): Promise<TenantResult> {
  await consumeRateLimits(deps.db, deps.now(), [toTenantRateLimit(deps.config, actor)], 'too_many_tenants')
  return deps.db.transactional(async em => {
    await requireActiveUser(em, actor)
    const user = toNewUser(input)
    const found = await findOrCreateUser(em, user)

    const { first_name, last_name } = user
    const contact = { landlordId: actor.id, tenantId: found.id, first_name, last_name }
    const [names] = await executeCompiled(em, upsertContact, contact)
    return saveIdempotentResponse(em, { tenant: { ...found, ...names! } })
  })
}

function toTenantRateLimit(config: Config, actor: Actor): RateLimitRule {
  return {
    key: `tenants:${actor.id}`,
    max: config.TENANT_LIMIT_PER_LANDLORD * config.rateLimitMultiplier,
    windowMs: HOUR_MS,
  }
}

/** A field missing here does not compile: `NewTenant` has to be covered. */
function toNewUser(input: NewTenant): NewUser & Required<Omit<NewTenant, 'phone_number' | 'role'>> {
  return {
    phone: input.phone_number,
    first_name: input.first_name ?? null,
    last_name: input.last_name ?? null,
    role: input.role === 'manager' ? 'MANAGER' : 'TENANT',
  }
}

/** Two rounds: the known user may be erased between insert and lock, which frees the phone number. */
async function findOrCreateUser(em: EntityManager, user: NewUser) {
  for (let round = 1; round <= 2; round++) {
    const [created] = await executeCompiled(em, insertUser, user)
    if (created) return created
    const [known] = await executeCompiled(em, lockUserByPhone, { phone: user.phone })
    if (known) return known
  }
  throw refuse('phone_number_busy')
}

function insertUser(db: Db, user: NewUser) {
  return db
    .insertInto('users')
    .values({ phone: user.phone, first_name: user.first_name, last_name: user.last_name, role: user.role })
    .onConflict(conflict => conflict.column('phone').doNothing())
    .returning(['id', 'user_id', 'phone'])
}

function lockUserByPhone(db: Db, { phone }: { phone: string }) {
  return db.selectFrom('users').where('phone', '=', phone).select(['id', 'user_id', 'phone']).forKeyShare()
}

type NewContact = {
  landlordId: number
  tenantId: number
  first_name: string | null
  last_name: string | null
}

/** A name that is not given now stays as it was given before. */
function upsertContact(db: Db, { landlordId, tenantId, first_name, last_name }: NewContact) {
  return db
    .insertInto('tenant_contacts')
    .values({ landlord_id: landlordId, tenant_id: tenantId, first_name, last_name })
    .onConflict(conflict =>
      conflict.columns(['landlord_id', 'tenant_id']).doUpdateSet(e => ({
        first_name: e.fn.coalesce('excluded.first_name', 'tenant_contacts.first_name'),
        last_name: e.fn.coalesce('excluded.last_name', 'tenant_contacts.last_name'),
      })),
    )
    .returning(['first_name', 'last_name'])
}
