import type { NamedTenant, NewTenant } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { findOrCreateUser, shareActor } from '../../accounts/auth/queries'
import type { Tx } from '../../deps'

type Names = Pick<NamedTenant, 'first_name' | 'last_name'>

/**
 * Finds or creates the user with a phone number, so that an agreement can name them. An existing user stays
 * as is, and the result does not tell whether there was one. The names are the actor's word for them: they stay
 * among the actor's contacts, and only the user gives the account a name.
 */
export async function findOrCreateTenant({ em, actor, now }: Tx, input: NewTenant): Promise<NamedTenant> {
  const { phone_number: phone, first_name = null, last_name = null } = input
  await shareActor(em, actor)
  const role = input.role === 'manager' ? 'MANAGER' : 'TENANT'
  const found = await findOrCreateUser(em, { phone, role, now: now() })
  const contact = { landlordId: actor.id, tenantId: found.id, first_name, last_name }
  const [names] = await executeCompiled(em, upsertContact, contact)
  return { ...found, ...names! }
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
