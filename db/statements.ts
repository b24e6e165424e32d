import type { Compilable, RawBuilder } from 'kysely'
import { query, type Db, type Orm } from './orm'

type Value = string | number | boolean | Date | null | readonly number[] | readonly string[] | undefined
/** What a statement is given; a part may be one of several, such as an id or a UUID. */
export type Given = { [name: string]: Value | Given }

/** Stands for a value while a statement is being built. */
class Slot {
  constructor(readonly of: (values: Given) => unknown) {}
}

/** Writes a query for what it is given; a function of a module's own, since it is known by its identity. */
export type Build<V, O> = (db: Db, given: V) => Compilable<O> | RawBuilder<O>
type Statement = { text: string; parameters: readonly unknown[] }
const known = new WeakMap<object, Map<string, Statement>>()

/**
 * Writing a query as Kysely's builder does and turning it into SQL costs more than all else that a read does, so it is done
 * once for each function that builds one, which `builder` names, and for each shape of what it is given: which values are
 * there, not what they are. The function must treat them as values of the query and of nothing else.
 */
export function statementOf<V extends Given, O>(
  orm: Orm,
  builder: object,
  build: Build<V, O>,
  given: V,
  variant = '',
): { text: string; values: unknown[] } {
  const shape = variant + shapeOf(given)
  let shapes = known.get(builder)
  let statement = shapes?.get(shape)
  if (!shapes) known.set(builder, (shapes = new Map()))
  if (!statement) shapes.set(shape, (statement = compiled(orm, db => build(db, slotsOf(given) as V))))
  return {
    text: statement.text,
    values: statement.parameters.map(value => (value instanceof Slot ? value.of(given) : value)),
  }
}

function compiled(orm: Orm, build: (db: Db) => Compilable | RawBuilder<unknown>): Statement {
  const db = query(orm)
  const { sql, parameters } = build(db).compile(db)
  return { text: sql, parameters }
}

const isRecord = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Array.isArray(value)

function shapeOf(values: Given): string {
  let shape = ''
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) shape += isRecord(value) ? `${name}(${shapeOf(value)})` : `${name},`
  }
  return shape
}

const slotsOf = (values: Given, within = (all: Given) => all): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        name,
        isRecord(value)
          ? slotsOf(value, all => within(all)[name] as Given)
          : new Slot(all => within(all)[name]),
      ]),
  )
