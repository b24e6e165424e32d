import type { NewActivity } from '../domain/activities'
import type { LockedAgreement } from './access'

export type Audience = 'everyone' | 'landlord side' | 'tenants'

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
