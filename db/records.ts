import type { EntityProperty, InferEntity, RequiredEntityData } from '@mikro-orm/core'
import { sql, type ExpressionBuilder, type Kysely } from 'kysely'
import type { QueryResult } from 'pg'
import type { entities } from './entities'
import { poolOf, query, type Db, type Orm } from './orm'
import { statementOf, type Build, type Given } from './statements'

type Entity = (typeof entities)[number]
type Of<E extends Entity> = InferEntity<E>
type Condition<V> =
  | V
  | { $in: readonly NonNullable<V>[] }
  | { $ne: V | null }
  | { $gt: V }
  | { $gte: V }
  | { $lte: V }
type Where<T> = { [C in keyof T]?: Condition<T[C]> | null } & { $or?: Where<T>[] }
/** `filters: false` finds deleted records too; `lock` lasts until the transaction ends. Large columns are read when `populate` names them. */
type Options<T> = {
  lock?: 'update' | 'share'
  orderBy?: { [C in keyof T]?: 'asc' | 'desc' }
  filters?: false
  populate?: (keyof T & string)[]
}
export type Row = Record<string, unknown>
type Plain = { [column: string]: unknown; $or?: Plain[] }

const OPERATORS = { $in: '= any', $ne: '<>', $gt: '>', $gte: '>=', $lte: '<=' } as const

/**
 * The records of the entities outside of a transaction. Every statement is built once for its shape and prepared by
 * PostgreSQL: MikroORM's own unit of work, which builds each anew with the values written into it, takes 450 µs of CPU
 * to find a record, and this 60. What a table and its columns are is still told by the entities alone.
 */
export class Records {
  constructor(
    protected readonly orm: Orm,
    private readonly send: Send = sending(orm),
  ) {}

  /** Kysely on the same connection, for what is asked so rarely that it may be built each time. */
  get db(): Db {
    return query(this.orm)
  }

  /** The rows of a query that is built once for its builder and variant; see `statementOf`. */
  async run<V extends Given, O>(
    build: Build<V, O>,
    given: V,
    builder: object = build,
    variant?: string,
  ): Promise<O[]> {
    const { text, values } = statementOf(this.orm, builder, build, given, variant)
    return (await this.ask(text, values)).rows
  }

  async find<E extends Entity>(
    entity: E,
    where: Where<Of<E>>,
    { lock, orderBy = {}, filters, populate = [] }: Options<Of<E>> = {},
  ): Promise<Of<E>[]> {
    const table = this.table(entity)
    const parts = partsOf(where)
    const order = Object.entries(orderBy as Record<string, 'asc' | 'desc'>)
    const text = this.text(
      `select ${table.name} ${populate} ${shapeOf(parts)} ${order} ${lock} ${filters}`,
      db =>
        db
          .selectFrom(table.name)
          .select([...table.columns, ...populate])
          .where(e => matching(e, table, parts, filters))
          .$call(all => order.reduce((sorted, [column, direction]) => sorted.orderBy(column, direction), all))
          .$if(lock === 'update', all => all.forUpdate())
          .$if(lock === 'share', all => all.forShare()),
    )
    return (await this.ask(text, valuesOf(parts))).rows.map(row => this.read(table, row) as Of<E>)
  }

  async findOne<E extends Entity>(
    entity: E,
    where: Where<Of<E>>,
    options?: Options<Of<E>>,
  ): Promise<Of<E> | undefined> {
    return (await this.find(entity, where, options))[0]
  }

  /** For what cannot be missing. */
  async findOneOrFail<E extends Entity>(
    entity: E,
    where: Where<Of<E>>,
    options?: Options<Of<E>>,
  ): Promise<Of<E>> {
    const found = await this.findOne(entity, where, options)
    if (!found) throw new Error(`A record of ${this.table(entity).name} is missing`)
    return found
  }

  async count<E extends Entity>(entity: E, where: Where<Of<E>>): Promise<number> {
    const table = this.table(entity)
    const parts = partsOf(where)
    const text = this.text(`count ${table.name} ${shapeOf(parts)}`, db =>
      db
        .selectFrom(table.name)
        .select(e => e.fn.countAll().as('n'))
        .where(e => matching(e, table, parts)),
    )
    return (await this.ask(text, valuesOf(parts))).rows[0].n
  }

  /** Changes all records that match, deleted ones too, and tells how many those were. */
  async update<E extends Entity>(entity: E, where: Where<Of<E>>, set: Partial<Of<E>>): Promise<number> {
    const table = this.table(entity)
    const parts = partsOf(where)
    const values = { ...table.touched(), ...set } as Row
    const names = Object.keys(values)
    const text = this.text(`update ${table.name} ${names} ${shapeOf(parts)}`, db =>
      db
        .updateTable(table.name)
        .set(Object.fromEntries(names.map(name => [name, null])))
        .where(e => matching(e, table, parts, false)),
    )
    return (
      (await this.ask(text, [...names.map(name => table.written(name, values[name])), ...valuesOf(parts)]))
        .rowCount ?? 0
    )
  }

  /** Removes all records that match, for good. */
  async delete<E extends Entity>(entity: E, where: Where<Of<E>>): Promise<number> {
    const table = this.table(entity)
    const parts = partsOf(where)
    const text = this.text(`delete ${table.name} ${shapeOf(parts)}`, db =>
      db.deleteFrom(table.name).where(e => matching(e, table, parts, false)),
    )
    return (await this.ask(text, valuesOf(parts))).rowCount ?? 0
  }

  async insert<E extends Entity>(entity: E, given: RequiredEntityData<Of<E>>): Promise<Of<E>> {
    const table = this.table(entity)
    const values: Row = { ...table.made(), ...given }
    const names = Object.keys(values).filter(
      name => values[name] !== undefined || !table.hasDefault.has(name),
    )
    const text = this.text(`insert ${table.name} ${names}`, db =>
      db
        .insertInto(table.name)
        .values(Object.fromEntries(names.map(name => [name, null])))
        .returning(table.columns),
    )
    return this.read(
      table,
      (
        await this.ask(
          text,
          names.map(name => table.written(name, values[name])),
        )
      ).rows[0],
    ) as Of<E>
  }

  /** Inserts any number of records, which give the same columns, by one statement. */
  async insertMany<E extends Entity>(entity: E, given: RequiredEntityData<Of<E>>[]): Promise<Of<E>[]> {
    const table = this.table(entity)
    const rows: Row[] = given.map(values => ({ ...table.made(), ...values }))
    const names = Object.keys(rows[0] ?? {})
    if (!rows.length) return []
    const text = this.text(`insert many ${table.name} ${names}`, db =>
      db
        .insertInto(table.name)
        .columns(names)
        .expression(e =>
          e
            .selectFrom(
              sql`json_populate_recordset(null::${sql.table(table.name)}, ${null}::json)`.as('given'),
            )
            .select(names),
        )
        .returning(table.columns),
    )
    return (await this.ask(text, [jsonOf(rows)])).rows.map(row => this.read(table, row) as Of<E>)
  }

  private async ask(text: string, values: unknown[]) {
    try {
      return await this.send(text, values)
    } catch (error) {
      if (error instanceof Error) Error.captureStackTrace(error) // pg's own ends at the socket that the answer came from
      throw error
    }
  }

  /** A row as its entity. */
  protected read(table: Table, row: Row): Row {
    for (const name of table.times) if (row[name] !== null) row[name] = new Date(row[name] as string)
    return row
  }

  private text(shape: string, build: (db: Kysely<any>) => { compile: () => { sql: string } }) {
    const known = texts.get(shape)
    if (known) return known
    if (texts.size >= MOST_TEXTS) texts.clear()
    const text = build(query(this.orm)).compile().sql
    texts.set(shape, text)
    return text
  }

  protected table(entity: Entity): Table {
    const known = tables.get(entity) ?? describe(this.orm, entity)
    tables.set(entity, known)
    return known
  }
}

/** Sends a statement by itself. */
export type Send = (text: string, values: unknown[]) => Promise<QueryResult>
export const sending =
  (orm: Orm): Send =>
  async (text, values) => {
    const client = await poolOf(orm).connect()
    try {
      return await client.query(text, values)
    } finally {
      client.release()
    }
  }

export const records = (orm: Orm, send?: Send) => new Records(orm, send)

/** What the metadata of an entity say of its table. */
export type Table = ReturnType<typeof describe>
const tables = new WeakMap<object, Table>()
const texts = new Map<string, string>()
/** Clients choose which fields a change has, and so how many shapes there are. */
const MOST_TEXTS = 5000
/** JSON as PostgreSQL takes it, which knows no half characters. */
export const jsonOf = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? inner.toWellFormed() : inner))

function describe(orm: Orm, entity: Entity) {
  const { tableName: name, props, primaryKeys: key, filters } = orm.getMetadata().get<any>(entity)
  const columns = props.filter(({ lazy }) => !lazy).map(({ name }) => name)
  const isJson = new Set(
    props.filter(({ columnTypes }) => columnTypes[0] === 'jsonb').map(({ name }) => name),
  )
  const by = (when: 'onCreate' | 'onUpdate') => {
    const those = props.filter((prop: EntityProperty) => prop[when])
    return () => {
      const row: Row = {}
      for (const prop of those) row[prop.name] = prop[when]!({}, null as never)
      return row
    }
  }
  return {
    entity,
    name,
    key,
    columns,
    times: props.filter(({ runtimeType }) => runtimeType === 'Date').map(({ name }) => name),
    hasDeleted: !!filters.active,
    made: by('onCreate'),
    touched: by('onUpdate'),
    hasDefault: new Set(
      props
        .filter(
          ({ autoincrement, default: plain, defaultRaw }) =>
            autoincrement || plain !== undefined || defaultRaw !== undefined,
        )
        .map(({ name }) => name),
    ),
    written: (column: string, value: unknown = null) =>
      isJson.has(column) && value !== null ? jsonOf(value) : value,
  }
}

/** A search as it is given, gone through once: its shape, its conditions and its values are in the same order. */
type Part = { column: string; operator: keyof typeof OPERATORS | undefined; value: unknown; or?: Part[][] }
function partsOf(where: Plain): Part[] {
  const parts: Part[] = []
  for (const column in where) {
    const given = where[column]
    if (column === '$or') {
      parts.push({ column, operator: undefined, value: null, or: (given as Plain[]).map(partsOf) })
      continue
    }
    const operator =
      typeof given === 'object' && given !== null && !(given instanceof Date)
        ? (Object.keys(given)[0] as keyof typeof OPERATORS)
        : undefined
    const value = operator ? (given as Record<string, unknown>)[operator] : given
    if (value === undefined) throw new Error(`A search by ${column} was given no value`)
    parts.push({ column, operator, value })
  }
  return parts
}
function shapeOf(parts: Part[]): string {
  let shape = ''
  for (const { column, operator = '', value, or } of parts)
    shape += or ? `(${or.map(shapeOf).join('|')})` : `${column}${operator}${value === null ? '-' : ''},`
  return shape
}
function valuesOf(parts: Part[], into: unknown[] = []): unknown[] {
  for (const { value, or } of parts) {
    if (or) for (const each of or) valuesOf(each, into)
    else if (value !== null) into.push(value)
  }
  return into
}
function matching(
  e: ExpressionBuilder<any, any>,
  table: Table,
  parts: Part[],
  filters?: false,
): ReturnType<typeof e.and> {
  const conditions = parts.map(({ column, operator, value, or }) => {
    if (or) return e.or(or.map(one => matching(e, table, one, false)))
    if (value === null) return e(column, operator === '$ne' ? 'is not' : 'is', null)
    return operator === '$in'
      ? sql<boolean>`${sql.ref(column)} = any(${null})`
      : e(column, operator ? (OPERATORS[operator] as '<>') : '=', 0)
  })
  return e.and(
    filters !== false && table.hasDeleted ? [...conditions, e('is_active', '=', sql.lit(true))] : conditions,
  )
}
