import { Migration } from '@mikro-orm/migrations'

/** All later statements on a table wait behind a step that waits for a lock: so it gives up and retries. */
const LOCK_TIMEOUT_MS = 150
const RETRY_DELAY_MS = 350
const MAX_ATTEMPTS = 600

/** A step that keeps requests out for longer than this is rolled back. */
const MAX_LOCKED_MS = 5_000
const NO_TIMEOUT = 0

const BATCH_SIZE = 2_000

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'

/**
 * A migration of a database in use: small steps, each of which can fail and run again.
 * `down` archives tables and columns in the schema `set_aside`; `up` restores them from there.
 */
export abstract class OnlineMigration extends Migration {
  override isTransactional() {
    return false
  }

  /**
   * Runs statements that need a lock which blocks requests, in one short transaction.
   * They may not read or write all rows of a table that can be large.
   */
  protected async runWithShortLock(...statements: string[]) {
    await this.runStatements(statements, MAX_LOCKED_MS)
  }

  /** Runs statements in one transaction without a time limit: for `down`, while no instance serves. */
  protected async runInOneTransaction(...statements: string[]) {
    await this.runStatements(statements, NO_TIMEOUT)
  }

  /** Creates an index of a table that can be large; replaces an invalid one of an interrupted attempt. */
  protected async createIndex(name: string, definition: string) {
    const unique = definition.startsWith('unique ') ? 'unique ' : ''
    const target = definition.replace(/^unique /, '')
    await this.retryOnLockConflict(async () => {
      const [index] = await this.execute(
        `select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass('"${name}"')`,
      )
      if (index?.valid) return
      if (index) await this.execute(`drop index concurrently "${name}"`)
      await this.execute(`create ${unique}index concurrently "${name}" on ${target}`)
    })
  }

  /** Adds a constraint to a table that can be large: it holds for new rows at once, then checks old ones. */
  protected async addConstraint(table: string, name: string, definition: string) {
    if (!(await this.hasConstraint(table, name))) {
      await this.runWithShortLock(`alter table "${table}" add constraint "${name}" ${definition} not valid`)
    }
    await this.execute(`alter table "${table}" validate constraint "${name}"`)
  }

  protected async hasConstraint(table: string, name: string, columnCount?: number) {
    const withColumns = columnCount ? ` and cardinality(conkey) = ${columnCount}` : ''
    const constraints = await this.execute(
      `select 1 from pg_constraint where conrelid = to_regclass('"${table}"') and conname = '${name}'${withColumns}`,
    )
    return constraints.length > 0
  }

  protected async hasTable(name: string) {
    const [row] = await this.execute(`select to_regclass('${name}') is not null as is_present`)
    return Boolean(row?.is_present)
  }

  /** Updates a large table, a few rows at a time. `update` calls the table `t` and ends in a condition. */
  protected async updateInBatches(table: string, update: string) {
    await this.runInBatches(table, `update "${table}" t ${update}`)
  }

  /** Runs a statement for a few rows of a large table at a time. It calls the table `t` and ends in a condition. */
  protected async runInBatches(table: string, statement: string) {
    const [row] = await this.execute(`select max(id) as max_id from "${table}"`)
    const maxId = row?.max_id ?? 0
    for (let start = 0; start < maxId; start += BATCH_SIZE) {
      await this.retryOnLockConflict(() =>
        this.execute(`${statement} and t.id > ${start} and t.id <= ${start + BATCH_SIZE}`),
      )
    }
  }

  /** Returns statements that archive tables with their rows. */
  protected archiveTables(...tables: string[]): string[] {
    return [
      'create schema if not exists set_aside',
      ...tables.map(table => `alter table if exists "${table}" set schema set_aside`),
    ]
  }

  /** Returns statements that archive columns of a table; none if that has already happened. */
  protected async archiveColumns(table: string, archive: string, columns: string[]): Promise<string[]> {
    if (!(await this.hasColumn(table, columns[0]!))) return []
    const list = columns.map(column => `"${column}"`).join(', ')
    const drops = columns.map(column => `drop column "${column}"`).join(', ')
    return [
      'create schema if not exists set_aside',
      `lock table "${table}" in access exclusive mode`,
      `drop table if exists set_aside."${archive}"`,
      `create table set_aside."${archive}" as select id, ${list} from "${table}"`,
      `alter table set_aside."${archive}" add primary key (id)`,
      `alter table "${table}" ${drops}`,
    ]
  }

  protected async restoreTables(...tables: string[]) {
    const archived = await this.execute(
      `select tablename from pg_tables where schemaname = 'set_aside' and tablename = any ('{${tables.join(',')}}')`,
    )
    if (archived.length === 0) return
    const statements = archived.map(
      ({ tablename }) => `alter table set_aside."${tablename}" set schema public`,
    )
    await this.runWithShortLock(...statements)
  }

  protected async restoreColumns(table: string, archive: string, columns: string[]) {
    if (!(await this.hasTable(`set_aside."${archive}"`))) return
    const assignments = columns.map(column => `"${column}" = s."${column}"`).join(', ')
    await this.updateInBatches(table, `set ${assignments} from set_aside."${archive}" s where s.id = t.id`)
    await this.execute(`drop table set_aside."${archive}"`)
  }

  private async hasColumn(table: string, column: string) {
    const columns = await this.execute(
      `select 1 from information_schema.columns where table_schema = 'public' and table_name = '${table}' and column_name = '${column}'`,
    )
    return columns.length > 0
  }

  private async runStatements(statements: string[], timeoutMs: number) {
    const all = [
      `set local lock_timeout = ${LOCK_TIMEOUT_MS}`,
      `set local statement_timeout = ${timeoutMs}`,
      ...statements,
    ]
    await this.retryOnLockConflict(() =>
      this.driver.getConnection().transactional(async tx => {
        for (const statement of all) await this.driver.execute(statement, [], 'all', tx)
      }),
    )
  }

  private async retryOnLockConflict<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (!isLockConflict(error) || attempt === MAX_ATTEMPTS) throw error
        await Bun.sleep(RETRY_DELAY_MS)
      }
    }
  }
}

function isLockConflict(error: unknown) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED
}
