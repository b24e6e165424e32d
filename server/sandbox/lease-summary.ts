import { Agreement, AgreementSignature } from '../../db/entities'
import type { EntityManager } from '../../db/database'
import type { Deps } from '../deps'
import { getParties, loadLockedAgreement, type LockedAgreement } from '../leases/access'
import { findUsers } from '../leases/party-users'
import { findSnapshots } from '../leases/snapshots'
import { getSignerRole, type SignerRole } from '../leases/states'

/** A provider's request, and its signer by the provider's id. */
export type SignerReference = { requestId: string; providerSignatureId: string }

/** What a signer is shown of the lease. */
export type LeaseSummary = NonNullable<Awaited<ReturnType<typeof findLeaseSummary>>>

/** A party as another one sees it: `name` is null unless that one may know it. */
type OtherParty = { role: SignerRole; name: string | null; hasSigned: boolean }

/** Finds the roles of a request's signers, by the provider's ids of their signatures. */
export async function findSignerRoles(deps: Deps, requestId: string) {
  const signatures = await findRequestSignatures(deps, requestId)
  return new Map(signatures.map(each => [each.provider_signature_id, each.signer_role as SignerRole]))
}

/**
 * Finds the lease of a request as it was sent for signing, with the signer's other parties. Undefined if the
 * request belongs to no agreement, or the lease was erased.
 */
export async function findLeaseSummary(deps: Deps, { requestId, providerSignatureId }: SignerReference) {
  const signatures = await findRequestSignatures(deps, requestId)
  const own = signatures.find(({ provider_signature_id }) => provider_signature_id === providerSignatureId)
  if (!own) return undefined
  const { lease, names } = await findSnapshots(deps.db, own.agreement_id)
  if (!lease) return undefined

  const em = deps.db.fork()
  const agreement = await em.findOneOrFail(Agreement, own.agreement_id, { filters: false })
  const locked = await loadLockedAgreement(em, agreement)
  const { agreement_number } = agreement
  return { agreement_number, ...lease, others: await listOthers(em, locked, own.signer_id, names) }
}

function findRequestSignatures({ db, signing, otherSigning }: Deps, requestId: string) {
  const providers = [signing, ...otherSigning].map(({ name }) => name)
  const ofRequest = { provider: { $in: providers }, provider_request_id: requestId }
  return db.fork().find(AgreementSignature, ofRequest, { orderBy: { id: 'desc' } })
}

/**
 * Lists the landlord, a manager who has signed, and the tenants, without the signer. A name is the one under
 * which a party signed, or the landlord's own; the landlord also sees the names that the landlord gave.
 */
async function listOthers(
  em: EntityManager,
  locked: LockedAgreement,
  signerId: number,
  names: Record<string, string | null>,
): Promise<OtherParty[]> {
  const { agreement } = locked
  const parties = getParties(locked)
  const signed = await em.find(AgreementSignature, { agreement_id: agreement.id, status: 'SIGNED' })
  const signedIds = new Set(signed.map(({ signer_id }) => signer_id))
  const managerIds = parties.manager_id && signedIds.has(parties.manager_id) ? [parties.manager_id] : []
  const ids = [parties.landlord_id, ...managerIds, ...parties.tenant_ids].filter(id => id !== signerId)

  const users = await findUsers(em, locked, ids)
  const isNameShown = (id: number) => id === parties.landlord_id || signerId === parties.landlord_id
  const getGivenName = (id: number) => users.find(user => user.id === id)?.name || null
  return ids.map(id => {
    const hasSigned = signedIds.has(id)
    const signedName = hasSigned ? names[id] : null
    const name = signedName ?? (isNameShown(id) ? getGivenName(id) : null)
    return { role: getSignerRole(parties, id)!, name, hasSigned }
  })
}
