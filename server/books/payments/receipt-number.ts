import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import type { Payment } from '../../../db/entities'
import { getFiscalYear } from '../../domain/fiscal-year'

type Series = { landlordId: number; fiscalYear: string }

/** Returns the next `RCT-2026-27-NNNNNN` of a landlord. A transaction that fails gives its number back: no gaps. */
export async function getNextReceiptNumber(em: EntityManager, { landlord_id, paid_on }: Payment) {
  const fiscalYear = getFiscalYear(paid_on)
  const [counter] = await executeCompiled(em, incrementCounter, { landlordId: landlord_id, fiscalYear })
  return `RCT-${fiscalYear}-${String(counter!.last_number).padStart(6, '0')}`
}

function incrementCounter(db: Db, { landlordId, fiscalYear }: Series) {
  return db
    .insertInto('receipt_counters')
    .values({ landlord_id: landlordId, fiscal_year: fiscalYear, last_number: 1 })
    .onConflict(conflict =>
      conflict
        .columns(['landlord_id', 'fiscal_year'])
        .doUpdateSet(e => ({ last_number: e('receipt_counters.last_number', '+', 1) })),
    )
    .returning('last_number')
}
