-- What the entities cannot say. Changed by hand.

-- What is posted stays. For each row: a sharded engine may not fire the triggers of a statement.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed or removed', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger "journals_stay" before update or delete on "journals" for each row execute function refuse_change();
create trigger "journals_stay_whole" before truncate on "journals" for each statement execute function refuse_change();
create trigger "journal_lines_stay" before update or delete on "journal_lines" for each row execute function refuse_change();
create trigger "journal_lines_stay_whole" before truncate on "journal_lines" for each statement execute function refuse_change();

-- When its transaction commits, a journal balances, and has its predecessor at the position before. A plan that a
-- session makes while the table is small, and keeps, must not read all of it: hence no sequential scan.
create function require_balanced_journal() returns trigger language plpgsql set enable_seqscan = off as $$
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
end $$;
create constraint trigger "journals_balance" after insert on "journals" deferrable initially deferred for each row execute function require_balanced_journal();
create constraint trigger "journal_lines_balance" after insert on "journal_lines" deferrable initially deferred for each row execute function require_balanced_journal();
