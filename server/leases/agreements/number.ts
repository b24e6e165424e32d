import { executeCompiled } from '../../../db/compiled-queries'
import { SQL_TRUE, type Db } from '../../../db/database'
import type { Tx } from '../../deps'
import { toIndianDate } from '../../domain/dates'

type Series = { landlordId: number; year: number }

/** Returns the next free `AGR-YYYY-NNNNNN` of a landlord; numbers that were entered by hand are skipped. */
export async function getNextAgreementNumber({ em, now }: Pick<Tx, 'em' | 'now'>, landlordId: number) {
  const year = Number(toIndianDate(now()).slice(0, 4))
  for (;;) {
    const [counter] = await executeCompiled(em, incrementCounter, { landlordId, year })
    const number = `AGR-${year}-${String(counter!.last_number).padStart(6, '0')}`
    const used = await executeCompiled(em, selectByNumber, { landlordId, number })
    if (used.length === 0) return number
  }
}

function incrementCounter(db: Db, { landlordId, year }: Series) {
  return db
    .insertInto('agreement_counters')
    .values({ landlord_id: landlordId, year, last_number: 1 })
    .onConflict(conflict =>
      conflict
        .columns(['landlord_id', 'year'])
        .doUpdateSet(e => ({ last_number: e('agreement_counters.last_number', '+', 1) })),
    )
    .returning('last_number')
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
