import type { EntityManager } from '../../../db/database'
import { User, type AgreementSignature } from '../../../db/entities'
import { shareActiveUsers } from '../../accounts/auth/queries'
import { refuse } from '../../errors'
import type { Signer } from '../../providers/signing/port'
import { getParties, type LockedAgreement } from '../access'
import { roleLabels } from '../lease-labels'
import type { PartyUser } from '../party-users'
import { hasDeclined } from './signatures'
import { getSignerRole, hasLandlordSideSigned, type SignerRole } from '../states'

/** Finds the users among the signers that a provider names by their phones. */
export async function findUserIdsByPhone(em: EntityManager, phones: string[]) {
  const users = await em.find(User, { phone: { $in: phones } })
  return new Map(users.map(({ id, phone }) => [phone, id]))
}

export function toSigner(locked: LockedAgreement, { id, phone, name }: PartyUser): Signer {
  const role = getSignerRole(getParties(locked), id)!
  return { identifier: phone, displayName: name || roleLabels[role] }
}

/**
 * A tenant without an account cannot sign, so the agreement would never become active.
 * @throws BAD_REQUEST A tenant no longer has an account.
 */
export async function requireActiveTenants(em: EntityManager, { tenantIds }: LockedAgreement) {
  const activeIds = await shareActiveUsers(em, tenantIds)
  const erasedIds = tenantIds.filter(id => !activeIds.has(id))
  if (erasedIds.length > 0) throw refuse('tenants_erased', { ids: erasedIds })
}

/** @throws BAD_REQUEST A tenant has declined the draft, which therefore has to name another. */
export function requireWillingTenants(
  { agreement, tenantIds }: LockedAgreement,
  signatures: AgreementSignature[],
) {
  if (agreement.status !== 'DRAFT') return
  const declinedIds = tenantIds.filter(id => hasDeclined(signatures, id))
  if (declinedIds.length > 0) throw refuse('tenants_declined', { ids: declinedIds })
}

/**
 * Those who come earlier in the signing order sign first; of landlord and manager one suffices.
 * @throws BAD_REQUEST Another party has to sign first.
 */
export function requireTurn(locked: LockedAgreement, signedIds: ReadonlySet<number>, signerId: number) {
  const order = locked.agreement.signing_order ?? []
  const earlierIds = order.slice(0, Math.max(0, order.indexOf(signerId)))
  const parties = getParties(locked)
  const landlordSide = [parties.landlord_id, parties.manager_id]

  const isAwaited = (id: number) => {
    if (parties.tenant_ids.includes(id)) return !signedIds.has(id)
    const isOtherSide = landlordSide.includes(id) && !landlordSide.includes(signerId)
    return isOtherSide && !hasLandlordSideSigned(parties, signedIds)
  }
  const awaitedId = earlierIds.find(isAwaited)
  if (awaitedId !== undefined) throw refuse('not_your_turn', { awaited_id: awaitedId })
}

/** Returns who has yet to sign, in signing order; for the landlord's side the one with the signer's role. */
export function getRemainingSignerIds(
  locked: LockedAgreement,
  signedIds: ReadonlySet<number>,
  role: SignerRole,
) {
  const parties = getParties(locked)
  const landlordSideId = role === 'MANAGER' ? parties.manager_id! : parties.landlord_id
  const isParty = (id: number) => id === landlordSideId || parties.tenant_ids.includes(id)
  const hasSigned = (id: number) =>
    id === landlordSideId ? hasLandlordSideSigned(parties, signedIds) : signedIds.has(id)

  const order = locked.agreement.signing_order ?? []
  return [...new Set([...order, landlordSideId, ...parties.tenant_ids])].filter(
    id => isParty(id) && !hasSigned(id),
  )
}
