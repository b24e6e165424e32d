import { sql } from 'kysely'
import type { Words } from '../../messages'
import { creditLabels, methodLabels } from '../../messages/labels'

/** As long as a charge's description, so that the lines of a PDF are bounded. */
const MAX_REASON_LENGTH = 255

const toLabel = (column: string, labels: Record<string, Words>) => {
  const cases = Object.entries(labels).map(
    ([value, [label]]) => sql`when ${sql.lit(value)} then ${sql.lit(label)}`,
  )
  return sql`case ${sql.ref(column)} ${sql.join(cases, sql` `)} end`
}

/** A date as `5 Jan 2027`. */
const toDay = (column: string) => sql`to_char(${sql.ref(column)}, 'FMDD Mon YYYY')`

/** Rupees as `₹1,23,456.50`. */
const toRupees = (column: string) => sql`'₹' || to_char(${sql.ref(column)}, 'FM9,99,99,99,99,990.00')`

const period = sql`${toDay('charge.period_start')} || ' – ' || ${toDay('charge.period_end')}`

/** Null without a charge. */
const charge = sql`charge.description || coalesce(', ' || ${period}, '')`

const receipt = sql`'receipt ' || payment.receipt_number`

const creditReason = sql`coalesce(${toLabel('journal.reason', creditLabels)}, 'correction')`

const paymentMethod = sql`concat_ws(' ', ${toLabel('payment.method', methodLabels)}, payment.reference)`

const withTax = sql`case when payment.tds_amount > 0 then 'with TDS of ' || ${toRupees('payment.tds_amount')} end`

/** Says in English what a line is, of the tables `journal`, `charge` and `payment`. `concat_ws` leaves out what is null. */
export const lineDescription = sql<string>`case journal.kind
  when 'charge' then ${charge}
  when 'credit' then 'Credit, ' || ${creditReason} || ': ' || ${charge}
  when 'payment' then case
    when payment.amount = 0 then 'Tax withheld (TDS), ' || ${receipt}
    else concat_ws(', ', 'Payment by ' || ${paymentMethod}, ${receipt}, ${withTax})
  end
  when 'refund' then concat_ws(', ', 'Advance paid back', journal.reference, 'from ' || ${receipt})
  when 'settlement' then concat_ws(': ', 'Settled from the deposit', ${charge})
  when 'reversal' then
    concat_ws(': ', 'Payment taken back, ' || ${receipt}, left(payment.reversal_reason, ${sql.lit(MAX_REASON_LENGTH)}))
end`
