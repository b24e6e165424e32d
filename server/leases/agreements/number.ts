import { executeCompiled } from '../../../db/compiled-queries'
import { SQL_TRUE, type Db } from '../../../db/database'
import type { Tx } from '../../deps'
import { createCounter } from '../../domain/counters'
import { toIndianDate } from '../../domain/dates'

const incrementCounter = createCounter('agreement_counters', 'year')

/** Returns the next free `AGR-YYYY-NNNNNN` of a landlord; numbers that were entered by hand are skipped. */
export async function getNextAgreementNumber({ em, now }: Pick<Tx, 'em' | 'now'>, landlordId: number) {
  const year = Number(toIndianDate(now()).slice(0, 4))
  for (;;) {
    const [counter] = await executeCompiled(em, incrementCounter, { landlordId, period: year })
    const number = `AGR-${year}-${String(counter!.last_number).padStart(6, '0')}`
    const used = await executeCompiled(em, selectByNumber, { landlordId, number })
    if (used.length === 0) return number
  }
}

function selectByNumber(db: Db, { landlordId, number }: { landlordId: number; number: string }) {
  return db
    .selectFrom('agreements')
    .where('landlord_id', '=', landlordId)
    .where('agreement_number', '=', number)
    .where('is_active', '=', SQL_TRUE)
    .limit(1)
    .select('id')
}
