import type { NamedTenant, NewTenant } from '@kiraya/sdk/contract'
import { query } from '../../db/orm'
import { records } from '../../db/records'
import { transact } from '../../db/records'
import { requireActiveUser } from '../auth/queries'
import type { Deps } from '../deps'
import { unavailable } from '../faults'
import type { Actor } from '../http/authentication'
import { consumeRateLimits } from '../http/rate-limits'
import { saveIdempotentResponse } from '../http/idempotency'
import { HOUR_MS } from '../domain/durations'

/** Finds or makes the user behind a phone number, so that an agreement can name them. A user who exists is never changed. */
export async function findOrCreateTenant(
  deps: Deps,
  actor: Actor,
  { phone_number, first_name = null, last_name = null, role }: NewTenant,
): Promise<{ made: boolean; tenant: NamedTenant }> {
  const { config, orm } = deps
  await consumeRateLimits(
    records(orm),
    deps.now(),
    [
      {
        key: `tenants:${actor.id}`,
        max: config.TENANT_LIMIT_PER_LANDLORD * config.rateLimitMultiplier,
        windowMs: HOUR_MS,
      },
    ],
    'Too many tenants were named; wait before naming more',
  )
  return transact(orm, async tx => {
    const db = query(tx)
    await requireActiveUser(tx.em, actor)
    const make = () =>
      db
        .insertInto('users')
        .values({
          phone: phone_number,
          first_name,
          last_name,
          role: role === 'manager' ? 'MANAGER' : 'TENANT',
        })
        .onConflict(conflict => conflict.column('phone').doNothing())
        .returning(['id', 'user_id', 'phone'])
        .executeTakeFirst()
    const find = () =>
      db
        .selectFrom('users')
        .where('phone', '=', phone_number)
        .select(['id', 'user_id', 'phone'])
        .forKeyShare()
        .executeTakeFirst()
    const first = await make()
    const known = first ? undefined : await find()
    const made = first ?? (known ? undefined : await make()) // erased in between: the number is nobody's now
    const user = known ?? made
    if (!user) throw unavailable('The number is being taken by somebody else')
    const names = { first_name, last_name }
    await db
      .insertInto('tenant_contacts')
      .values({ landlord_id: actor.id, tenant_id: user.id, ...names })
      .onConflict(conflict => conflict.columns(['landlord_id', 'tenant_id']).doUpdateSet(names))
      .execute()
    return saveIdempotentResponse(tx.em, { made: !!made, tenant: { ...user, first_name, last_name } })
  })
}
