import type { SignInput } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../../db/database'
import type { AgreementSignature } from '../../../db/entities'
import type { Tx } from '../../deps'
import { getSampleLease, isSampleLease } from '../../documents/sample-lease'
import type { SigningRequest } from '../../providers/signing/port'
import type { LockedAgreement } from '../access'
import { toServedPath } from '../documents/sent'
import type { SignerRole } from '../states'
import { findUsers, type PartyUser } from '../party-users'
import { getRemainingSignerIds, toSigner } from './parties'
import { getSignedIds, hasDeclined } from './signatures'

type Requested = {
  signer: PartyUser
  /** All who have yet to sign, including the signer, in signing order. */
  remaining: PartyUser[]
  /** All signatures of the agreement, the oldest first. */
  signatures: AgreementSignature[]
  options: SignInput['flexi_options']
}

/** Maps a claimed signature to what the provider is asked. */
export function toSigningRequest(
  server: Pick<Tx, 'config' | 'publicUrl' | 'signing'>,
  locked: LockedAgreement,
  signature: AgreementSignature,
  { signer, remaining, signatures, options }: Requested,
): SigningRequest {
  const { config, publicUrl, signing } = server
  const { document_key: key } = signature
  const documentUrl = key ? `${publicUrl()}${toServedPath(key)}` : locked.agreement.document_url!
  return {
    documentId: signature.signature_id,
    documentUrl,
    readOwnDocument: isSampleLease(server, documentUrl) ? getSampleLease : undefined,
    signer: toSigner(locked, signer),
    parties: remaining.map(user => toSigner(locked, user)),
    earlier: getEarlierRequestIds(signatures, signing.name),
    redirectUrl: config.ESIGN_REDIRECT_URL ?? `${publicUrl()}/signed`,
    flexiOptions: toFlexiOptions(options),
  }
}

/** Lists who has yet to sign. Those who declined are not asked again with another party's request. */
export async function findRemaining(
  em: EntityManager,
  locked: LockedAgreement,
  signatures: AgreementSignature[],
  { signerId, role }: { signerId: number; role: SignerRole },
) {
  const remainingIds = getRemainingSignerIds(locked, getSignedIds(signatures), role)
  const ids = remainingIds.filter(id => id === signerId || !hasDeclined(signatures, id))
  const users = await findUsers(em, locked, ids)
  return ids.map(id => users.find(user => user.id === id)!)
}

/** Returns the provider's ids of the agreement's requests, the newest first. */
function getEarlierRequestIds(signatures: AgreementSignature[], provider: string) {
  const ids = signatures
    .filter(signature => signature.provider === provider)
    .map(({ provider_request_id }) => provider_request_id)
    .filter(id => typeof id === 'string')
  return [...new Set(ids.toReversed())]
}

function toFlexiOptions(options: SignInput['flexi_options']): SigningRequest['flexiOptions'] {
  if (!options) return undefined
  const { template_id, signature_position: position, template_variables } = options
  return {
    templateId: template_id,
    signaturePosition: position && {
      pageNumber: position.page_number,
      x: position.x,
      y: position.y,
      width: position.width,
      height: position.height,
    },
    templateVariables: template_variables,
  }
}
