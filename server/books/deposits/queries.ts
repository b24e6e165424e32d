import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { DepositSettlement as SettlementView } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import { toIsoTimestamp, type Db, type EntityManager } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
import { toSelection, type ColumnsOf } from '../../domain/columns'
import type { RecordId } from '../../domain/record-id'
import type { UserId } from '../../http/reads/reader'

const deducted = sql<number>`(
  select coalesce(sum(deduction.amount), 0) from jsonb_to_recordset(settlement.deductions) as deduction (amount numeric)
)`

const settlementColumns: ColumnsOf<SettlementView> = {
  id: 'settlement.id',
  settlement_id: 'settlement.settlement_id',
  agreement_id: 'settlement.agreement_id',
  status: 'settlement.status',
  deductions: 'settlement.deductions',
  held_amount: 'settlement.held_amount',
  open_rent: 'settlement.open_rent',
  deducted_amount: deducted,
  advance_amount: 'settlement.advance_amount',
  refund_amount: 'settlement.refund_amount',
  owed_amount: sql<number>`greatest(settlement.open_rent + ${deducted} - settlement.advance_amount - settlement.held_amount, 0)`,
  refund_method: 'settlement.refund_method',
  reference: 'settlement.reference',
  dispute_reason: 'settlement.dispute_reason',
  decided_by_id: 'settlement.decided_by_id',
  decided_at: toIsoTimestamp(sql.ref('settlement.decided_at')),
  posted_at: toIsoTimestamp(sql.ref('settlement.posted_at')),
  created_at: toIsoTimestamp(sql.ref('settlement.created_at')),
}

/** Selects the deposit of an agreement that a user manages or is a party of. */
export function selectDeposit(db: Db, userId: UserId, id: RecordId) {
  return selectVisibleAgreement(db, userId, id)
    .leftJoin('ledgers as ledger', 'ledger.agreement_id', 'a.id')
    .leftJoinLateral(selectDepositMovements(db), join => join.onTrue())
    .select(e => [
      'a.id as agreement_id',
      sql<number>`coalesce(a.deposit_amount, 0)`.as('agreed'),
      sql<number>`coalesce(ledger.deposit_held, 0)`.as('held'),
      sql<number>`coalesce(moved.deducted, 0)`.as('deducted'),
      sql<number>`coalesce(moved.refunded, 0)`.as('refunded'),
      sql<number>`coalesce(moved.from_previous, 0)`.as('from_previous'),
      sql<number>`coalesce(moved.to_next, 0)`.as('to_next'),
      jsonObjectFrom(
        db
          .selectFrom('deposit_settlements as settlement')
          .where('settlement.agreement_id', '=', e.ref('a.id'))
          .select(toSelection(settlementColumns)),
      ).as('settlement'),
    ])
}

/** Sums what the postings took from the deposit and brought to it. */
function selectDepositMovements(db: Db) {
  return db
    .selectFrom('journals as journal')
    .innerJoin('journal_lines as line', 'line.journal_id', 'journal.id')
    .where('journal.agreement_id', '=', sql<number>`a.id`)
    .where('journal.kind', 'in', ['settlement', 'transfer'])
    .where('line.account', '=', 'deposit_held')
    .select([
      sql<number>`sum(line.debit) filter (where journal.kind = 'settlement' and journal.charge_id is not null)`.as(
        'deducted',
      ),
      sql<number>`sum(line.debit) filter (where journal.kind = 'settlement' and journal.charge_id is null)`.as(
        'refunded',
      ),
      sql<number>`sum(line.credit) filter (where journal.kind = 'transfer')`.as('from_previous'),
      sql<number>`sum(line.debit) filter (where journal.kind = 'transfer')`.as('to_next'),
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
    .selectFrom('deposit_settlements as settlement')
    .where('settlement.id', '=', id)
    .select(toSelection(settlementColumns))
}
