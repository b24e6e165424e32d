import type { NamedTenant, NewTenant } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { hashPhone } from '../../domain/phone-hash'
import { requireActiveUser } from '../../auth/queries'
import type { Config } from '../../config'
import type { Actor, Tx } from '../../deps'
import { HOUR_MS } from '../../domain/durations'
import { refuse } from '../../faults'
import { consumeRateLimits, type RateLimitRule } from '../../http/limits/rate-limits'

type NewUser = { phone: string; role: UserRole }
type Names = Pick<NamedTenant, 'first_name' | 'last_name'>
type UserRole = 'MANAGER' | 'TENANT'

/**
 * Finds or creates the user with a phone number, so that an agreement can name them. An existing user stays
 * as is, and the result does not tell whether there was one. The names are the actor's word for them: they stay
 * among the actor's contacts, and only the user gives the account a name.
 */
export async function findOrCreateTenant(tx: Tx, input: NewTenant): Promise<NamedTenant> {
  const { em, actor } = tx
  await consumeRateLimits(em, tx.now(), [toTenantRateLimit(tx.config, actor)], 'too_many_tenants')
  await requireActiveUser(em, actor)
  const { phone, role, ...given } = toNewTenant(input)
  const found = await findOrCreateUser(em, { phone, role })

  const contact = { landlordId: actor.id, tenantId: found.id, ...given }
  const [names] = await executeCompiled(em, upsertContact, contact)
  return { ...found, ...names! }
}

function toTenantRateLimit(config: Config, actor: Actor): RateLimitRule {
  return {
    key: `tenants:${hashPhone(config, actor.phone)}`,
    max: config.TENANT_LIMIT_PER_LANDLORD * config.rateLimitMultiplier,
    windowMs: HOUR_MS,
  }
}

/** A field missing here does not compile: `NewTenant` has to be covered. */
function toNewTenant(input: NewTenant): NewUser & Names & Required<Omit<NewTenant, 'phone_number' | 'role'>> {
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
    .values({ phone: user.phone, role: user.role })
    .onConflict(conflict => conflict.column('phone').doNothing())
    .returning(['id', 'user_id', 'phone'])
}

function lockUserByPhone(db: Db, { phone }: { phone: string }) {
  return db.selectFrom('users').where('phone', '=', phone).select(['id', 'user_id', 'phone']).forKeyShare()
}

type NewContact = Names & { landlordId: number; tenantId: number }

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
