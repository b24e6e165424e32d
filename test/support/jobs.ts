import { storeDueEvidence } from '../../server/leases/evidence/job'
import { processCancellations } from '../../server/leases/signing/sync'
import type { Deps } from '../../server/deps'
import { reconcileKyc } from '../../server/accounts/profile/reconciliation'
import { reconcileSignatures } from '../../server/leases/signing/reconciliation'
import { reconcileWebhooks } from '../../server/leases/signing/inbox'

/** One run of every job that settles what is open, as the queue would start them. */
export async function runJobs(deps: Deps) {
  for (const job of [
    reconcileWebhooks,
    reconcileSignatures,
    reconcileKyc,
    processCancellations,
    storeDueEvidence,
  ])
    await job(deps)
}
