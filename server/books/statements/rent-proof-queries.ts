import { sql } from 'kysely'
import type { Db } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
import type { RentProofData } from '../../documents/data'
import type { RecordId } from '../../http/record-id'
import type { UserId } from '../../http/reads/reader'
import { describeCharge } from '../charges/descriptions'
import { toSettled } from '../ledger/settled'

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
 * Sums what stands of a year's payments today, by rent. What the deposit settles is paid by all tenants in equal parts,
 * to the paisa.
 */
export const selectRentsPaid = (
  _: Db,
  { agreementId, payerId, payers, position, from, to, words }: GivenRents,
) => sql<PaidRent>`
  with parts as (
    select charge_id, payment_id, day, amount as paid
    from ${toSettled(sql`(select ${agreementId}::int as agreement_id) lease`)} settled
    union all
    select journal.charge_id, null, journal.effective_on,
      round(line.credit * ${position}::int / ${payers}::int, 2)
        - round(line.credit * (${position}::int - 1) / ${payers}::int, 2)
    from journals journal join journal_lines line on line.journal_id = journal.id and line.account = 'receivable'
    where journal.agreement_id = ${agreementId} and journal.kind = 'settlement'
  )
  select ${describeCharge('charge', words)} as description, charge.period_start::text, charge.period_end::text, charge.due_date::text,
    (charge.amount - charge.amount_credited)::float8 as rent, sum(part.paid)::float8 as paid,
    array_agg(distinct coalesce(payment.paid_on, part.day)::text order by coalesce(payment.paid_on, part.day)::text)
      as paid_on,
    coalesce(array_agg(distinct payment.receipt_number order by payment.receipt_number)
      filter (where payment.receipt_number is not null), '{}') as receipts,
    bool_or(payment.id is null) as is_from_deposit
  from parts part join charges charge on charge.id = part.charge_id
  left join payments payment on payment.id = part.payment_id
  where charge.type = 'rent' and part.day between ${from}::date and ${to}::date
    and coalesce(payment.payer_id, ${payerId}) = ${payerId}
  group by charge.id order by coalesce(charge.period_start, charge.due_date), charge.id`
