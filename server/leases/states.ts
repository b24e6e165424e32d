import type { AgreementStatus } from '@kiraya/sdk/contract'
import type { SignatureStatus } from '../../db/entities'

const transitions: Record<AgreementStatus, readonly AgreementStatus[]> = {
  DRAFT: ['PENDING', 'ACTIVE'],
  PENDING: ['ACTIVE', 'TERMINATED'],
  ACTIVE: ['TERMINATED'],
  TERMINATED: ['COMPLETED'],
  COMPLETED: [],
}

/** An agreement that is drawn up and has not ended. */
export const OPEN_STATUSES = ['DRAFT', 'PENDING', 'ACTIVE'] as const

export const canTransition = (from: AgreementStatus, to: AgreementStatus) => transitions[from].includes(to)
export const isEditable = (status: AgreementStatus) => status === 'DRAFT'
export const isSignable = (status: AgreementStatus) => status === 'DRAFT' || status === 'PENDING'

// Reports arrive late, twice and in any order. The higher rank wins, so every order ends in the same state.
const ranks: Record<SignatureStatus, number> = { PENDING: 0, EXPIRED: 1, DECLINED: 2, SIGNED: 3 }
export const supersedes = (reported: SignatureStatus, known: SignatureStatus) =>
  ranks[reported] > ranks[known]

export type Parties = { landlord_id: number; manager_id: number | null; tenant_ids: number[] }
export type SignerRole = 'LANDLORD' | 'MANAGER' | 'TENANT'

/** Returns the role in which a user signs; undefined if the user is not a party. */
export function getSignerRole(parties: Parties, userId: number): SignerRole | undefined {
  if (userId === parties.landlord_id) return 'LANDLORD'
  if (userId === parties.manager_id) return 'MANAGER'
  if (parties.tenant_ids.includes(userId)) return 'TENANT'
  return undefined
}

/** The landlord and the manager sign for the same side: one of them suffices. */
export function hasLandlordSideSigned({ landlord_id, manager_id }: Parties, signedIds: ReadonlySet<number>) {
  return signedIds.has(landlord_id) || (manager_id !== null && signedIds.has(manager_id))
}

/** Whether every tenant and the landlord's side have signed. */
export function haveAllSigned(parties: Parties, signedIds: ReadonlySet<number>) {
  return hasLandlordSideSigned(parties, signedIds) && parties.tenant_ids.every(id => signedIds.has(id))
}
