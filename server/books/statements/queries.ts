import { sql } from 'kysely'
import type { Statement } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
import type { RecordId } from '../../http/record-id'
import type { UserId } from '../../http/reads/reader'
import { describeCharge } from '../charges/descriptions'
import type { StatementEntry } from './line-descriptions'

/** A side that is absent is open. */
export type Days = { from?: string; to?: string }
type Given = { id: RecordId; days: Days; words: string }

/** What the tenants owe is the receivable less the advance, so an allocation does not change it. */
const owed = sql`line.account in ('receivable', 'advance')`

/** The balance before the first day. */
const toOpening = ({ from = '-infinity' }: Days) => sql<number>`(
  select coalesce(sum(line.debit - line.credit), 0)
  from journals journal join journal_lines line on line.journal_id = journal.id and ${owed}
  where journal.agreement_id = a.id and journal.effective_on < ${from}::date
)`

/** The journals that change what the tenants owe, as no allocation and no transfer of a deposit does. */
const toEntries = ({ from = '-infinity', to = 'infinity' }: Days, words: string) => sql<StatementEntry[]>`(
  select coalesce(json_agg(entry order by effective_on, position), '[]') from (
    select journal.effective_on, journal.position, journal.kind, changed.amount, journal.charge_id, journal.payment_id,
      ${describeCharge('charge', words)} as description, charge.period_start, charge.period_end,
      journal.reason as credit_reason, payment.method,
      case when refund.id is null then payment.reference else refund.reference end as reference,
      payment.receipt_number, payment.tds_amount,
      left(case when refund.id is null then payment.reversal_reason else refund.reversal_reason end, 255) as reversal_reason
    from (
      select journal.id, sum(line.debit - line.credit) as amount
      from journals journal join journal_lines line on line.journal_id = journal.id and ${owed}
      where journal.agreement_id = a.id and journal.effective_on between ${from}::date and ${to}::date
      group by journal.id
      having sum(line.debit - line.credit) <> 0
    ) changed
    join journals journal on journal.id = changed.id
    left join charges charge on charge.id = journal.charge_id
    left join payments payment on payment.id = journal.payment_id
    left join refunds refund on refund.id = journal.refund_id
  ) entry
)`

/** What was paid is held, until a settlement or the next lease takes of it. */
const toDeposit = ({ to = 'infinity' }: Days) => sql<Statement['deposit']>`(
  select json_build_object(
    'agreed', coalesce(a.deposit_amount, 0),
    'paid', coalesce(sum(line.credit), 0) - coalesce(sum(line.debit) filter (where journal.kind = 'reversal'), 0),
    'held', coalesce(sum(line.credit - line.debit), 0)
  )
  from journals journal join journal_lines line on line.journal_id = journal.id
  where journal.agreement_id = a.id and line.account = 'deposit_held' and journal.effective_on <= ${to}::date
)`

/** How the deposit was settled, if it was by the last day. */
const toSettlement = ({ to = 'infinity' }: Days) => sql<Statement['settlement'] | null>`(
  select json_build_object('posted_on', day::text, 'paper_accepted_on', paper_accepted_on, 'unanswered', unanswered)
  from deposit_settlements cross join lateral (select (posted_at at time zone 'Asia/Kolkata')::date as day) posted
  where agreement_id = a.id and day <= ${to}::date
)`

/** Selects the postings to the tenants' account under an agreement. */
export function selectStatement(db: Db, userId: UserId, { id, days, words }: Given) {
  return selectVisibleAgreement(db, userId, id)
    .leftJoin('ledgers as ledger', 'ledger.agreement_id', 'a.id')
    .select([
      'a.id as agreement_id',
      'a.agreement_number',
      sql<string>`coalesce(ledger.starts_on, a.agreement_start_date)`.as('starts_on'),
      toOpening(days).as('opening_balance'),
      toEntries(days, words).as('entries'),
      toDeposit(days).as('deposit'),
      toSettlement(days).as('settlement'),
    ])
}
