import { sql } from 'kysely'
import { taxDay } from '../books/payments/tds'
import { unitPropertyName } from '../listing/properties/queries'
import { joinUnit } from './fragments'

type Period = { from: string; to: string }

/**
 * The postings that people made after a year had ended and that count in it: payments, refunds, rents, their credits, and
 * what takes payments and refunds back, on the day of what it takes back.
 */
export const withChanges = ({ from, to }: Period) => sql`changes as (
  select to_char(changed.posted_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as changed_on,
    changed.day::text as counts_on, changed.kind,
    u.id as property_unit_id, ${unitPropertyName} as property_name, u.unit_name,
    agreement.id as agreement_id, agreement.agreement_number, changed.charge_id, changed.payment_id,
    changed.receipt_number, case when changed.is_of_year then changed.amount else 0 end as amount,
    case when changed.is_tax_of_year then changed.tds_amount else 0 end as tds_amount
  from (
    select *, day between ${from}::date and ${to}::date as is_of_year,
      tax_day between ${from}::date and ${to}::date as is_tax_of_year
    from (
      select journal.agreement_id, journal.id, journal.posted_at, journal.kind, journal.charge_id, journal.payment_id,
        payment.receipt_number, coalesce(charge.due_date, undone.effective_on, journal.effective_on) as day,
        case when payment.tds_amount > 0 then ${taxDay} end as tax_day,
        coalesce(sum(line.debit - line.credit) filter (where line.account in ('bank', 'cash', 'receivable')), 0) as amount,
        coalesce(sum(line.debit - line.credit) filter (where line.account = 'tds_receivable'), 0) as tds_amount
      from managed_agreements join journals journal using (agreement_id)
      join journal_lines line on line.journal_id = journal.id
      left join journals undone on undone.id = journal.reverses_id
      left join charges charge on charge.id = journal.charge_id
      left join payments payment on payment.id = journal.payment_id
      where journal.posted_at >= (${to}::date + 1)::timestamp at time zone 'Asia/Kolkata'
        and journal.actor_id is not null and (journal.kind in ('payment', 'refund') or undone.kind in ('payment', 'refund')
          or (journal.kind in ('charge', 'credit') or undone.kind = 'credit') and charge.type = 'rent')
      group by journal.id, payment.id, undone.id, charge.id
    ) posted
  ) changed
  join agreements agreement on agreement.id = changed.agreement_id
  ${joinUnit}
  where changed.is_of_year or changed.is_tax_of_year
  order by changed.posted_at, changed.id
)`
