import { sql } from 'kysely'
import { AgreementSignature } from '../../../db/entities'
import type { Deps } from '../../deps'
import { processDueChecks } from '../../domain/due-rows'
import { listSigningProviderNames } from '../../providers/signing/lookup'
import { processRelatedWebhooks } from './inbox'
import { applySignatureStatus, syncSignature, tryCancelNow } from './sync'
import { expireUnsent } from './signatures'

/**
 * Asks the provider about open signatures, and about those that ended while their agreement is still pending.
 * So missed webhooks never lose an outcome.
 */
export function reconcileSignatures(deps: Deps) {
  const isOpen = sql`provider in (${sql.join(listSigningProviderNames(deps))}) and id = any (array(
    select id from agreement_signatures where status = 'PENDING'
    union all
    select signature.id
    from agreements agreement join agreement_signatures signature on signature.agreement_id = agreement.id
    where agreement.status = 'PENDING' and signature.status in ('DECLINED', 'EXPIRED')
      and signature.provider_request_id is not null
  ))`
  return processDueChecks(deps, {
    subject: 'a signature',
    table: 'agreement_signatures',
    isOpen,
    process: id => reconcileSignature(deps, id),
  })
}

/** Applies what the provider knows of a signature, and expires an overdue one. */
async function reconcileSignature(deps: Deps, id: number) {
  const signature = await deps.db.fork().findOneOrFail(AgreementSignature, id)
  const { status, provider, provider_request_id, signature_id } = signature
  const isOverdue = status === 'PENDING' && signature.expires_at <= deps.now()
  if (isOverdue && provider_request_id) {
    await expireSignature(deps, signature)
  } else if (provider_request_id) {
    await syncSignature(deps, signature)
  } else if (isOverdue) {
    const hasExpired = await expireUnsent(deps.db.fork(), signature, deps.now())
    if (hasExpired) await processRelatedWebhooks(deps, provider, { document_id: signature_id })
  }
}

/** Expires a signature that is overdue by our clock, unless the provider knows that it was signed in time. */
export async function expireSignature(deps: Deps, signature: AgreementSignature) {
  const status = await syncSignature(deps, signature)
  if (status === 'SIGNED') return
  await applySignatureStatus(deps, signature, { status: 'EXPIRED', isLapsed: true })
  await tryCancelNow(deps, signature.agreement_id)
}
