import { sql } from 'kysely'
import type { Language } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
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

/** A rent and what one tenant paid of it, in rupees; the days are those of the payments. */
export type PaidRent = {
  description: string
  period_start: string | null
  period_end: string | null
  due_date: string
  rent: number
  paid: number
  paid_on: string[]
  receipts: string[]
}

type GivenRents = { agreementId: number; payerId: number; from: string; to: string; language: Language }

/** A rent is of the year in which its period begins. */
export const selectRentsPaid = (
  _: Db,
  { agreementId, payerId, from, to, language }: GivenRents,
) => sql<PaidRent>`
  select ${describeCharge('charge', language)} as description, charge.period_start::text, charge.period_end::text, charge.due_date::text,
    (charge.amount - charge.amount_credited)::float8 as rent, sum(allocation.amount)::float8 as paid,
    array_agg(distinct payment.paid_on::text order by payment.paid_on::text) as paid_on,
    array_agg(distinct payment.receipt_number order by payment.receipt_number) as receipts
  from charges charge
  join payment_allocations allocation on allocation.charge_id = charge.id
  join payments payment on payment.id = allocation.payment_id
  where charge.agreement_id = ${agreementId} and charge.type = 'rent' and payment.payer_id = ${payerId}
    and coalesce(charge.period_start, charge.due_date) between ${from}::date and ${to}::date
  group by charge.id order by coalesce(charge.period_start, charge.due_date), charge.id`
