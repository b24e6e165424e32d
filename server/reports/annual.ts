import { sql } from 'kysely'
import { yearlySums, type AnnualBooks, type AnnualBooksRow, type BookChange } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import { toSettled } from '../books/ledger/settled'
import { taxDay } from '../books/payments/tds'
import type { UserId } from '../http/reads/reader'
import { unitPropertyName } from '../listing/properties/queries'
import { withChanges } from './annual-changes'
import { joinUnit, listRows, selectReport, toSums, withManagedAgreements } from './fragments'

/** A fiscal year, today, and the day of its deposits: its last one, or today in a year that is not over. */
export type Year = { year: string; from: string; to: string; today: string; heldOn: string }

const sums = Object.keys(yearlySums) as (keyof typeof yearlySums)[]

/** What a charge is settled for. */
const purpose = sql`case charge.type when 'rent' then 'rent_received' when 'deposit' then 'for_deposits' else 'for_others' end`

/**
 * What counts in which sum on which day, as it is known today: payments that stand on their own days, and their tax in
 * the year of the rent. An advance is used on the day on which it settles; one from before the books did not grow in
 * them. A refund that was taken back counts in no year.
 */
const toFacts = (today: string) => sql`facts (agreement_id, name, day, amount) as materialized (
  select agreement_id, 'rent_due', charge.due_date, charge.amount - charge.amount_credited
  from managed_agreements join charges charge using (agreement_id)
  where charge.type = 'rent' and charge.due_date <= ${today}::date
  union all
  select agreement_id, fact.* from managed_agreements join payments payment using (agreement_id)
  cross join lateral (values
    ('received', payment.paid_on, payment.amount), ('advances', payment.paid_on, payment.amount + payment.tds_amount),
    ('tds', case when payment.tds_amount > 0 then ${taxDay} end, payment.tds_amount)
  ) fact
  where payment.status = 'posted' and payment.source = 'manual'
  union all
  select settled.agreement_id, fact.* from ${toSettled(sql`managed_agreements`)} settled
  join charges charge on charge.id = settled.charge_id
  cross join lateral (values
    (${purpose}, day, settled.amount), ('advances', day, -settled.amount),
    ('deposits_held', day, case charge.type when 'deposit' then settled.amount end)
  ) fact
  union all
  select journal.agreement_id, fact.name, journal.effective_on, fact.amount
  from managed_agreements join journals journal using (agreement_id)
  join journal_lines line on line.journal_id = journal.id
  left join charges charge on charge.id = journal.charge_id
  left join refunds refund on refund.id = journal.refund_id
  cross join lateral (values
    (${purpose}, case journal.kind when 'settlement' then line.credit end, 'receivable'),
    ('from_deposit', case journal.kind when 'settlement' then line.credit end, 'receivable'),
    ('deposits_held', line.credit - line.debit, 'deposit_held'),
    ('refunded', case journal.kind when 'refund' then line.debit end, 'advance'),
    ('advances', case when journal.kind <> 'opening' then line.credit - line.debit end, 'advance'),
    ('moved', case journal.kind when 'transfer' then line.debit end, line.account)
  ) fact (name, amount, account)
  where journal.kind in ('settlement', 'refund', 'transfer', 'opening') and refund.status is distinct from 'reversed'
    and fact.account = line.account
    and line.account in ('receivable', 'deposit_held', 'advance')
)`

const toRows = ({ from, to, heldOn }: Year) => sql`rows as (
  select * from (
    select u.id as property_unit_id, ${unitPropertyName} as property_name, u.unit_name, ${sql.join(
      sums.map(
        name =>
          sql`coalesce(sum(fact.amount) filter (where fact.name = ${sql.lit(name)}), 0) as ${sql.ref(name)}`,
      ),
    )}
    from facts fact join agreements agreement on agreement.id = fact.agreement_id
    ${joinUnit}
    where fact.day between ${from}::date and ${to}::date and fact.name <> 'deposits_held'
      or fact.day <= ${heldOn}::date and fact.name = 'deposits_held'
    group by u.id, p.id
  ) unit
  where ${sql.join(
    sums.map(name => sql`${sql.ref(name)} <> 0`),
    sql` or `,
  )}
  order by property_name, unit_name, property_unit_id
)`

/** Selects what is due and was received in a year, by unit; units without anything are left out. */
export function selectAnnualBooks(db: Db, userId: UserId, year: Year) {
  const parts = [withManagedAgreements(db, userId), toFacts(year.today), withChanges(year), toRows(year)]
  return selectReport<AnnualBooks>(db, parts, {
    year: sql<string>`${year.year}::text`,
    as_of: sql<string>`${year.today}::text`,
    rows: listRows<AnnualBooksRow>(),
    ...toSums(sums),
    changes: sql<BookChange[]>`(select coalesce(json_agg(changes), '[]') from changes)`,
  })
}
