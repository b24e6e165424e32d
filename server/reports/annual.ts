import { sql } from 'kysely'
import type { AnnualBooks, AnnualBooksRow } from '@kiraya/sdk/contract'
import type { Db } from '../../db/database'
import type { UserId } from '../http/reads/reader'
import { unitPropertyName } from '../listing/properties/queries'
import { joinUnit, listRows, selectReport, sumAll, toSums, withManagedAgreements } from './fragments'

/** A fiscal year, and the day as of which its deposits are held: its last one, or today in a year that is not over. */
type Year = { year: string; from: string; to: string; heldOn: string }

const sums = [
  'received',
  'tds',
  'for_rent',
  'for_deposits',
  'for_others',
  'refunded',
  'advances',
  'deposits_held',
] as const

type Period = { from: string; to: string }

const toReceived = ({ from, to }: Period) => sql`received as (
  select payment.agreement_id, sum(payment.amount) as received, sum(payment.tds_amount) as tds,
    sum(payment.refunded_amount) as refunded, sum(payment.unapplied_amount) as advances
  from managed_agreements join payments payment using (agreement_id)
  where payment.paid_on between ${from}::date and ${to}::date and payment.status = 'posted'
  group by payment.agreement_id
)`

const toSettled = ({ from, to }: Period) => sql`settled as (
  select charge.agreement_id, sum(allocation.amount) filter (where charge.type = 'rent') as for_rent,
    sum(allocation.amount) filter (where charge.type = 'deposit') as for_deposits,
    sum(allocation.amount) filter (where charge.type not in ('rent', 'deposit')) as for_others
  from managed_agreements join charges charge using (agreement_id)
  join payment_allocations allocation on allocation.charge_id = charge.id
  join payments payment on payment.id = allocation.payment_id
  where payment.paid_on between ${from}::date and ${to}::date and payment.status = 'posted'
  group by charge.agreement_id
)`

const toHeld = (day: string) => sql`held as (
  select journal.agreement_id, sum(line.credit - line.debit) as deposits_held
  from managed_agreements join journals journal using (agreement_id)
  join journal_lines line on line.journal_id = journal.id and line.account = 'deposit_held'
  where journal.effective_on <= ${day}::date
    and journal.kind in ('allocation', 'reversal', 'settlement', 'transfer')
  group by journal.agreement_id having sum(line.credit - line.debit) > 0
)`

const rows = sql`rows as (
  select u.id as property_unit_id, ${unitPropertyName} as property_name, u.unit_name, ${sumAll(sums)}
  from received full join held using (agreement_id) left join settled using (agreement_id)
  join agreements agreement on agreement.id = coalesce(received.agreement_id, held.agreement_id)
  ${joinUnit}
  group by u.id, p.id
  order by property_name, u.unit_name, u.id
)`

/** Selects what was received in a year, by unit; units of which nothing was received or is held are left out. */
export function selectAnnualBooks(db: Db, userId: UserId, { year, from, to, heldOn }: Year) {
  const period = { from, to }
  const parts = [withManagedAgreements(userId), toReceived(period), toSettled(period), toHeld(heldOn), rows]
  return selectReport<AnnualBooks>(db, parts, {
    year: sql<string>`${year}::text`,
    rows: listRows<AnnualBooksRow>(),
    ...toSums(sums),
  })
}
