import { sql } from 'kysely'
import type { Deps } from '../../deps'
import { doubleDelay, leaseRows, processInBatches } from '../../domain/due-rows'
import { storeEvidence } from './service'

/** Stores the signed PDFs and the certificates of leases that were signed, have renewed themselves or ended. */
export function storeDueEvidence(deps: Deps) {
  const lease = () => {
    const now = deps.now()
    return leaseRows(deps, {
      table: 'agreements',
      dueColumn: 'evidence_due_at',
      nextAttempt: sql`least(${doubleDelay(now, 'updated_at')}, ${now}::timestamptz + interval '1 day')`,
      isDue: sql`evidence_due_at <= ${now}`,
    })
  }
  return processInBatches(deps, { subject: 'a certificate', lease, process: id => storeEvidence(deps, id) })
}
