import { sql, type Expression } from 'kysely'
import { Charge, type ChargeQuery } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { selectVisibleIds } from '../../leases/queries'
import { toColumns } from '../../domain/fields'
import { hasId, type RecordId } from '../../http/record-id'
import type { UserId } from '../../http/reads/reader'
import { describeCharge } from './descriptions'

/** What is left to pay of a `charge`. */
export const outstanding = sql<number>`(charge.amount - charge.amount_paid - charge.amount_credited)`

/** The status of a charge on a day in India. */
const toChargeStatus = (today: string) => sql<Charge['status']>`case
  when ${outstanding} = 0 then case when charge.amount_paid > 0 then 'paid' else 'credited' end
  when charge.due_date > ${today}::date then 'upcoming'
  when charge.due_date = ${today}::date then 'due'
  else 'overdue'
end`

/** The day in India, and `chargeWords` of the reader's language. */
type Reading = { today: string; words: string }

const toChargeSelection = ({ today, words }: Reading) =>
  toColumns('charges as charge', Charge, {
    description: describeCharge('charge', words),
    amount_outstanding: outstanding,
    status: toChargeStatus(today),
  })

type ChargeFilters = ChargeQuery & Reading

/** Selects a page of the charges of the agreements that a user manages or is a party of. */
export function selectChargePage(db: Db, userId: UserId, filters: ChargeFilters) {
  const { today, agreement_id, property_unit_id, type, status, pending, from, to } = filters
  let charges = selectVisibleCharges(db, userId).select(toChargeSelection(filters))
  if (agreement_id !== undefined) charges = charges.where('charge.agreement_id', '=', agreement_id)
  if (property_unit_id !== undefined)
    charges = charges.where('charge.property_unit_id', '=', property_unit_id)
  if (type !== undefined) charges = charges.where('charge.type', '=', type)
  if (status !== undefined) charges = charges.where(toChargeStatus(today), '=', status)
  if (pending !== undefined) charges = charges.where(isPending(db, today), '=', pending)
  if (from !== undefined) charges = charges.where('charge.due_date', '>=', from)
  if (to !== undefined) charges = charges.where('charge.due_date', '<=', to)
  return charges
}

/** Selects what the dashboard counts: the rents that `type=rent&pending=true` finds. */
export function selectPendingRents(db: Db, visibleIds: Expression<number>, today: string) {
  return selectChargesOf(db, visibleIds)
    .where('charge.type', '=', sql.lit('rent'))
    .where(isPending(db, today))
}

function selectVisibleCharges(db: Db, userId: UserId) {
  return selectChargesOf(db, selectVisibleIds(db, userId))
}

function selectChargesOf(db: Db, agreementIds: Expression<number>) {
  return db.selectFrom('charges as charge').where('charge.agreement_id', '=', agreementIds)
}

/** Whether a charge is due today or before, with something outstanding, of an agreement that is not COMPLETED. */
function isPending(db: Db, today: string) {
  // A scalar, since the planner would join all agreements for an `exists`.
  const status = db
    .selectFrom('agreements as lease')
    .whereRef('lease.id', '=', sql.ref('charge.agreement_id'))
    .select('lease.status')
  return sql<boolean>`(
    charge.amount > charge.amount_paid + charge.amount_credited and charge.due_date <= ${today}::date
    and ${status} in ('ACTIVE', 'TERMINATED')
  )`
}

type OneCharge = { key: RecordId } & Reading

export function selectCharge(db: Db, userId: UserId, { key, ...reading }: OneCharge) {
  return selectVisibleCharges(db, userId)
    .where(hasId('charge', 'charge_id', key))
    .select(toChargeSelection(reading))
}
