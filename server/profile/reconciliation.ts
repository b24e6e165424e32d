import { sql } from 'kysely'
import type { Deps } from '../deps'
import { leaseDueChecks, processInBatches } from '../domain/due-rows'
import { isAutomaticKyc, reconcileKycRequest } from './kyc'

/**
 * Asks the provider about open identity checks, so that missed webhooks never lose a result, and ends those of
 * other providers. The automatic ones of the sandbox wait for their user.
 */
export async function reconcileKyc(deps: Deps) {
  const isAwaited = (await isAutomaticKyc(deps)) ? sql`provider <> ${deps.kyc.name}` : sql`true`
  const isOpen = sql`status in ('CREATED', 'KYC_REQUESTED') and ${isAwaited}`
  return processInBatches(deps, {
    subject: 'an identity check',
    lease: () => leaseDueChecks(deps, 'kyc_requests', isOpen),
    process: id => reconcileKycRequest(deps, id),
  })
}
