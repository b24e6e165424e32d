import { executeCompiled } from '../../../db/compiled-queries'
import { SQL_TRUE, type Db } from '../../../db/database'
import type { Tx } from '../../deps'
import { createCounter } from '../../domain/counters'
import { toIndianDate } from '../../domain/dates'

const raiseCounter = createCounter('agreement_counters', 'year')

/** Returns the next free `AGR-YYYY-NNNNNN` of a landlord. */
export async function getNextAgreementNumber(tx: Pick<Tx, 'em' | 'now'>, landlordId: number) {
  const [number] = await getNextAgreementNumbers(tx, landlordId, 1)
  return number!
}

/** Returns so many of them; numbers that were entered by hand are skipped. */
export async function getNextAgreementNumbers(
  { em, now }: Pick<Tx, 'em' | 'now'>,
  landlordId: number,
  count: number,
) {
  const year = Number(toIndianDate(now()).slice(0, 4))
  const numbers: string[] = []
  while (numbers.length < count) {
    const missing = count - numbers.length
    const [counter] = await executeCompiled(em, raiseCounter, { landlordId, period: year, count: missing })
    const next = Array.from({ length: missing }, (_, index) => {
      const number = counter!.last_number - missing + 1 + index
      return `AGR-${year}-${String(number).padStart(6, '0')}`
    })
    const used = await executeCompiled(em, selectByNumbers, { landlordId, numbers: next })
    const taken = new Set(used.map(({ agreement_number }) => agreement_number))
    numbers.push(...next.filter(number => !taken.has(number)))
  }
  return numbers
}

function selectByNumbers(db: Db, { landlordId, numbers }: { landlordId: number; numbers: string[] }) {
  return db
    .selectFrom('agreements')
    .where('landlord_id', '=', landlordId)
    .where(e => e('agreement_number', '=', e.fn.any(e.val(numbers))))
    .where('is_active', '=', SQL_TRUE)
    .select('agreement_number')
}
