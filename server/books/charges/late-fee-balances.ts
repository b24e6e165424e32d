import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import type { Charge } from '../../../db/entities'
import { toPaise } from '../../domain/money'
import type { Balance } from '../../domain/late-fee'

const BEFORE_ALL = '0001-01-01'

/**
 * Lists what was outstanding of a charge from each day on. Payments count from the day on which they were made;
 * `settledOn` is the day on which the rest will be settled.
 */
export async function listBalances(em: EntityManager, charge: Charge, settledOn?: string) {
  const settlements = await executeCompiled(em, selectSettlements, { chargeId: charge.id })
  let outstanding = toPaise(charge.amount)
  const balances: Balance[] = [{ from: BEFORE_ALL, outstanding }]
  for (const { day, amount } of settlements) {
    outstanding -= toPaise(Number(amount))
    balances.push({ from: day, outstanding })
  }
  return settledOn ? [...balances, { from: settledOn, outstanding: 0 }] : balances
}

/** Sums what settled a charge by day. What is corrected or pro-rated was never owed, so it has the first day of all. */
const selectSettlements = (_: Db, { chargeId }: { chargeId: number }) => sql<{ day: string; amount: number }>`
  select day::date as day, sum(amount) as amount from (
    select payment.paid_on as day, allocation.amount
    from payment_allocations allocation join payments payment on payment.id = allocation.payment_id
    where allocation.charge_id = ${chargeId}
    union all
    select case when journal.reason in ('correction', 'proration') then ${BEFORE_ALL}::date else journal.effective_on end,
      line.credit
    from journals journal join journal_lines line on line.journal_id = journal.id
    where journal.charge_id = ${chargeId} and journal.kind in ('credit', 'settlement')
      and line.account = 'receivable'
  ) settlement
  group by day order by day`
