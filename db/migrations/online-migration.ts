import { Migration } from '@mikro-orm/migrations'

/** All later statements on a table wait behind a step that waits for a lock: so it gives up and retries. */
const LOCK_TIMEOUT_MS = 150
const RETRY_DELAY_MS = 350
const MAX_ATTEMPTS = 600

/** A step that keeps requests out for longer than this is rolled back. */
const MAX_LOCKED_MS = 5_000

const BATCH_SIZE = 2_000

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'

/** A migration of a database in use: small steps, each of which can fail and run again. */
export abstract class OnlineMigration extends Migration {
  override isTransactional() {
    return false
  }

  /**
   * Runs statements that need a lock which blocks requests, in one short transaction.
   * They may not read or write all rows of a table that can be large.
   */
  protected async runWithShortLock(...statements: string[]) {
    const all = [
      `set local lock_timeout = ${LOCK_TIMEOUT_MS}`,
      `set local statement_timeout = ${MAX_LOCKED_MS}`,
      ...statements,
    ]
    await this.#retryOnLockConflict(() =>
      this.driver.getConnection().transactional(async tx => {
        for (const statement of all) await this.driver.execute(statement, [], 'all', tx)
      }),
    )
  }

  /** Creates an index of a table that can be large; replaces an invalid one of an interrupted attempt. */
  protected async createIndex(name: string, definition: string) {
    const unique = definition.startsWith('unique ') ? 'unique ' : ''
    const target = definition.replace(/^unique /, '')
    await this.#retryOnLockConflict(async () => {
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
    const found = await this.execute(
      `select 1 from pg_constraint where conrelid = to_regclass('"${table}"') and conname = '${name}'`,
    )
    if (found.length === 0)
      await this.runWithShortLock(`alter table "${table}" add constraint "${name}" ${definition} not valid`)
    await this.execute(`alter table "${table}" validate constraint "${name}"`)
  }

  /** Updates a large table, a few rows at a time. `update` calls the table `t` and ends in a condition. */
  protected async updateInBatches(table: string, update: string) {
    const [row] = await this.execute(`select max(id) as max_id from "${table}"`)
    const maxId = row?.max_id ?? 0
    for (let start = 0; start < maxId; start += BATCH_SIZE) {
      await this.#retryOnLockConflict(() =>
        this.execute(`update "${table}" t ${update} and t.id > ${start} and t.id <= ${start + BATCH_SIZE}`),
      )
    }
  }

  async #retryOnLockConflict<T>(work: () => Promise<T>): Promise<T> {
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
