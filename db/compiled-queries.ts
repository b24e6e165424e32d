import type { EntitySchema } from '@mikro-orm/core'
import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Compilable,
  type RawBuilder,
  type SelectQueryBuilder,
} from 'kysely'
import { getKysely, type Database, type Db, type EntityManager, type Tables } from './database'

type Value = string | number | boolean | Date | null | readonly number[] | readonly string[] | undefined
/** What a statement is given; a part may be one of several, such as an id or a UUID. */
export type Given = { [name: string]: Value | Given }

/** Builds a query for what it is given; a function of a module's own, since it is known by its identity. */
export type Build<V, O> = (db: Db, given: V) => Compilable<O> | RawBuilder<O>

type Statement = { text: string; values: unknown[] }
type CompiledStatement = { text: string; parameters: readonly unknown[] }

/** Stands for a value while a statement is compiled. */
class Slot {
  constructor(readonly read: (given: Given) => unknown) {}
}

const cache = new WeakMap<object, Map<string, CompiledStatement>>()

/** Compiles statements and sends none. */
const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Sends a statement that is compiled once: within the transaction of an entity manager, or on a connection of its own. */
export async function executeCompiled<V extends Given, O>(
  of: EntityManager | Pick<Database, 'sendStatement'>,
  build: Build<V, O>,
  given: V,
): Promise<O[]> {
  const { text, values } = compileCached(build, build, given)
  if ('sendStatement' in of) return (await of.sendStatement<object>(text, values)) as O[]
  return (await getKysely(of).executeQuery<O>(CompiledQuery.raw(text, values))).rows
}

/**
 * Finds managed entities with a statement that is compiled once. It costs half of `em.find`, which builds its
 * statement each time: for the locks that most changes begin with.
 * It names the columns: a prepared `select *` fails once a migration adds one.
 */
export async function findEntities<E extends object, V extends Given>(
  em: EntityManager,
  entity: EntitySchema<E>,
  build: (db: Db, given: V) => SelectQueryBuilder<any, any, object>,
  given: V,
): Promise<E[]> {
  const columns = Object.keys(entity.meta.properties) as never[]
  const { text, values } = compileCached(build, (db, slots: V) => build(db, slots).select(columns), given)
  const { rows } = await getKysely(em).executeQuery<object>(CompiledQuery.raw(text, values))
  return rows.map(row => em.map(entity, row))
}

/**
 * To build a query and compile it to SQL costs more than all else that a read does. So it is done once for each
 * function that builds one, which `builder` names, and for each shape of what it is given: which values are there,
 * not what they are. The function treats them as values of the query and as nothing else.
 */
export function compileCached<V extends Given, O>(
  builder: object,
  build: Build<V, O>,
  given: V,
  variant = '',
): Statement {
  let shapes = cache.get(builder)
  if (!shapes) cache.set(builder, (shapes = new Map()))

  const shape = variant + toShape(given)
  let statement = shapes.get(shape)
  if (!statement) shapes.set(shape, (statement = compile(build, toSlots(given) as V)))

  return {
    text: statement.text,
    values: statement.parameters.map(value => (value instanceof Slot ? value.read(given) : value)),
  }
}

function compile<V, O>(build: Build<V, O>, slots: V): CompiledStatement {
  const { sql, parameters } = build(compiler, slots).compile(compiler)
  return { text: sql, parameters }
}

function isRecord(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !(value instanceof Date) && !Array.isArray(value)
}

function toShape(given: Given): string {
  let shape = ''
  for (const name in given) {
    const value = given[name]
    if (value !== undefined) shape += isRecord(value) ? `${name}(${toShape(value)})` : `${name},`
  }
  return shape
}

function toSlots(given: Given, within = (all: Given) => all): Record<string, unknown> {
  const slots: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    slots[name] = isRecord(value)
      ? toSlots(value, all => within(all)[name] as Given)
      : new Slot(all => within(all)[name])
  }
  return slots
}
