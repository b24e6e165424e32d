import { sql } from 'kysely'
import type { Db } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
import type { RentProofData } from '../../documents/data'
import type { RecordId } from '../../http/record-id'
import type { UserId } from '../../http/reads/reader'
import { describeCharge } from '../charges/descriptions'

/** Selects the reader as the tenant of a visible agreement; null for the landlord's side. */
export function selectRentPayer(db: Db, userId: UserId, id: RecordId) {
  return selectVisibleAgreement(db, userId, id)
    .leftJoin('agreement_tenants as own', join =>
      join.onRef('own.agreement_id', '=', 'a.id').on('own.tenant_id', '=', userId),
    )
    .select(['a.id as agreement_id', 'own.tenant_id'])
}

/** A rent and what one tenant paid of it; the days are those of the payments and of the settlement. */
export type PaidRent = RentProofData['rents'][number]

type GivenRents = {
  agreementId: number
  payerId: number
  /** The tenants of the lease, and the position of the payer among them, from 1. */
  payers: number
  position: number
  from: string
  to: string
  words: string
}

/**
 * Sums the postings that are effective in a year: what was taken back in it is subtracted. What the deposit settles is
 * paid by all tenants in equal parts, to the paisa.
 */
export const selectRentsPaid = (
  _: Db,
  { agreementId, payerId, payers, position, from, to, words }: GivenRents,
) => sql<PaidRent>`
  with parts as (
    select journal.charge_id, journal.payment_id, max(journal.effective_on) as day, sum(
      case journal.kind when 'settlement'
        then round(line.credit * ${position}::int / ${payers}::int, 2)
          - round(line.credit * (${position}::int - 1) / ${payers}::int, 2)
        else line.credit - line.debit end
    ) as paid
    from journals journal join journal_lines line on line.journal_id = journal.id and line.account = 'receivable'
    where journal.agreement_id = ${agreementId} and journal.kind in ('allocation', 'reversal', 'settlement')
      and journal.effective_on between ${from}::date and ${to}::date
    group by journal.charge_id, journal.payment_id
  )
  select ${describeCharge('charge', words)} as description, charge.period_start::text, charge.period_end::text, charge.due_date::text,
    (charge.amount - charge.amount_credited)::float8 as rent, sum(part.paid)::float8 as paid,
    array_agg(distinct coalesce(payment.paid_on, part.day)::text order by coalesce(payment.paid_on, part.day)::text)
      as paid_on,
    coalesce(array_agg(distinct payment.receipt_number order by payment.receipt_number)
      filter (where payment.id is not null), '{}') as receipts,
    bool_or(payment.id is null) as is_from_deposit
  from parts part join charges charge on charge.id = part.charge_id
  left join payments payment on payment.id = part.payment_id
  where charge.type = 'rent' and part.paid <> 0 and coalesce(payment.payer_id, ${payerId}) = ${payerId}
  group by charge.id order by coalesce(charge.period_start, charge.due_date), charge.id`
