import { sql } from 'kysely'
import type { Statement, StatementLine } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
import type { RecordId } from '../../domain/record-id'
import type { UserId } from '../../http/reads/reader'
import { lineDescription } from './line-descriptions'

/** A side that is absent is open. */
export type StatementDays = { from?: string; to?: string }
type Given = { id: RecordId; days: StatementDays; today: string; maxLength: number }

/** What the tenants owe is the receivable less the advance, so an allocation does not change it. */
const owed = sql`line.account in ('receivable', 'advance')`

/** The balance before the first day. */
const toOpening = ({ from = '-infinity' }: StatementDays) => sql<{ balance: number }>`(
  select coalesce(sum(line.debit - line.credit), 0) as balance
  from journals journal join journal_lines line on line.journal_id = journal.id and ${owed}
  where journal.agreement_id = a.id and journal.effective_on < ${from}::date
)`

/** The journals that change what the tenants owe, as no allocation and no transfer of a deposit does. */
const toEntries = ({ from = '-infinity', to = 'infinity' }: StatementDays) => sql`(
  select journal.*, changed.amount, ${lineDescription} as description
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
)`

type Account = Pick<Statement, 'total_debit' | 'total_credit'> & {
  lines: StatementLine[]
  first_on: string | null
  last_on: string | null
}

const toAccount = (days: StatementDays) => sql<Account>`(
  select
    coalesce(json_agg(json_build_object(
      'date', effective_on, 'kind', kind, 'description', description, 'charge_id', charge_id, 'payment_id', payment_id,
      'debit', greatest(amount, 0), 'credit', greatest(-amount, 0), 'balance', balance
    ) order by effective_on, position), '[]') as lines,
    coalesce(sum(amount) filter (where amount > 0), 0) as total_debit,
    coalesce(-sum(amount) filter (where amount < 0), 0) as total_credit,
    min(effective_on) as first_on, max(effective_on) as last_on
  from (
    select entry.*, opening.balance + sum(amount) over (order by effective_on, position) as balance
    from ${toEntries(days)} entry
  ) line
)`

/** The days that were left open: from the start of the books or the first line, to today or the last line. */
function fillDays({ from, to }: StatementDays, today: string) {
  const start = sql`coalesce(ledger.starts_on, a.agreement_start_date)`
  const first = from
    ? sql<string>`${from}::date`
    : sql<string>`least(${start}, account.first_on, ${to ?? null}::date)`
  const last = to
    ? sql<string>`${to}::date`
    : sql<string>`greatest(${today}::date, account.last_on, ${first})`
  return [first.as('from'), last.as('to')] as const
}

/** What was paid is held, until a settlement or the next lease takes of it. */
const toDeposit = ({ to = 'infinity' }: StatementDays) => sql<Statement['deposit']>`(
  select json_build_object(
    'agreed', coalesce(a.deposit_amount, 0),
    'paid', coalesce(sum(line.credit), 0) - coalesce(sum(line.debit) filter (where journal.kind = 'reversal'), 0),
    'held', coalesce(sum(line.credit - line.debit), 0)
  )
  from journals journal join journal_lines line on line.journal_id = journal.id
  where journal.agreement_id = a.id and line.account = 'deposit_held' and journal.effective_on <= ${to}::date
)`

/** Selects the tenants' account under an agreement whose books have `maxLength` postings at most. */
export function selectStatement(db: Db, userId: UserId, { id, days, today, maxLength }: Given) {
  return selectVisibleAgreement(db, userId, id)
    .leftJoin('ledgers as ledger', 'ledger.agreement_id', 'a.id')
    .where(sql<boolean>`coalesce(ledger.length, 0) <= ${maxLength}`)
    .crossJoinLateral(toOpening(days).as('opening'))
    .crossJoinLateral(toAccount(days).as('account'))
    .select([
      'a.id as agreement_id',
      'a.agreement_number',
      'opening.balance as opening_balance',
      'account.lines',
    ])
    .select(['account.total_debit', 'account.total_credit'])
    .select([
      ...fillDays(days, today),
      sql<number>`opening.balance + account.total_debit - account.total_credit`.as('closing_balance'),
      toDeposit(days).as('deposit'),
    ])
}
