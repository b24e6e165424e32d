import { executeCompiled } from '../../../db/compiled-queries'
import type { EntityManager } from '../../../db/database'
import type { Payment } from '../../../db/entities'
import { createCounter } from '../../domain/counters'
import { getFiscalYear } from '../../domain/fiscal-year'

const incrementCounter = createCounter('receipt_counters', 'fiscal_year')

/** Returns the next `RCT-2026-27-NNNNNN` of a landlord. */
export async function getNextReceiptNumber(em: EntityManager, { landlord_id, paid_on }: Payment) {
  const period = getFiscalYear(paid_on)
  const [counter] = await executeCompiled(em, incrementCounter, { landlordId: landlord_id, period, count: 1 })
  return `RCT-${period}-${String(counter!.last_number).padStart(6, '0')}`
}
