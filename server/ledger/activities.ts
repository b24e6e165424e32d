import type { EntityManager } from '../../db/database'
import type { LockedAgreement } from '../agreements/access'
import { recordActivities } from '../domain/activities'
import type { Posting } from './books'

type BookActivity = { sentence: string; audience: 'landlord side' | 'tenants' }

/** What the dashboards say of the books, before the number of the agreement. */
const bookActivities = {
  charge_posted: { sentence: 'A charge was posted', audience: 'tenants' },
  payment_reported: { sentence: 'A payment was reported', audience: 'landlord side' },
  payment_confirmed: { sentence: 'A reported payment was confirmed', audience: 'tenants' },
  payment_rejected: { sentence: 'A reported payment was rejected', audience: 'tenants' },
  payment_posted: { sentence: 'A payment was posted', audience: 'tenants' },
  payment_changed: { sentence: 'A payment was changed', audience: 'tenants' },
  payment_bounced: { sentence: 'A cheque bounced', audience: 'tenants' },
  payment_reversed: { sentence: 'A payment was reversed', audience: 'tenants' },
} as const satisfies Record<string, BookActivity>

/** Tells the other side of a lease what happened to its books. */
export async function recordBookActivity(
  em: EntityManager,
  { now, actorId }: Posting,
  { agreement, unit, tenantIds }: LockedAgreement,
  type: keyof typeof bookActivities,
) {
  const { sentence, audience } = bookActivities[type]
  const landlordSide = [agreement.landlord_id, unit.managed_by_id]
  await recordActivities(em, now, {
    to: audience === 'tenants' ? tenantIds : landlordSide,
    type,
    message: `${sentence} under the agreement ${agreement.agreement_number}`,
    entity_type: 'agreement',
    entity_id: agreement.id,
    actor_id: actorId,
    landlord_id: agreement.landlord_id,
  })
}
