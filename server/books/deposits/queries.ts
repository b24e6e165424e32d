import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { DepositSettlement } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { selectVisibleAgreement } from '../../leases/queries'
import { toColumns } from '../../domain/fields'
import type { RecordId } from '../../http/record-id'
import type { UserId } from '../../http/reads/reader'
import { ANSWER_DAYS } from './settlement'

const deducted = sql<number>`(
  select coalesce(sum(deduction.amount), 0) from jsonb_to_recordset(settlement.deductions) as deduction (amount numeric)
)`

const settlementColumns = toColumns('deposit_settlements as settlement', DepositSettlement, {
  deducted_amount: deducted,
  unanswered_from: sql<string | null>`(
    select case when settlement.status = 'proposed' and count(*) = count(told_at)
      then to_char((max(told_at) at time zone 'Asia/Kolkata')::date + ${sql.lit(ANSWER_DAYS)}, 'YYYY-MM-DD') end
    from agreement_tenants tenant left join lateral (
      select min(updated_at) as told_at from messages_out where user_id = tenant_id and state = 'sent'
        and starts_with(dedupe_key, 'settlement:' || settlement.settlement_id || ':')
    ) told on true
    where tenant.agreement_id = settlement.agreement_id
  )`,
  owed_amount: sql<number>`greatest(
    settlement.open_rent + ${deducted} - settlement.advance_amount - settlement.held_amount, 0
  )`,
})

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
          .select(settlementColumns),
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

/** Selects a settlement in the transaction that changed it. */
export function selectSettlement(db: Db, _: UserId, { id }: { id: number }) {
  return db
    .selectFrom('deposit_settlements as settlement')
    .where('settlement.id', '=', id)
    .select(settlementColumns)
}
