import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Db } from './orm'

type Value = string | number | boolean | Date | undefined
/** What a statement is given; a part may be one of several, such as an id or a UUID. */
export type Given = { [name: string]: Value | Given }

/** Stands for a value while a statement is being built. */
class Slot {
  constructor(readonly of: (values: Given) => unknown) {}
}

/**
 * Writing a query as Kysely's builder does and turning it into SQL costs more than all else that a read does, so it is done
 * once for each function that builds one and for each shape of what it is given: which values are there, not what they are.
 * The function must treat them as values of the query and of nothing else. `ask` asks another database than `db`.
 */
export function createStatements(db: Db, ask = <O>(statement: CompiledQuery<O>): Promise<QueryResult<O>> => db.executeQuery(statement)) {
  const known = new WeakMap<object, Map<string, CompiledQuery>>()
  return async <V extends Given, O>(builder: object, build: (given: V) => Compilable<O>, values: V, variant = ''): Promise<O[]> => {
    const shape = variant + shapeOf(values), shapes = known.get(builder) ?? new Map<string, CompiledQuery>()
    known.set(builder, shapes)
    const statement = (shapes.get(shape) as CompiledQuery<O> | undefined) ?? build(slotsOf(values) as V).compile()
    shapes.set(shape, statement)
    const { rows } = await ask<O>({ ...statement, parameters: statement.parameters.map(value => value instanceof Slot ? value.of(values) : value) })
    return rows
  }
}

const isRecord = (value: unknown): value is Given => typeof value === 'object' && value !== null && !(value instanceof Date)

function shapeOf(values: Given): string {
  let shape = ''
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) shape += isRecord(value) ? `${name}(${shapeOf(value)})` : `${name},`
  }
  return shape
}

const slotsOf = (values: Given, within = (all: Given) => all): Record<string, unknown> => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined).map(([name, value]) =>
  [name, isRecord(value) ? slotsOf(value, all => within(all)[name] as Given) : new Slot(all => within(all)[name])]))
