import { sql } from 'kysely'
import type { Deps } from '../../deps'
import { processDueChecks } from '../../domain/due-rows'
import { isAutomaticKyc, reconcileKycRequest } from './kyc'

/**
 * Asks the provider about open identity checks, so that missed webhooks never lose a result. The automatic ones of
 * the sandbox wait for their user.
 */
export async function reconcileKyc(deps: Deps) {
  if (await isAutomaticKyc(deps)) return
  const isOpen = sql`status in ('CREATED', 'KYC_REQUESTED')`
  await processDueChecks(deps, {
    subject: 'an identity check',
    table: 'kyc_requests',
    isOpen,
    process: id => reconcileKycRequest(deps, id),
  })
}
