import { sql } from 'kysely'
import type { Db } from '../../db/database'
import { selectVisibleAgreement } from '../agreements/queries'
import type { RecordId } from '../domain/record-id'
import type { UserIdExpression } from '../http/authentication'

/** Selects the reader as the tenant of a visible agreement; null for the landlord's side. */
export function selectRentPayer(db: Db, userId: UserIdExpression, id: RecordId) {
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

export type GivenRents = { agreementId: number; payerId: number; from: string; to: string }

/** A rent is of the year in which its period begins. */
export const selectRentsPaid = (_: Db, { agreementId, payerId, from, to }: GivenRents) => sql<PaidRent>`
  select c.description, c.period_start::text, c.period_end::text, c.due_date::text,
    (c.amount - c.amount_credited)::float8 as rent, sum(p.amount)::float8 as paid,
    array_agg(distinct y.paid_on::text order by y.paid_on::text) as paid_on,
    array_agg(distinct y.receipt_number order by y.receipt_number) as receipts
  from charges c
  join payment_allocations p on p.charge_id = c.id
  join payments y on y.id = p.payment_id
  where c.agreement_id = ${agreementId} and c.type = 'rent' and y.payer_id = ${payerId}
    and coalesce(c.period_start, c.due_date) between ${from}::date and ${to}::date
  group by c.id order by coalesce(c.period_start, c.due_date), c.id`
