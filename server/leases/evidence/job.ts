import { sql } from 'kysely'
import type { Deps } from '../../deps'
import { doubleDelay, claimRows, processInBatches } from '../../domain/due-rows'
import { storeEvidence } from './service'

/** Stores the signed PDFs and the certificates of leases that were signed, have renewed themselves or ended. */
export function storeDueEvidence(deps: Deps) {
  const claim = () => {
    const now = deps.now()
    return claimRows(deps, {
      table: 'agreements',
      dueColumn: 'evidence_due_at',
      nextAttempt: sql`least(${doubleDelay(now, 'updated_at')}, ${now}::timestamptz + interval '1 day')`,
      isDue: sql`evidence_due_at <= ${now}`,
    })
  }
  return processInBatches(deps, { subject: 'a certificate', claim, process: id => storeEvidence(deps, id) })
}
