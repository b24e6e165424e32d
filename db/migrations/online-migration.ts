import { Migration } from '@mikro-orm/migrations'

/** How long a step may wait for a lock, while all who come after it wait with it, and how long it then leaves them alone. */
const LOCK_MS = 150
const PAUSE_MS = 350
const TRIES = 600
/** What holds a lock that stands in the way of requests and takes longer than this is undone instead. */
const BRIEF_MS = 5_000
const BATCH = 2_000

/**
 * A migration for a database that is in use: in small steps, each of which can be cut off and done again.
 * The way back sets tables and columns aside, in the schema of that name, and the way up brings them back from there.
 */
export abstract class OnlineMigration extends Migration {
  override isTransactional() {
    return false
  }

  /** Statements that need a lock which keeps requests out, in one short transaction. They may not read or write a table that can be large. */
  protected async runWithShortLock(...statements: string[]) {
    await this.locking(BRIEF_MS, statements)
  }

  /** The same however long it takes: for the way back, which nobody is served on. */
  protected async runInOneTransaction(...statements: string[]) {
    await this.locking(0, statements)
  }

  private locking = (limitMs: number, statements: string[]) =>
    this.retried(() =>
      this.driver.getConnection().transactional(async tx => {
        for (const statement of [
          `set local lock_timeout = ${LOCK_MS}`,
          `set local statement_timeout = ${limitMs}`,
          ...statements,
        ])
          await this.driver.execute(statement, [], 'all', tx)
      }),
    )

  private async retried<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (!WAITED.includes(codeOf(error)) || tries === TRIES) throw error
        await Bun.sleep(PAUSE_MS)
      }
    }
  }

  /** An index of a table that can be large. One that was cut off while it was made is of no use and made again. */
  protected index = (name: string, definition: string) =>
    this.retried(async () => {
      const [found] = await this.execute(
        `select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass('"${name}"')`,
      )
      if (found?.valid) return
      if (found) await this.execute(`drop index concurrently "${name}"`)
      await this.execute(
        `create ${definition.startsWith('unique ') ? 'unique ' : ''}index concurrently "${name}" on ${definition.replace(/^unique /, '')}`,
      )
    })

  /** A constraint of a table that can be large: what is new obeys it at once, then what is there is looked through. */
  protected async constraint(table: string, name: string, definition: string) {
    if (!(await this.hasConstraint(table, name)))
      await this.runWithShortLock(`alter table "${table}" add constraint "${name}" ${definition} not valid`)
    await this.execute(`alter table "${table}" validate constraint "${name}"`)
  }

  protected async hasConstraint(table: string, name: string, columns?: number) {
    const found = await this.execute(
      `select 1 from pg_constraint where conrelid = to_regclass('"${table}"') and conname = '${name}'${columns ? ` and cardinality(conkey) = ${columns}` : ''}`,
    )
    return found.length > 0
  }

  protected async hasTable(name: string) {
    const [found] = await this.execute(`select to_regclass('${name}') is not null as there`)
    return !!found?.there
  }

  /** Changes a table that can be large a few rows at a time; `t` is the table in `update`. */
  protected async batches(table: string, update: string) {
    const [top] = await this.execute(`select max(id) as id from "${table}"`)
    for (let from = 0; from < (top?.id ?? 0); from += BATCH)
      await this.retried(() =>
        this.execute(`update "${table}" t ${update} and t.id > ${from} and t.id <= ${from + BATCH}`),
      )
  }

  /** Statements that set tables aside, with all that is in them. */
  protected archiveTables = (...tables: string[]) => [
    'create schema if not exists set_aside',
    ...tables.map(table => `alter table if exists "${table}" set schema set_aside`),
  ]

  /** Statements that set columns of a table aside, none where that was done before. */
  protected async columnsAside(table: string, as: string, columns: string[]) {
    const there = await this.execute(
      `select 1 from information_schema.columns where table_schema = 'public' and table_name = '${table}' and column_name = '${columns[0]}'`,
    )
    return there.length === 0
      ? []
      : [
          'create schema if not exists set_aside',
          `lock table "${table}" in access exclusive mode`,
          `drop table if exists set_aside."${as}"`,
          `create table set_aside."${as}" as select id, ${columns.map(column => `"${column}"`).join(', ')} from "${table}"`,
          `alter table set_aside."${as}" add primary key (id)`,
          `alter table "${table}" ${columns.map(column => `drop column "${column}"`).join(', ')}`,
        ]
  }

  protected async bringTables(...tables: string[]) {
    const found = await this.execute(
      `select tablename from pg_tables where schemaname = 'set_aside' and tablename = any ('{${tables}}')`,
    )
    if (found.length)
      await this.runWithShortLock(
        ...found.map(({ tablename }) => `alter table set_aside."${tablename}" set schema public`),
      )
  }

  protected async bringColumns(table: string, as: string, columns: string[]) {
    if (!(await this.hasTable(`set_aside."${as}"`))) return
    await this.batches(
      table,
      `set ${columns.map(column => `"${column}" = s."${column}"`).join(', ')} from set_aside."${as}" s where s.id = t.id`,
    )
    await this.execute(`drop table set_aside."${as}"`)
  }
}

// Not given the lock in time; lost a deadlock.
const WAITED = ['55P03', '40P01']
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
