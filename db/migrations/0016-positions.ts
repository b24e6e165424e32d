import { balanceFunction } from './0013-book-tables'
import { OnlineMigration } from './online-migration'

const columns = ['advance_amount']

/** A journal needs its predecessor too, at the position before, when its transaction commits. */
const gaplessFunction = `create or replace function require_balanced_journal() returns trigger language plpgsql set enable_seqscan = off as $$
  declare
    checked int;
  begin
    if tg_table_name = 'journal_lines' then
      checked := new.journal_id;
    else
      checked := new.id;
      if new.position <> 1 and not exists (
        select from journals where agreement_id = new.agreement_id and position = new.position - 1
      ) then
        raise exception 'Journal % has no predecessor: positions have no gaps', checked using errcode = 'check_violation';
      end if;
    end if;
    if (select sum(debit) = sum(credit) from journal_lines where journal_id = checked) is not true then
      raise exception 'The lines of journal % do not sum to zero', checked using errcode = 'check_violation';
    end if;
    return null;
  end $$`

/** Positions of journals without gaps, and what an advance pays of the deductions of a settlement. */
export class Positions extends OnlineMigration {
  override async up() {
    await this.runWithShortLock(
      gaplessFunction,
      `alter table "deposit_settlements" add column if not exists "advance_amount" numeric(20,2) not null default 0`,
    )
    await this.restoreColumns('deposit_settlements', 'deposit_settlements_advance', columns)
  }

  override async down() {
    await this.runInOneTransaction(
      balanceFunction,
      ...(await this.archiveColumns('deposit_settlements', 'deposit_settlements_advance', columns)),
    )
  }
}
