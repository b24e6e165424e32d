import { toFillScript } from './fill-rows'
import { getLayout } from './layout'
import { DEFAULT_TIMES } from '../support/timestamps'

/**
 * Fills a migrated, empty database. Its indexes and unique constraints are dropped before and made again afterwards,
 * which takes a third of the time.
 */
export async function fill(sql: Bun.SQL, owned: number) {
  const script = toFillScript(getLayout(owned))
  const tables = [...script.matchAll(/insert into (\w+)/g)].map(([, table]) => table!)
  await sql.unsafe(DEFAULT_TIMES)
  await sql.begin(async tx => {
    await tx.unsafe(`
      set local session_replication_role = replica;
      set local maintenance_work_mem = '512MB';
      set local max_parallel_maintenance_workers = 2`)
    const indexes = await listIndexes(tx, tables)
    for (const { drop } of indexes) await tx.unsafe(drop)
    await tx.unsafe(script)
    await advanceIds(tx, tables)
    for (const { restore } of indexes) await tx.unsafe(restore)
  })
  await sql.unsafe('vacuum analyze')
}

const listIndexes = (
  tx: Bun.TransactionSQL,
  tables: string[],
): Promise<{ drop: string; restore: string }[]> => {
  const names = tables.map(table => `'${table}'::regclass`).join(', ')
  return tx.unsafe(`
    select
      format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format(
        'alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)
      ) as restore
    from pg_constraint
    where contype in ('u', 'x') and conrelid in (${names})
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    from pg_index
    where indrelid in (${names})
      and not exists (select from pg_constraint where conindid = indexrelid)`)
}

async function advanceIds(tx: Bun.TransactionSQL, tables: string[]) {
  const withId: { name: string }[] = await tx`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'id'`
  for (const { name } of withId)
    if (tables.includes(name))
      await tx.unsafe(`select setval(pg_get_serial_sequence('${name}', 'id'), (select max(id) from ${name}))`)
}
