import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { DepositSettlement as SettlementView } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { toIsoTimestamp, type Db, type EntityManager } from '../../db/database'
import { selectVisibleAgreement } from '../agreements/queries'
import { toSelection, type ColumnsOf } from '../domain/columns'
import type { RecordId } from '../domain/record-id'
import type { UserIdExpression } from '../http/authentication'

const deducted = sql<number>`(
  select coalesce(sum(d.amount), 0) from jsonb_to_recordset(s.deductions) as d (amount numeric)
)`

const settlementColumns: ColumnsOf<SettlementView> = {
  id: 's.id',
  settlement_id: 's.settlement_id',
  agreement_id: 's.agreement_id',
  status: 's.status',
  deductions: 's.deductions',
  held_amount: 's.held_amount',
  open_rent: 's.open_rent',
  deducted_amount: deducted,
  advance_amount: 's.advance_amount',
  refund_amount: 's.refund_amount',
  owed_amount: sql<number>`greatest(s.open_rent + ${deducted} - s.advance_amount - s.held_amount, 0)`,
  refund_method: 's.refund_method',
  reference: 's.reference',
  dispute_reason: 's.dispute_reason',
  decided_by_id: 's.decided_by_id',
  decided_at: toIsoTimestamp(sql.ref('s.decided_at')),
  posted_at: toIsoTimestamp(sql.ref('s.posted_at')),
  created_at: toIsoTimestamp(sql.ref('s.created_at')),
}

/** Selects the deposit of an agreement that a user manages or is a party of. */
export function selectDeposit(db: Db, userId: UserIdExpression, id: RecordId) {
  return selectVisibleAgreement(db, userId, id)
    .leftJoin('ledgers as l', 'l.agreement_id', 'a.id')
    .leftJoinLateral(selectMoved(db), join => join.onTrue())
    .select(e => [
      'a.id as agreement_id',
      sql<number>`coalesce(a.deposit_amount, 0)`.as('agreed'),
      sql<number>`coalesce(l.deposit_held, 0)`.as('held'),
      sql<number>`coalesce(moved.deducted, 0)`.as('deducted'),
      sql<number>`coalesce(moved.refunded, 0)`.as('refunded'),
      sql<number>`coalesce(moved.from_previous, 0)`.as('from_previous'),
      sql<number>`coalesce(moved.to_next, 0)`.as('to_next'),
      jsonObjectFrom(
        db
          .selectFrom('deposit_settlements as s')
          .where('s.agreement_id', '=', e.ref('a.id'))
          .select(toSelection(settlementColumns)),
      ).as('settlement'),
    ])
}

/** Sums what the postings took from the deposit and brought to it. */
function selectMoved(db: Db) {
  return db
    .selectFrom('journals as j')
    .innerJoin('journal_lines as line', 'line.journal_id', 'j.id')
    .where('j.agreement_id', '=', sql<number>`a.id`)
    .where('j.kind', 'in', ['settlement', 'transfer'])
    .where('line.account', '=', 'deposit_held')
    .select([
      sql<number>`sum(line.debit) filter (where j.kind = 'settlement' and j.charge_id is not null)`.as(
        'deducted',
      ),
      sql<number>`sum(line.debit) filter (where j.kind = 'settlement' and j.charge_id is null)`.as(
        'refunded',
      ),
      sql<number>`sum(line.credit) filter (where j.kind = 'transfer')`.as('from_previous'),
      sql<number>`sum(line.debit) filter (where j.kind = 'transfer')`.as('to_next'),
    ])
    .as('moved')
}

/** Reads a settlement back in the transaction that changed it. */
export async function loadSettlementView(em: EntityManager, id: number): Promise<SettlementView> {
  const [view] = await executeCompiled(em, selectSettlementView, { id })
  return view!
}

function selectSettlementView(db: Db, { id }: { id: number }) {
  return db
    .selectFrom('deposit_settlements as s')
    .where('s.id', '=', id)
    .select(toSelection(settlementColumns))
}
