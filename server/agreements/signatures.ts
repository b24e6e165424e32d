import { LockMode } from '@mikro-orm/core'
import { Agreement, AgreementSignature, PropertyUnit } from '../../db/entities'
import { tell } from '../activity'
import { dayInIndia } from '../calendar'
import type { Deps } from '../deps'
import type { SigningStatus } from '../signing/port'
import { audience, partiesOf, tenantsOf } from './access'
import { allSigned, mayBecome, outranks } from './states'

const happened = {
  SIGNED: ['agreement_signed', 'was signed by one of its parties'],
  DECLINED: ['agreement_declined', 'was declined by one of its parties'],
  EXPIRED: ['signature_expired', 'was not signed in time by one of its parties'],
} as const

/** Records what the provider says of a signature; when the last of the parties has signed, the agreement becomes ACTIVE. */
export async function recordSignature(deps: Deps, { id, agreement_id }: AgreementSignature, reported: SigningStatus) {
  const now = deps.now()
  const spare = await deps.orm.em.fork().transactional(async tx => {
    // A deleted draft may still get news of its signatures.
    const agreement = await tx.findOneOrFail(Agreement, { id: agreement_id }, { lockMode: LockMode.PESSIMISTIC_WRITE, filters: false })
    const signatures = await tx.find(AgreementSignature, { agreement_id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    const signature = signatures.find(each => each.id === id)!
    if (reported.lastError) signature.last_error = reported.lastError
    if (reported.status === 'PENDING' || !outranks(reported.status, signature.status)) return []

    const unit = await tx.findOneOrFail(PropertyUnit, { id: agreement.property_unit_id }, { filters: false })
    const held = { agreement, unit, tenantIds: await tenantsOf(tx, agreement) }
    const endOf = (open: AgreementSignature[]) => {
      for (const each of open) each.status = 'EXPIRED'
      return open
    }
    // Signed on an older request after all: the newer one is not needed any more, and makes room before this one counts.
    const replaced = reported.status === 'SIGNED' ? endOf(signatures.filter(each => each.id !== id && each.signer_id === signature.signer_id && each.status === 'PENDING')) : []
    await tx.flush()
    signature.status = reported.status
    signature.signed_at = reported.status === 'SIGNED' ? now : null
    signature.decline_reason = reported.status === 'DECLINED' ? reported.declineReason ?? null : null
    await tx.flush()
    const [type, words] = happened[reported.status]
    await tell(tx, now, audience(held), { type, message: `The agreement ${agreement.agreement_number} ${words}`, entity_type: 'agreement', entity_id: agreement.id, actor_id: reported.status === 'EXPIRED' ? null : signature.signer_id })

    const signed = new Set(signatures.filter(each => each.status === 'SIGNED').map(each => each.signer_id))
    if (!mayBecome(agreement.status, 'ACTIVE') || !allSigned(partiesOf(held), signed)) return replaced
    agreement.status = 'ACTIVE'
    agreement.signed_date = dayInIndia(now)
    const unneeded = endOf(signatures.filter(each => each.status === 'PENDING'))
    await tx.flush()
    await tell(tx, now, audience(held), { type: 'agreement_activated', message: `The agreement ${agreement.agreement_number} is active`, entity_type: 'agreement', entity_id: agreement.id, actor_id: null })
    return [...replaced, ...unneeded]
  })
  await cancelAtProvider(deps, spare)
}

/** Reads a signature's status back from the provider and records it; undefined where the provider has forgotten it. */
export async function refreshSignature(deps: Deps, signature: AgreementSignature) {
  const reported = await deps.signing.status({ requestId: signature.provider_request_id!, providerSignatureId: signature.provider_signature_id })
  if (reported) await recordSignature(deps, signature, reported)
  return reported?.status
}

/** Our own records say already that these are over, so a provider that cannot be reached is no reason to fail. */
export async function cancelAtProvider({ signing, log }: Deps, signatures: Pick<AgreementSignature, 'signature_id' | 'provider_request_id'>[]) {
  await Promise.all(signatures.map(({ signature_id, provider_request_id }) => provider_request_id && signing.cancel(provider_request_id).catch(error =>
    log.warn({ err: error.cause ?? error, signature_id }, 'A signing request could not be cancelled at the provider'))))
}
