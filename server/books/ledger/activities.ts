import type { LockedAgreement } from '../../leases/access'
import { toAgreementActivity, type Audience } from '../../leases/entries'
import { recordActivities } from '../../domain/activities'
import type { Posting } from './books'

/** What the dashboards say of the books, before the number of the agreement. */
const bookActivities = {
  charge_posted: { sentence: 'A charge was posted', audience: 'tenants' },
  payment_reported: { sentence: 'A payment was reported', audience: 'landlord side' },
  payment_confirmed: { sentence: 'A reported payment was confirmed', audience: 'tenants' },
  payment_rejected: { sentence: 'A reported payment was rejected', audience: 'tenants' },
  payment_posted: { sentence: 'A payment was posted', audience: 'tenants' },
  payment_changed: { sentence: 'A payment was changed', audience: 'tenants' },
  payment_bounced: { sentence: 'A cheque bounced', audience: 'tenants' },
  refund_reversed: { sentence: 'A refund was reversed', audience: 'tenants' },
  payment_reversed: { sentence: 'A payment was reversed', audience: 'tenants' },
} as const satisfies Record<string, { sentence: string; audience: Audience }>
export type BookActivity = keyof typeof bookActivities

/** Tells the other side of a lease what happened to its books. */
export async function recordBookActivity(posting: Posting, locked: LockedAgreement, type: BookActivity) {
  await recordActivities(posting.em, posting.now, toBookActivity(posting, locked, type))
}

export function toBookActivity({ actorId }: Posting, locked: LockedAgreement, type: BookActivity) {
  const { sentence, audience } = bookActivities[type]
  const message = `${sentence} under the agreement ${locked.agreement.agreement_number}`
  return toAgreementActivity(locked, { type, message, actorId, audience })
}
