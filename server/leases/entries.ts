import type { ActivityType, TimelineEntryType } from '@kiraya/sdk/contract'
import type { NewActivity } from '../domain/activities'
import type { LockedAgreement } from './access'

export type Audience = 'everyone' | 'landlord side' | 'tenants'

/** What a certificate calls an entry, and the activity that it causes: without one, the timeline alone shows it. */
type EntryKind = {
  label: string
  activity?: { type: ActivityType; predicate: string; audience: Audience }
}

const toKind =
  (audience: Audience) =>
  (label: string, type: ActivityType, predicate: string): EntryKind => ({
    label,
    activity: { type, predicate, audience },
  })
const forEveryone = toKind('everyone')
const forLandlordSide = toKind('landlord side')

export const entryKinds: Record<TimelineEntryType, EntryKind> = {
  created: forLandlordSide('Agreement drawn up', 'agreement_created', 'was created'),
  changed: forLandlordSide('Draft changed', 'agreement_updated', 'was changed'),
  deleted: forLandlordSide('Agreement deleted', 'agreement_deleted', 'was deleted'),
  sent: forEveryone('Sent for signature', 'agreement_sent', 'was sent for signature'),
  reissued: forEveryone('Request for signature issued again', 'agreement_sent', 'was sent for signature'),
  viewed: forLandlordSide('Opened for signing', 'agreement_viewed', 'was opened by a signer'),
  signed: forEveryone('Signed', 'agreement_signed', 'was signed by a party'),
  declined: forEveryone('Signature declined', 'agreement_declined', 'was declined by a party'),
  expired: forEveryone(
    'Request for signature expired',
    'signature_expired',
    'was not signed in time by a party',
  ),
  cancelled: forEveryone(
    'Request for signature cancelled',
    'signature_cancelled',
    'had a signature request cancelled',
  ),
  reminded: forLandlordSide(
    'Signer reminded',
    'agreement_reminded',
    'still awaits a signature; the signer was reminded',
  ),
  activated: forEveryone('Agreement became active', 'agreement_activated', 'is active'),
  recorded: forEveryone(
    'Recorded by the landlord: signed on paper, not signed electronically',
    'agreement_recorded',
    'was recorded by the landlord as signed on paper',
  ),
  accepted: forEveryone(
    'Accepted by a tenant, as it was recorded',
    'agreement_accepted',
    'was accepted by a tenant',
  ),
  objected: forEveryone(
    'A tenant objects to the record',
    'agreement_objected',
    'has the objection of a tenant',
  ),
  objection_withdrawn: forEveryone(
    'Objection withdrawn',
    'objection_withdrawn',
    'no longer has the objection of a tenant',
  ),
  voided: forEveryone(
    'Record taken back: the lease is void',
    'agreement_voided',
    'was recorded wrongly, and is void',
  ),
  document_stored: { label: 'Signed document stored' },
  renewed: forEveryone('Lease renewed', 'agreement_renewed', 'was renewed'),
  ended: forEveryone('Lease came to its end', 'agreement_terminated', 'has ended'),
  terminated: forEveryone('Lease terminated', 'agreement_terminated', 'was terminated'),
  revised: forEveryone('Agreement revised', 'agreement_revised', 'was withdrawn for a new version'),
  completed: forEveryone('Agreement closed', 'agreement_completed', 'was closed'),
  deposit_proposed: forEveryone(
    'Settlement of the deposit proposed',
    'deposit_proposed',
    'has a proposed settlement of its deposit',
  ),
  deposit_accepted: forEveryone(
    'Settlement of the deposit accepted',
    'deposit_accepted',
    'had the settlement of its deposit accepted',
  ),
  deposit_disputed: forEveryone(
    'Settlement of the deposit disputed',
    'deposit_disputed',
    'had the settlement of its deposit disputed',
  ),
  deposit_accepted_on_paper: forEveryone(
    'Settlement accepted on paper, as the landlord says',
    'deposit_accepted_on_paper',
    'had the settlement of its deposit accepted on paper, as the landlord says',
  ),
  deposit_unanswered: forEveryone('No answer in time', 'deposit_unanswered', 'had no answer on its deposit'),
  deposit_settled: forEveryone('Deposit settled', 'deposit_settled', 'had its deposit settled'),
  rent_proposed: forEveryone('New rent proposed', 'rent_proposed', 'has a new rent proposed'),
  rent_accepted: forEveryone('New rent accepted', 'rent_accepted', 'has a new rent that was accepted'),
  rent_accepted_on_paper: forEveryone(
    'New rent accepted on paper, as the landlord says',
    'rent_accepted_on_paper',
    'has a new rent that was accepted on paper, as the landlord says',
  ),
  rent_declined: forEveryone('New rent declined', 'rent_declined', 'had a new rent declined'),
  rent_withdrawn: forEveryone('Proposed rent withdrawn', 'rent_withdrawn', 'had a proposed rent withdrawn'),
  reinstatement_asked: forEveryone('Asked to go on', 'reinstatement_asked', 'is to go on: one side asks'),
  reinstated: forEveryone('Termination undone', 'reinstated', 'goes on: its termination was undone'),
  renewal_drafted: forLandlordSide('Next term drawn up', 'renewal_drafted', 'has a draft of its next term'),
}

type Occurrence = { type: TimelineEntryType; actorId: number | null }

/** The activity that an entry of an agreement causes, if any, and whom it is for. */
export function toActivity(locked: LockedAgreement, { type, actorId }: Occurrence) {
  const { activity } = entryKinds[type]
  if (!activity) return undefined
  const message = `The agreement ${locked.agreement.agreement_number} ${activity.predicate}`
  return toAgreementActivity(locked, { ...activity, message, actorId })
}

type AboutAgreement = Pick<NewActivity, 'type' | 'message'> & { actorId: number | null; audience: Audience }

/** Addresses an activity about an agreement to those whose dashboards show it. */
export function toAgreementActivity(
  locked: LockedAgreement,
  { type, message, actorId, audience }: AboutAgreement,
) {
  const { id, landlord_id } = locked.agreement
  return {
    to: getRecipients(locked)[audience],
    type,
    message,
    entity_type: 'agreement' as const,
    entity_id: id,
    actor_id: actorId,
    landlord_id,
  }
}

function getRecipients({ agreement, unit, tenantIds }: LockedAgreement): Record<Audience, number[]> {
  const landlordSide = [agreement.landlord_id, unit.managed_by_id]
  const manager = agreement.manager_id ?? unit.managed_by_id
  return {
    everyone: [...landlordSide, manager, ...tenantIds],
    'landlord side': landlordSide,
    tenants: tenantIds,
  }
}
