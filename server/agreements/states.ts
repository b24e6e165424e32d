import type { AgreementStatus } from '@kiraya/sdk/contract'
import type { SignatureStatus } from '../providers/signing/port'

const transitions: Record<AgreementStatus, readonly AgreementStatus[]> = {
  DRAFT: ['PENDING'],
  PENDING: ['ACTIVE', 'TERMINATED'],
  ACTIVE: ['TERMINATED'],
  TERMINATED: ['COMPLETED'],
  COMPLETED: [],
}

export const canTransition = (from: AgreementStatus, to: AgreementStatus) => transitions[from].includes(to)
export const isEditable = (status: AgreementStatus) => status === 'DRAFT'
export const isSignable = (status: AgreementStatus) => status === 'DRAFT' || status === 'PENDING'

// Reports come late, twice and in any order. The higher one stands, so every order ends in the same state.
const ranks: Record<SignatureStatus, number> = { PENDING: 0, EXPIRED: 1, DECLINED: 2, SIGNED: 3 }
export const supersedes = (reported: SignatureStatus, known: SignatureStatus) =>
  ranks[reported] > ranks[known]

export type Parties = { landlord_id: number; manager_id: number | null; tenant_ids: number[] }

/** What a user signs as; undefined for somebody who is no party. */
export const getSignerRole = ({ landlord_id, manager_id, tenant_ids }: Parties, userId: number) =>
  userId === landlord_id
    ? 'LANDLORD'
    : userId === manager_id
      ? 'MANAGER'
      : tenant_ids.includes(userId)
        ? 'TENANT'
        : undefined

/** Whether all who must have signed: every tenant, and landlord or manager. */
export const haveAllSigned = (
  { landlord_id, manager_id, tenant_ids }: Parties,
  signed: ReadonlySet<number>,
) =>
  (signed.has(landlord_id) || (manager_id !== null && signed.has(manager_id))) &&
  tenant_ids.every(id => signed.has(id))
export type SignerRole = NonNullable<ReturnType<typeof getSignerRole>>
