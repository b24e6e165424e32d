import { sql, type RawBuilder } from 'kysely'

/**
 * What payments settle of charges, and the day on which reports by year count it: the day on which the payment first
 * settled the charge or, if a later posting did, the day by which both were there. What was taken back is not in it.
 */
export const toSettled = (agreements: RawBuilder<unknown>) => sql`(
  select journal.agreement_id, journal.payment_id, journal.charge_id, sum(allocation.amount) as amount,
    least(min(journal.effective_on), greatest(payment.paid_on, charge.due_date)) as day
  from ${agreements} join journals journal using (agreement_id)
  left join payment_allocations allocation on allocation.journal_id = journal.id
  join payments payment on payment.id = journal.payment_id join charges charge on charge.id = journal.charge_id
  where journal.kind = 'allocation'
  group by journal.agreement_id, journal.payment_id, journal.charge_id, payment.paid_on, charge.due_date
  having sum(allocation.amount) > 0
)`
