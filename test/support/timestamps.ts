/** The times of a row that a test inserts by itself. */
export const toTimestamps = (now = new Date()) => ({ created_at: now, updated_at: now })

/** Lets hand-written statements that fill a database leave these times out. */
export const DEFAULT_TIMES = `
  do $$
  declare statement text;
  begin
    for statement in
      select format('alter table %I alter %I set default now()', table_name, column_name)
      from information_schema.columns
      where table_schema = 'public' and column_name in ('created_at', 'updated_at')
    loop
      execute statement;
    end loop;
  end $$`
