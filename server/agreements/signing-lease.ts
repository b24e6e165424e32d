import type { SignInput } from '@kiraya/sdk/contract'
import { Agreement, AgreementSignature, User } from '../../db/entities'
import type { Transaction } from '../../db/records'
import { lockActiveUsers } from '../auth/queries'
import type { Deps } from '../deps'
import { badRequest, forbidden, notFound } from '../faults'
import type { Actor } from '../http/authentication'
import type { SigningRequest } from '../providers/signing/port'
import { lockAgreement, isLandlordOrManager, getParties, type LockedAgreement } from './access'
import { isSignable, getSignerRole, type SignerRole } from './states'

export const OVERLAP_MESSAGE = 'The unit has another agreement for some of this time'

/** Who starts a signing; `isSystem` where nobody asked for it just now, and the landlord's rights are used. */
export type SigningInitiator = Pick<Actor, 'id'> & { isSystem?: boolean }

export type SigningLease =
  | { is: 'open' | 'lapsed' | 'under way'; signature: AgreementSignature }
  | { is: 'ours'; signature: AgreementSignature; request: SigningRequest; revision: number }

/** The right to ask the provider for a signature, where the rules allow it and nobody else has it. */
export async function leaseSigning(
  deps: Deps,
  tx: Transaction,
  actor: SigningInitiator,
  id: string,
  { signer_id, flexi_options: flexi }: SignInput,
  leaseMs: number,
): Promise<SigningLease> {
  const held = await lockAgreement(tx, actor, id)
  const { agreement } = held
  const now = deps.now()
  if (!isSignable(agreement.status))
    throw forbidden(`An agreement that is ${agreement.status} cannot be signed`)
  const signer = await tx.findOne(User, { id: signer_id, is_active: true })
  if (!signer) throw notFound('Signer')
  const role = getSignerRole(getParties(held), signer_id)
  if (!role) throw forbidden('The signer is no party of this agreement')
  if (actor.id !== signer_id && !isLandlordOrManager(actor, held))
    throw forbidden('Tenants start their own signing only')
  await requireActiveTenants(tx, held)

  const latest = await tx.findOne(
    AgreementSignature,
    { agreement_id: agreement.id, signer_id, status: { $in: ['PENDING', 'SIGNED'] } },
    { lock: 'update' },
  )
  if (latest?.status === 'SIGNED') throw badRequest('The signer has already signed this agreement')
  await requireTurn(tx, held, signer_id)
  if (latest && latest.expires_at > now)
    return { is: latest.signing_url ? 'open' : 'under way', signature: latest }
  if (latest?.provider_request_id) return { is: 'lapsed', signature: latest }
  if (latest) {
    latest.status = 'EXPIRED'
    await tx.flush()
  }
  const another =
    deps.signing.hasSharedRequests &&
    (await tx.findOne(AgreementSignature, {
      agreement_id: agreement.id,
      status: 'PENDING',
      provider_request_id: null,
      expires_at: { $gt: now },
    }))
  if (another) return { is: 'under way', signature: another }
  if (await overlaps(tx, agreement)) throw badRequest(OVERLAP_MESSAGE)
  const signature = await tx.insert(AgreementSignature, {
    agreement_id: agreement.id,
    signer_id,
    signer_role: role,
    provider: deps.signing.name,
    expires_at: new Date(now.getTime() + leaseMs),
    status: 'PENDING',
    created_at: now,
  })
  return {
    is: 'ours',
    signature,
    revision: agreement.revision,
    request: {
      documentId: signature.signature_id,
      documentUrl: agreement.document_url,
      signer: signerOf(signer),
      ...(await othersOf(tx, held, role, deps.signing.name)),
      redirectUrl: deps.config.ESIGN_REDIRECT_URL ?? `${deps.publicUrl()}/signed`,
      flexiOptions: flexi
        ? {
            templateId: flexi.template_id,
            signaturePosition: flexi.signature_position && {
              pageNumber: flexi.signature_position.page_number,
              x: flexi.signature_position.x,
              y: flexi.signature_position.y,
              width: flexi.signature_position.width,
              height: flexi.signature_position.height,
            },
            templateVariables: flexi.template_variables,
          }
        : undefined,
    },
  }
}

/** Without one of them the agreement would never be signed by all. */
export async function requireActiveTenants(tx: Transaction, { tenantIds }: LockedAgreement) {
  const there = await lockActiveUsers(tx.em, tenantIds)
  const gone = tenantIds.filter(id => !there.has(id))
  if (gone.length) throw badRequest(`Of the tenants ${gone.join(', ')} has no account any more`)
}

const signerOf = ({ phone, first_name, last_name }: User) => ({
  identifier: phone,
  displayName: [first_name, last_name].filter(Boolean).join(' ') || phone,
})

/** For a provider that asks all parties by one request: who is left to sign beside the signer, and the requests that there were. */
async function othersOf(
  tx: Transaction,
  held: LockedAgreement,
  role: SignerRole,
  provider: string,
): Promise<Pick<SigningRequest, 'parties' | 'earlier'>> {
  const asked = await tx.find(
    AgreementSignature,
    { agreement_id: held.agreement.id, provider_request_id: { $ne: null } },
    { orderBy: { id: 'desc' } },
  )
  const signed = new Set(asked.filter(({ status }) => status === 'SIGNED').map(({ signer_id }) => signer_id))
  const { landlord_id, manager_id, tenant_ids } = getParties(held)
  const side = role === 'MANAGER' ? manager_id! : landlord_id
  const order = held.agreement.signing_order ?? []
  const left = [...order, side, ...tenant_ids].filter(
    (id, index, all) =>
      all.indexOf(id) === index &&
      (id === side || tenant_ids.includes(id)) &&
      !signed.has(id) &&
      !(id === side && (signed.has(landlord_id) || signed.has(manager_id ?? 0))),
  )
  const users = await tx.find(User, { id: { $in: left } })
  return {
    parties: left.map(id => signerOf(users.find(user => user.id === id)!)),
    earlier: [
      ...new Set(
        asked
          .filter(request => request.provider === provider)
          .map(({ provider_request_id }) => provider_request_id!),
      ),
    ],
  }
}

/** Those who come before a signer in the order have to have signed; of landlord and manager one suffices. */
async function requireTurn(tx: Transaction, held: LockedAgreement, signer_id: number) {
  const order = held.agreement.signing_order ?? []
  const before = order.slice(0, Math.max(0, order.indexOf(signer_id)))
  if (!before.length) return
  const signed = new Set(
    (await tx.find(AgreementSignature, { agreement_id: held.agreement.id, status: 'SIGNED' })).map(
      signature => signature.signer_id,
    ),
  )
  const { landlord_id, manager_id, tenant_ids } = getParties(held)
  const side = [landlord_id, manager_id]
  const awaited = before.find(id =>
    tenant_ids.includes(id)
      ? !signed.has(id)
      : side.includes(id) && !side.includes(signer_id) && !side.some(one => one !== null && signed.has(one)),
  )
  if (awaited !== undefined)
    throw badRequest(`It is not this signer's turn: by signing_order ${awaited} signs before`)
}

/** The database refuses an overlap too; asked beforehand, nobody is bothered in vain. */
const overlaps = (
  tx: Transaction,
  { id, property_unit_id, agreement_start_date, agreement_end_date }: Agreement,
) =>
  tx.count(Agreement, {
    id: { $ne: id },
    property_unit_id,
    status: { $in: ['PENDING', 'ACTIVE'] },
    agreement_start_date: { $lte: agreement_end_date },
    agreement_end_date: { $gte: agreement_start_date },
  })
