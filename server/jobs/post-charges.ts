import { sql } from 'kysely'
import { executeCompiled, findEntities } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { Agreement } from '../../db/entities'
import { finishPosting } from '../books/charges/late-fees'
import { postSchedules } from '../books/charges/posting'
import type { Deps } from '../deps'
import { getPosting, loadBooks, type Posting } from '../books/ledger/books'
import { requireNoFailures, runForEachAgreement } from '../domain/isolation'

/** So many leases at once: their statements are the same few. */
const BATCH_SIZE = 200
/** So many entries at once, so that a transaction is short; a lease may have more by itself. */
const MAX_ENTRIES = 1000
/** No month is shorter. */
const DAYS_OF_MONTH = 28

/**
 * Posts what is due in the books of all leases: instalments, what advances settle, and late fees. A run that ends
 * early leaves the rest to the next one, which posts what each day would have. A lease that fails stops no other;
 * the job fails once the others are posted.
 */
export async function postCharges(deps: Deps) {
  const posting = getPosting(deps)
  const due = await executeCompiled(deps.db, selectDueLeases, { today: posting.today })
  let failures = 0
  for (const batch of formBatches(due)) failures += await postLeases(deps, batch, posting)
  requireNoFailures(failures)
}

/** A lease with the number of its open charges and advances, and of the charges that its schedule may post. */
type DueLease = { agreement_id: number; entries: number }

/** Returns the ids of leases in batches, each the work of one transaction. */
function formBatches(due: DueLease[]) {
  const batches: number[][] = []
  let entriesOfBatch = 0
  for (const { agreement_id, entries } of due) {
    const batch = batches.at(-1)
    entriesOfBatch += entries
    if (batch && batch.length < BATCH_SIZE && entriesOfBatch <= MAX_ENTRIES) batch.push(agreement_id)
    else {
      batches.push([agreement_id])
      entriesOfBatch = entries
    }
  }
  return batches
}

/** Posts a batch at once or, if that fails, lease by lease. Returns how many leases failed. */
async function postLeases(deps: Deps, ids: number[], posting: Posting) {
  const post = (some: number[]) => deps.db.transactional(em => postBatch(em, some, posting))
  try {
    await post(ids)
    return 0
  } catch (error) {
    deps.log.warn({ err: error }, 'A batch of leases failed; each is posted alone')
    return runForEachAgreement(deps, ids, id => post([id]))
  }
}

async function postBatch(em: EntityManager, ids: number[], posting: Posting) {
  const agreements = await findEntities(em, Agreement, selectUnlockedAgreements, { ids })
  const allBooks = await loadBooks(em, agreements)
  const active = allBooks.filter(({ agreement }) => agreement.status === 'ACTIVE')
  await postSchedules(em, active, posting)
  await finishPosting(em, allBooks, posting)
}

/** About so many charges: a rent and the recurring ones of each month since the next posting was due. */
const countScheduled = (today: string) => sql`case when ledger.next_posting_on <= ${today}::date then (
  greatest(${today}::date - greatest(ledger.next_posting_on, ledger.starts_on), 0) / ${sql.lit(DAYS_OF_MONTH)} + 1
) * (1 + coalesce(jsonb_array_length(agreement.recurring_charges), 0)) else 0 end`

/** Selects the leases that have something to post, with the entries that this may take. */
const selectDueLeases = (_: Db, { today }: { today: string }) => sql<DueLease>`
  select due.agreement_id, (
    select count(*) from charges charge
    where charge.agreement_id = due.agreement_id and charge.amount > charge.amount_paid + charge.amount_credited
  )::int + (
    select count(*) from payments payment
    where payment.agreement_id = due.agreement_id and payment.unapplied_amount > 0
  )::int + ${countScheduled(today)} as entries
  from (
    select ledger.agreement_id from ledgers ledger join agreements agreement on agreement.id = ledger.agreement_id
    where ledger.next_posting_on <= ${today}::date and agreement.status = 'ACTIVE'
    union
    select charge.agreement_id from charges charge join agreements agreement on agreement.id = charge.agreement_id
    where charge.late_fee_on <= ${today}::date and agreement.status in ('ACTIVE', 'TERMINATED')
    union
    select payment.agreement_id from payments payment
    where payment.unapplied_amount > 0 and exists (
      select from charges charge
      where charge.agreement_id = payment.agreement_id
        and charge.amount > charge.amount_paid + charge.amount_credited and charge.due_date <= ${today}::date
    )
  ) due
  join ledgers ledger on ledger.agreement_id = due.agreement_id
  join agreements agreement on agreement.id = due.agreement_id
  order by due.agreement_id`

/** Those that another change holds are taken by the next run. */
function selectUnlockedAgreements(db: Db, { ids }: { ids: number[] }) {
  return db
    .selectFrom('agreements')
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
}
