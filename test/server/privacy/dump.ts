import { sql } from 'kysely'
import { getKysely, type EntityManager } from '../../../db/database'

type Found = { table: string; column: string; text: string }

/** Every value of every table of every schema, as text; bytes as what they say. */
export async function dump(em: EntityManager) {
  const db = getKysely(em)
  const values: Found[] = []
  const { rows: tables } = await sql<{
    schema: string
    name: string
  }>`select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1, 2`.execute(
    db,
  )
  for (const { schema, name } of tables) {
    const { rows } = await sql<{
      row: Record<string, unknown>
    }>`select row_to_json(t) as row from ${sql.table(`${schema}.${name}`)} t`.execute(db)
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row)) {
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        values.push({
          table: schema === 'public' ? name : `${schema}.${name}`,
          column,
          text: text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('latin1') : text,
        })
      }
  }
  return {
    /** The columns that have a value which is this and no more. */
    holding: (text: string) =>
      [
        ...new Set(
          values.filter(value => value.text === text).map(({ table, column }) => `${table}.${column}`),
        ),
      ].toSorted(),
    /** The columns in which one of these texts stands, whatever its case. */
    where: (...texts: string[]) =>
      [
        ...new Set(
          values
            .filter(({ text }) => texts.some(sought => text.toLowerCase().includes(sought.toLowerCase())))
            .map(({ table, column }) => `${table}.${column}`),
        ),
      ].toSorted(),
  }
}
