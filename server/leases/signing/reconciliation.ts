import type { AgreementSignature } from '../../../db/entities'
import type { Deps } from '../../deps'
import { processRelatedDeliveries } from './inbox'
import { applySignatureStatus, syncSignature, tryCancelNow } from './status'
import { expireUnsent } from './signatures'

/** Applies what the provider knows of a signature, and expires one whose time is over. */
export async function reconcileSignature(deps: Deps, signature: AgreementSignature) {
  const { status, provider, provider_request_id, signature_id } = signature
  const isOverdue = status === 'PENDING' && signature.expires_at <= deps.now()
  if (isOverdue && provider_request_id) {
    await expireSignature(deps, signature)
  } else if (provider_request_id) {
    await syncSignature(deps, signature)
  } else if (isOverdue) {
    const hasExpired = await expireUnsent(deps.db, signature)
    if (hasExpired) await processRelatedDeliveries(deps, provider, { document_id: signature_id })
  }
}

/** Expires a signature that is overdue by our clock, unless the provider knows that it was signed in time. */
export async function expireSignature(deps: Deps, signature: AgreementSignature) {
  const status = await syncSignature(deps, signature)
  if (status === 'SIGNED') return
  await applySignatureStatus(deps, signature, { status: 'EXPIRED', isLapsed: true })
  await tryCancelNow(deps, signature.agreement_id)
}
