import { sql } from 'kysely'
import type { Charge as ChargeView, ChargeQuery } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { toIsoTimestamp, type Db, type EntityManager } from '../../db/database'
import { getAgreementId, getUnitId, selectBooksOfUser, type toBookFilters } from '../ledger/queries'
import { toSelection, type ColumnsOf } from '../domain/columns'
import type { RecordId } from '../domain/record-id'
import type { UserIdExpression } from '../http/authentication'

const outstanding = sql<number>`(c.amount - c.amount_paid - c.amount_credited)`

/** The status of a charge on a day in India. */
const toChargeStatus = (today: string) => sql<ChargeView['status']>`case
  when ${outstanding} = 0 then case when c.amount_paid > 0 then 'paid' else 'credited' end
  when c.due_date > ${today}::date then 'upcoming'
  when c.due_date = ${today}::date then 'due'
  else 'overdue'
end`

/** Every field of the response but the status, which depends on the day; the export selects them too. */
export const chargeColumns: ColumnsOf<Omit<ChargeView, 'status'>> = {
  id: 'c.id',
  charge_id: 'c.charge_id',
  agreement_id: 'c.agreement_id',
  property_unit_id: 'c.property_unit_id',
  type: 'c.type',
  description: 'c.description',
  period_start: 'c.period_start',
  period_end: 'c.period_end',
  due_date: 'c.due_date',
  amount: 'c.amount',
  amount_paid: 'c.amount_paid',
  amount_credited: 'c.amount_credited',
  amount_outstanding: outstanding,
  source: 'c.source',
  base_charge_id: 'c.base_charge_id',
  posted_at: toIsoTimestamp(sql.ref('c.posted_at')),
}

const toChargeColumns = (today: string): ColumnsOf<ChargeView> => ({
  ...chargeColumns,
  status: toChargeStatus(today),
})

export type ChargeFilters = ReturnType<typeof toBookFilters<ChargeQuery>> & { today: string }

/** Selects a page of the charges of the agreements that a user manages or is a party of. */
export function selectChargePage(db: Db, userId: UserIdExpression, filters: ChargeFilters) {
  const { today, agreement, unit, type, status, pending, from, to } = filters
  let charges = selectVisibleCharges(db, userId).select(toSelection(toChargeColumns(today)))
  if (agreement) charges = charges.where('c.agreement_id', '=', getAgreementId(db, agreement))
  if (unit) charges = charges.where('c.property_unit_id', '=', getUnitId(db, unit))
  if (type !== undefined) charges = charges.where('c.type', '=', type)
  if (status !== undefined) charges = charges.where(toChargeStatus(today), '=', status)
  if (pending !== undefined) charges = charges.where(isPending(db, today), '=', pending)
  if (from !== undefined) charges = charges.where('c.due_date', '>=', from)
  if (to !== undefined) charges = charges.where('c.due_date', '<=', to)
  return charges
}

/** Selects what the dashboard counts: the rents that `type=rent&pending=true` finds. */
export function selectPendingRents(db: Db, userId: UserIdExpression, today: string) {
  return selectVisibleCharges(db, userId).where('c.type', '=', sql.lit('rent')).where(isPending(db, today))
}

function selectVisibleCharges(db: Db, userId: UserIdExpression) {
  return db.selectFrom('charges as c').where('c.agreement_id', '=', selectBooksOfUser(db, userId))
}

/** Whether a charge is due today or before, with something outstanding, of an agreement that is not COMPLETED. */
function isPending(db: Db, today: string) {
  const unclosed = db
    .selectFrom('agreements as lease')
    .whereRef('lease.id', '=', sql.ref('c.agreement_id'))
    .where('lease.status', 'in', ['ACTIVE', 'TERMINATED'])
    .select('lease.id')
  return sql<boolean>`(
    c.amount > c.amount_paid + c.amount_credited and c.due_date <= ${today}::date and exists ${unclosed}
  )`
}

type OneCharge = { key: RecordId; today: string }

export function selectCharge(db: Db, userId: UserIdExpression, { key, today }: OneCharge) {
  return selectVisibleCharges(db, userId)
    .where(e => ('id' in key ? e('c.id', '=', key.id) : e('c.charge_id', '=', key.uuid)))
    .select(toSelection(toChargeColumns(today)))
}

/** Reads a charge back in the transaction that changed it. */
export async function loadChargeView(
  em: EntityManager,
  given: { id: number; today: string },
): Promise<ChargeView> {
  const [view] = await executeCompiled(em, selectChargeView, given)
  return view!
}

function selectChargeView(db: Db, { id, today }: { id: number; today: string }) {
  return db
    .selectFrom('charges as c')
    .where('c.id', '=', id)
    .select(toSelection(toChargeColumns(today)))
}
