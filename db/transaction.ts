import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import type { PoolClient } from 'pg'
import { poolOf, type Db, type Orm, type Tables } from './orm'
import { Records, type Row, type Table } from './records'

/** What is done in one transaction: a record is changed by setting its fields, which `flush` writes, at the latest before the commit. */
export class Transaction extends Records {
  readonly #read = new Map<string, { table: Table; record: Row; before: unknown[] }>()
  #db: Db | undefined

  constructor(
    orm: Orm,
    private readonly client: PoolClient,
  ) {
    super(orm, (text, values) => client.query(text, values))
  }

  override get db() {
    return (this.#db ??= new Kysely<Tables>({ dialect: new PostgresDialect({ pool: this.alone() }) }))
  }

  /** Writes the fields that were set. */
  async flush() {
    for (const { table, record, before } of this.#read.values()) {
      const set: Row = {}
      for (const [index, name] of table.columns.entries())
        if (seen(record[name]) !== before[index]) set[name] = record[name] ?? null
      if (!Object.keys(set).length) continue
      for (const [name, value] of Object.entries(table.touched())) if (!(name in set)) set[name] = value
      await this.update(table.entity, Object.fromEntries(table.key.map(name => [name, record[name]])), set)
      Object.assign(record, set)
      before.splice(0, Infinity, ...fieldsOf(table, record))
    }
  }

  /** A pool of this transaction's one connection. */
  private alone() {
    return {
      connect: async () => ({ query: this.client.query.bind(this.client), release: () => {} }),
      end: async () => {},
    } as unknown as PostgresPool
  }

  /** One record is one object; read again, it is as the database now has it but for what was set. */
  protected override read(table: Table, row: Row) {
    const fresh = super.read(table, row)
    const id = `${table.name} ${table.key.map(name => fresh[name])}`
    const known = this.#read.get(id)
    if (!known) {
      this.#read.set(id, { table, record: fresh, before: fieldsOf(table, fresh) })
      return fresh
    }
    const { record, before } = known
    Object.assign(
      record,
      fresh,
      Object.fromEntries(
        table.columns.flatMap((name, index) =>
          seen(record[name]) === before[index] ? [] : [[name, record[name]]],
        ),
      ),
    )
    before.splice(0, Infinity, ...fieldsOf(table, fresh))
    return record
  }
}

/** Does a piece of work in one transaction, all of it or nothing. */
export async function transact<T>(orm: Orm, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await poolOf(orm).connect()
  let isUsable = true
  try {
    await client.query('begin')
    const tx = new Transaction(orm, client)
    const result = await work(tx)
    await tx.flush()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => void (isUsable = false)) // then the connection is closed, and with it the transaction
    throw error
  } finally {
    client.release(!isUsable)
  }
}

/** A value by which a change is noticed, also one within. */
const seen = (value: unknown) =>
  value instanceof Date
    ? value.getTime()
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : (value ?? null)

const fieldsOf = (table: Table, row: Row) => table.columns.map(name => seen(row[name]))
