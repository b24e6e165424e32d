import { sql, type RawBuilder } from 'kysely'
import type { AnnualBooks, AnnualBooksRow } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import type { UserId } from '../http/reads/reader'
import { unitPropertyName } from '../listing/properties/queries'
import { joinUnit, listRows, selectReport, sumAll, toSums, withManagedAgreements } from './fragments'

/** A fiscal year, and the day as of which its deposits are held: its last one, or today in a year that is not over. */
type Year = { year: string; from: string; to: string; heldOn: string }

type Period = { from: string; to: string }

const sums = [
  'received',
  'tds',
  'from_deposit',
  'for_rent',
  'for_deposits',
  'for_others',
  'refunded',
  'advances',
  'deposits_held',
] as const

const sumIf = (amount: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
  sql`sum(${amount}) filter (where ${condition})`

const debit = sql`line.debit - line.credit`
const credit = sql`line.credit - line.debit`
const isSettled = sql`line.account = 'receivable'`

/** Sums the postings of money that are effective in the year. What takes one back counts on its own day. */
const toMoved = ({ from, to }: Period) => sql`moved as (
  select journal.agreement_id,
    ${sumIf(debit, sql`line.account in ('bank', 'cash') and journal.kind in ('payment', 'reversal')`)} as received,
    ${sumIf(debit, sql`line.account = 'tds_receivable'`)} as tds,
    ${sumIf(credit, sql`${isSettled} and journal.kind = 'settlement'`)} as from_deposit,
    ${sumIf(credit, sql`${isSettled} and charge.type = 'rent'`)} as for_rent,
    ${sumIf(credit, sql`${isSettled} and charge.type = 'deposit'`)} as for_deposits,
    ${sumIf(credit, sql`${isSettled} and charge.type not in ('rent', 'deposit')`)} as for_others,
    ${sumIf(debit, sql`line.account = 'advance' and journal.kind = 'refund'`)} as refunded,
    ${sumIf(credit, sql`line.account = 'advance'`)} as advances
  from managed_agreements join journals journal using (agreement_id)
  join journal_lines line on line.journal_id = journal.id
  left join charges charge on charge.id = journal.charge_id
  where journal.effective_on between ${from}::date and ${to}::date
    and journal.kind in ('payment', 'allocation', 'refund', 'settlement', 'reversal')
  group by journal.agreement_id
)`

const toHeld = (day: string) => sql`held as (
  select journal.agreement_id, sum(${credit}) as deposits_held
  from managed_agreements join journals journal using (agreement_id)
  join journal_lines line on line.journal_id = journal.id and line.account = 'deposit_held'
  where journal.effective_on <= ${day}::date
    and journal.kind in ('allocation', 'reversal', 'settlement', 'transfer')
  group by journal.agreement_id
)`

const rows = sql`rows as (
  select * from (
    select u.id as property_unit_id, ${unitPropertyName} as property_name, u.unit_name, ${sumAll(sums)}
    from moved full join held using (agreement_id)
    join agreements agreement on agreement.id = coalesce(moved.agreement_id, held.agreement_id)
    ${joinUnit}
    group by u.id, p.id
  ) unit
  where ${sql.join(
    sums.map(name => sql`${sql.ref(name)} <> 0`),
    sql` or `,
  )}
  order by property_name, unit_name, property_unit_id
)`

/** Selects what was received in a year, by unit; units without anything are left out. */
export function selectAnnualBooks(db: Db, userId: UserId, { year, from, to, heldOn }: Year) {
  const parts = [withManagedAgreements(userId), toMoved({ from, to }), toHeld(heldOn), rows]
  return selectReport<AnnualBooks>(db, parts, {
    year: sql<string>`${year}::text`,
    rows: listRows<AnnualBooksRow>(),
    ...toSums(sums),
  })
}
