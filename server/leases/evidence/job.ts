import { sql } from 'kysely'
import type { Deps } from '../../deps'
import { doubleDelay, processDueRows } from '../../domain/due-rows'
import { storeEvidence } from './service'

/** Stores the signed PDFs and the certificates of leases that were signed, have renewed themselves or ended. */
export function storeDueEvidence(deps: Deps) {
  return processDueRows(deps, {
    subject: 'a certificate',
    table: 'agreements',
    dueColumn: 'evidence_due_at',
    toNextAttempt: now =>
      sql`least(${doubleDelay(now, 'updated_at')}, ${now}::timestamptz + interval '1 day')`,
    process: id => storeEvidence(deps, id),
  })
}
