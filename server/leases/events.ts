import type { ActivityType, TimelineEventType } from '@kiraya/sdk/contract'
import type { LockedAgreement } from './access'
import { toAgreementActivity, type Audience } from './activities'

type EventActivity = { type: ActivityType; predicate: string; audience: Audience }

/** The activity that an event causes; an event without one shows in the timeline alone. */
const eventActivities: Record<TimelineEventType, EventActivity | undefined> = {
  created: { type: 'agreement_created', predicate: 'was created', audience: 'landlord side' },
  changed: { type: 'agreement_updated', predicate: 'was changed', audience: 'landlord side' },
  deleted: { type: 'agreement_deleted', predicate: 'was deleted', audience: 'landlord side' },
  sent: { type: 'agreement_sent', predicate: 'was sent for signature', audience: 'everyone' },
  reissued: { type: 'agreement_sent', predicate: 'was sent for signature', audience: 'everyone' },
  viewed: { type: 'agreement_viewed', predicate: 'was opened by a signer', audience: 'landlord side' },
  signed: { type: 'agreement_signed', predicate: 'was signed by a party', audience: 'everyone' },
  declined: { type: 'agreement_declined', predicate: 'was declined by a party', audience: 'everyone' },
  expired: {
    type: 'signature_expired',
    predicate: 'was not signed in time by a party',
    audience: 'everyone',
  },
  cancelled: {
    type: 'signature_cancelled',
    predicate: 'had a signature request cancelled',
    audience: 'everyone',
  },
  reminded: {
    type: 'agreement_reminded',
    predicate: 'still awaits a signature; the signer was reminded',
    audience: 'landlord side',
  },
  activated: { type: 'agreement_activated', predicate: 'is active', audience: 'everyone' },
  document_stored: undefined,
  renewed: { type: 'agreement_renewed', predicate: 'was renewed', audience: 'everyone' },
  ended: { type: 'agreement_terminated', predicate: 'has ended', audience: 'everyone' },
  terminated: { type: 'agreement_terminated', predicate: 'was terminated', audience: 'everyone' },
  revised: { type: 'agreement_revised', predicate: 'was withdrawn for a new version', audience: 'everyone' },
  completed: { type: 'agreement_completed', predicate: 'was closed', audience: 'everyone' },
  deposit_proposed: {
    type: 'deposit_proposed',
    predicate: 'has a proposed settlement of its deposit',
    audience: 'everyone',
  },
  deposit_accepted: {
    type: 'deposit_accepted',
    predicate: 'had the settlement of its deposit accepted',
    audience: 'everyone',
  },
  deposit_disputed: {
    type: 'deposit_disputed',
    predicate: 'had the settlement of its deposit disputed',
    audience: 'everyone',
  },
  deposit_settled: { type: 'deposit_settled', predicate: 'had its deposit settled', audience: 'everyone' },
  rent_proposed: { type: 'rent_proposed', predicate: 'has a new rent proposed', audience: 'everyone' },
  rent_accepted: {
    type: 'rent_accepted',
    predicate: 'has a new rent that was accepted',
    audience: 'everyone',
  },
  rent_declined: { type: 'rent_declined', predicate: 'had a new rent declined', audience: 'everyone' },
  rent_withdrawn: {
    type: 'rent_withdrawn',
    predicate: 'had a proposed rent withdrawn',
    audience: 'everyone',
  },
  renewal_drafted: {
    type: 'renewal_drafted',
    predicate: 'has a draft of its next term',
    audience: 'landlord side',
  },
}

type Event = { type: TimelineEventType; actorId: number | null }

/** The activity that an event of an agreement causes, if any, and whom it is for. */
export function toActivity(locked: LockedAgreement, { type, actorId }: Event) {
  const activity = eventActivities[type]
  if (!activity) return undefined
  const { predicate, ...about } = activity
  const message = `The agreement ${locked.agreement.agreement_number} ${predicate}`
  return toAgreementActivity(locked, { ...about, message, actorId })
}
