import { sql } from 'kysely'
import { AgreementSignature, KycRequest } from '../../db/entities'
import { reconcileSignature } from '../leases/signing/reconciliation'
import type { Deps } from '../deps'
import { isAutomaticKyc, reconcileKycRequest } from '../profile/kyc'
import { listSigningProviderNames } from '../providers/signing/lookup'
import { processDelivery } from '../leases/signing/inbox'
import { doubleDelay, leaseRows, processInBatches } from '../domain/due-rows'

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
  return processInBatches(deps, {
    subject: 'a signature',
    lease: () => leaseDueChecks(deps, 'agreement_signatures', isOpen),
    process: async id => reconcileSignature(deps, await getSignature(deps, id)),
  })
}

/**
 * The same for identity checks, and ends those of other providers. The automatic ones of the sandbox wait for
 * their user.
 */
export async function reconcileKyc(deps: Deps) {
  const isAwaited = (await isAutomaticKyc(deps)) ? sql`provider <> ${deps.kyc.name}` : sql`true`
  const isOpen = sql`status in ('CREATED', 'KYC_REQUESTED') and ${isAwaited}`
  return processInBatches(deps, {
    subject: 'an identity check',
    lease: () => leaseDueChecks(deps, 'kyc_requests', isOpen),
    process: async id => reconcileKycRequest(deps, await getKycRequest(deps, id)),
  })
}

/** Processes stored webhooks whose processing failed or was interrupted. */
export function reconcileWebhooks(deps: Deps) {
  const lease = () => {
    const now = deps.now()
    return leaseRows(deps, {
      table: 'webhook_deliveries',
      dueColumn: 'next_attempt_at',
      nextAttempt: doubleDelay(now, 'created_at'),
      isDue: sql`processed_at is null and next_attempt_at <= ${now}`,
      orderBy: 'next_attempt_at',
    })
  }
  return processInBatches(deps, { subject: 'a webhook', lease, process: id => processDelivery(deps, id) })
}

/**
 * The first check comes `RECONCILE_INITIAL_DELAY_MS` after the start, later ones with doubled delays,
 * and one soon after the expiry.
 */
function leaseDueChecks(
  deps: Deps,
  table: 'agreement_signatures' | 'kyc_requests',
  isOpen: ReturnType<typeof sql>,
) {
  const now = deps.now()
  const initialDelay = sql`${deps.config.RECONCILE_INITIAL_DELAY_MS} * interval '1 millisecond'`
  const age = sql`${now}::timestamptz - created_at`
  const untilExpiry = sql`greatest(expires_at - ${now}::timestamptz, interval '1 minute')`
  const dueAt = sql`coalesce(next_check_at, created_at + ${initialDelay})`
  return leaseRows(deps, {
    table,
    dueColumn: 'next_check_at',
    nextAttempt: sql`${now}::timestamptz + greatest(${initialDelay}, least(${age}, ${untilExpiry}))`,
    isDue: sql`${isOpen} and ${dueAt} <= ${now}`,
    orderBy: 'id',
  })
}

function getSignature({ db }: Deps, id: number) {
  return db.em.fork().findOneOrFail(AgreementSignature, id)
}

function getKycRequest({ db }: Deps, id: number) {
  return db.em.fork().findOneOrFail(KycRequest, id)
}
