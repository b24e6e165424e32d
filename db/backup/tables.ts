import type { Client } from 'pg'
import { SCHEMA_LOCK, waitForSchemaLock } from '../migrate'

/** A table of schema `public`; `references` holds the other tables of its foreign keys. */
export type TableInfo = { name: string; columns: string[]; primaryKey: string[]; references: string[] }

const SELECT_TABLES = `
  select
    c.relname as name,
    array(
      select a.attname::text
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum
    ) as columns,
    array(
      select a.attname::text
      from pg_index i, unnest(i.indkey) with ordinality k (attnum, n)
      join pg_attribute a on a.attnum = k.attnum
      where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid
      order by k.n
    ) as "primaryKey",
    array(
      select distinct r.relname::text
      from pg_constraint f
      join pg_class r on r.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
    ) as "references"
  from pg_class c
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  order by 1`

/** Lists the tables, each after the tables that it references. */
export async function listTables(client: Client): Promise<TableInfo[]> {
  const { rows: tables } = await client.query<TableInfo>(SELECT_TABLES)
  const sorted: TableInfo[] = []
  const sortedNames = new Set<string>()
  while (sorted.length < tables.length) {
    const next = tables.filter(
      table => !sortedNames.has(table.name) && table.references.every(name => sortedNames.has(name)),
    )
    if (next.length === 0) throw new Error('The foreign keys of the tables form a circle')
    sorted.push(...next)
    for (const { name } of next) sortedNames.add(name)
  }
  return sorted
}

export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

export const quoteIdentifiers = (names: string[]) => names.map(quoteIdentifier).join(', ')

const lockFunctions = {
  shared: 'pg_try_advisory_lock_shared',
  exclusive: 'pg_try_advisory_lock',
}

/** Waits for the schema lock; the connection holds it until it ends. A migration needs it exclusively. */
export function lockSchema(client: Client, mode: keyof typeof lockFunctions) {
  return waitForSchemaLock(async () => {
    const { rows } = await client.query<{ is_locked: boolean }>(
      `select ${lockFunctions[mode]}(${SCHEMA_LOCK}) as is_locked`,
    )
    return rows[0]!.is_locked
  })
}
