import {
  LockMode,
  type EntityData,
  type EntityName,
  type FilterQuery,
  type InferEntity,
  type RequiredEntityData,
} from '@mikro-orm/core'
import { CompiledQuery } from 'kysely'
import { compileCached, type Build, type Given } from './compiled-queries'
import { getKysely, type Database, type Db, type EntityManager, type SendStatement } from './database'
import type { entities } from './entities'

// The former interface of the services, on MikroORM's entity manager, until they use that themselves.

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
type Options<T> = {
  lock?: 'update' | 'share'
  orderBy?: { [C in keyof T]?: 'asc' | 'desc' }
  filters?: false
  populate?: (keyof T & string)[]
}

const LOCK_MODES = { update: LockMode.PESSIMISTIC_WRITE, share: LockMode.PESSIMISTIC_READ } as const

/** The records of the entities outside of a transaction. */
export class Records {
  constructor(
    private readonly getManager: () => EntityManager,
    private readonly send: SendStatement,
  ) {}

  get db(): Db {
    return getKysely(this.getManager())
  }

  async run<V extends Given, O>(
    build: Build<V, O>,
    given: V,
    builder: object = build,
    variant?: string,
  ): Promise<O[]> {
    const { text, values } = compileCached(builder, build, given, variant)
    return (await this.send<object>(text, values)) as O[]
  }

  async find<E extends Entity>(
    entity: E,
    where: Where<Of<E>>,
    { lock, filters, ...options }: Options<Of<E>> = {},
  ): Promise<Of<E>[]> {
    return (await this.getManager().find(entity as EntityName<object>, toFilter(where), {
      ...(lock && { lockMode: LOCK_MODES[lock] }),
      ...(filters === false && { filters }),
      ...(options as object),
      refresh: true,
    })) as Of<E>[]
  }

  async findOne<E extends Entity>(
    entity: E,
    where: Where<Of<E>>,
    options?: Options<Of<E>>,
  ): Promise<Of<E> | undefined> {
    return (await this.find(entity, where, options))[0]
  }

  async findOneOrFail<E extends Entity>(
    entity: E,
    where: Where<Of<E>>,
    options?: Options<Of<E>>,
  ): Promise<Of<E>> {
    const found = await this.findOne(entity, where, options)
    if (!found) throw new Error(`A record of ${entity.meta.tableName} is missing`)
    return found
  }

  async count<E extends Entity>(entity: E, where: Where<Of<E>>): Promise<number> {
    return this.getManager().count(entity as EntityName<object>, toFilter(where))
  }

  async update<E extends Entity>(entity: E, where: Where<Of<E>>, set: Partial<Of<E>>): Promise<number> {
    const touched = 'updated_at' in entity.meta.properties ? { updated_at: new Date() } : {}
    return this.getManager().nativeUpdate(
      entity as EntityName<object>,
      toFilter(where),
      { ...touched, ...set } as EntityData<object>,
      { filters: false },
    )
  }

  async delete<E extends Entity>(entity: E, where: Where<Of<E>>): Promise<number> {
    return this.getManager().nativeDelete(entity as EntityName<object>, toFilter(where), { filters: false })
  }

  async insert<E extends Entity>(entity: E, given: RequiredEntityData<Of<E>>): Promise<Of<E>> {
    return (await this.insertMany(entity, [given]))[0]!
  }

  async insertMany<E extends Entity>(entity: E, given: RequiredEntityData<Of<E>>[]): Promise<Of<E>[]> {
    const em = this.getManager()
    const created = given.map(values =>
      em.create(entity as EntityName<object>, values as RequiredEntityData<object>),
    )
    await em.flush()
    return created as Of<E>[]
  }
}

/** What is done in one transaction: a record is changed by setting its fields, which `flush` writes. */
export class Transaction extends Records {
  constructor(readonly em: EntityManager) {
    super(
      () => em,
      async <R extends object>(text: string, values: unknown[]) =>
        (await getKysely(em).executeQuery<R>(CompiledQuery.raw(text, values))).rows,
    )
  }

  override async find<E extends Entity>(entity: E, where: Where<Of<E>>, options?: Options<Of<E>>) {
    await this.em.flush() // what is read again replaces fields that were set
    return super.find(entity, where, options)
  }

  flush() {
    return this.em.flush()
  }
}

export function records(database: Database, send?: SendStatement) {
  return new Records(
    () => database.em.fork(),
    send ?? ((text, values) => database.sendStatement(text, values)),
  )
}

export function transact<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.transactional(em => work(new Transaction(em)))
}

function toFilter(where: object): FilterQuery<object> {
  for (const [column, condition] of Object.entries(where)) {
    const isOperator = typeof condition === 'object' && condition !== null && !(condition instanceof Date)
    if (column === '$or') (condition as object[]).forEach(toFilter)
    else if (condition === undefined || (isOperator && Object.values(condition).includes(undefined)))
      throw new Error(`A search by ${column} was given no value`)
  }
  return where as FilterQuery<object>
}
