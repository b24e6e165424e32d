import { sql } from 'kysely'
import { executeCompiled, findEntities } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { Agreement } from '../../../db/entities'
import { finishPosting } from './late-fees'
import { postSchedules } from './posting'
import { getPosting, loadBooks, type Posting } from '../ledger/books'
import type { Deps } from '../../deps'
import { toIndianDate } from '../../domain/dates'
import { requireNoFailures, runForEachAgreement } from '../../domain/isolation'

/** So many leases are posted in one transaction: their statements are the same few. */
const BATCH_SIZE = 250

/**
 * Posts what is due in the books of all leases: instalments, what advances settle, and late fees. A run that ends
 * early leaves the rest to the next one, which posts what each day would have. A lease that fails stops no other;
 * the job fails once the others are posted.
 */
export async function postCharges(deps: Deps) {
  const now = deps.now()
  const today = toIndianDate(now)
  let [after, failures] = [0, 0]
  for (;;) {
    const due = await executeCompiled(deps.db, selectDueLeases, { today, after })
    if (due.length === 0) return requireNoFailures(failures)
    const ids = due.map(({ agreement_id }) => agreement_id)
    failures += await postLeases(deps, ids, now)
    after = ids.at(-1)!
  }
}

/** Posts a batch at once or, if that fails, lease by lease. Returns how many leases failed. */
async function postLeases(deps: Deps, ids: number[], now: Date) {
  const post = (some: number[]) =>
    deps.db.transactional(em => postBatch(getPosting({ em, now: () => now }), some))
  try {
    await post(ids)
    return 0
  } catch (error) {
    deps.log.warn({ err: error }, 'A batch of leases failed; each is posted alone')
    return runForEachAgreement(deps, ids, id => post([id]))
  }
}

async function postBatch(posting: Posting, ids: number[]) {
  const { em } = posting
  const agreements = await findEntities(em, Agreement, selectUnlockedAgreements, { ids })
  const allBooks = await loadBooks(em, agreements)
  const active = allBooks.filter(({ agreement }) => agreement.status === 'ACTIVE')
  await postSchedules(posting, active)
  await finishPosting(posting, allBooks)
}

type After = { today: string; after: number }

/**
 * Selects the next leases that have something to post: an instalment, a late fee, or an advance that settles. The open
 * charges of each lease are looked up by its key: `offset 0` keeps the planner from hashing those of all.
 */
const selectDueLeases = (_: Db, { today, after }: After) => sql<{ agreement_id: number }>`
  select ledger.agreement_id from ledgers ledger join agreements agreement on agreement.id = ledger.agreement_id
  where ledger.agreement_id > ${after} and agreement.id > ${after} and agreement.status in ('ACTIVE', 'TERMINATED')
    and ((ledger.next_posting_on <= ${today}::date and agreement.status = 'ACTIVE') or exists (
      select from charges charge
      where charge.agreement_id = ledger.agreement_id and charge.amount > charge.amount_paid + charge.amount_credited
        and (charge.late_fee_on <= ${today}::date or charge.due_date <= ${today}::date and exists (
          select from payments payment
          where payment.agreement_id = ledger.agreement_id and payment.unapplied_amount > 0
            and not payment.waits_for_allocation
          offset 0
        ))
      offset 0
    ))
  order by ledger.agreement_id
  limit ${sql.lit(BATCH_SIZE)}`

/** Those that another change holds are taken by the next run. */
function selectUnlockedAgreements(db: Db, { ids }: { ids: number[] }) {
  return db
    .selectFrom('agreements')
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
}
