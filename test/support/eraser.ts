/** So many dead rows make the scans of the next files slow: autovacuum is off in the tests' cluster. */
const MAX_DEAD_ROWS = 2000

/** Empties a database between two files, and tells what still runs in it. */
export async function createEraser(url: string) {
  const sql = new Bun.SQL(url, { max: 1, idleTimeout: 0 })
  const tables = await sql<{ name: string }[]>`
    select quote_ident(tablename) as name from pg_tables
    where schemaname = 'public' and tablename <> 'mikro_orm_migrations'`
  // Only as a replica's session do the triggers stand by that keep journals as they are.
  const statements = [
    'begin',
    'set local session_replication_role = replica',
    ...tables.map(({ name }) => `delete from ${name}`),
    'commit',
  ]
  const deletion = statements.join(';\n')
  const schema = await readSchema(sql)
  let deadRows = 0

  return {
    async erase() {
      const results: { count: number }[] = await sql.unsafe(deletion).simple()
      deadRows += results.reduce((sum, { count }) => sum + (count ?? 0), 0)
      if (deadRows < MAX_DEAD_ROWS) return
      await sql.unsafe(`vacuum ${tables.map(({ name }) => name).join()}`)
      deadRows = 0
    },

    /** Whether a test has left a table, an index, a trigger, a constraint or a function, or none of one. */
    hasChangedSchema: async () => (await readSchema(sql)) !== schema,

    /** Describes a statement or transaction that is under way. */
    async findRunningStatement() {
      const [running] = await sql<{ query: string }[]>`
        select query from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
          and state <> 'idle'`
      return running && `this statement or its transaction is under way: ${running.query}`
    },

    close: () => sql.end(),
  }
}

/** Every change of the schema writes a row of a catalog, which so gets a new transaction id. */
async function readSchema(sql: Bun.SQL) {
  const catalogs = ['namespace', 'class', 'attribute', 'constraint', 'trigger', 'proc']
  const sums = catalogs.map(name => `(select sum(xmin::text::bigint) from pg_${name})`)
  const [row] = await sql.unsafe(`select concat_ws(' ', ${sums.join()}) as schema`)
  return row.schema as string
}
