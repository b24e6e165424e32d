import type { EntitySchema } from '@mikro-orm/core'
import { CompiledQuery, sql } from 'kysely'
import { compileCached, type Given } from '../../db/compiled-queries'
import { getKysely, type Db } from '../../db/database'
import { setQueryTime } from '../../db/deadlines'
import type { Actor, Deps, Tx } from '../deps'
import type { Select } from './reads/reader'
import { findStoredResponse, storeResponse, type IdempotencyKey } from './stored-responses'

/** Runs a service in the one transaction of a request. */
export type RunChange = <A extends unknown[], T>(
  service: (tx: Tx, ...args: A) => Promise<T>,
  ...args: NoInfer<A>
) => Promise<T>

/** What a change knows of its request; `markReplayed` tells the client that it gets a stored response. */
type Requested = { actor: Actor; key: IdempotencyKey | undefined; markReplayed: () => void }

/** Stores the response to a keyed request in the transaction that causes it: a crash leaves both or neither. */
export function createChange(deps: Deps, { actor, key, markReplayed }: Requested): RunChange {
  return async <A extends unknown[], T>(
    service: (tx: Tx, ...args: A) => Promise<T>,
    ...args: NoInfer<A>
  ): Promise<T> => {
    const run = () =>
      deps.db.transactional(async em => {
        const response = await service({ ...deps, em, actor }, ...args)
        // A change that returns nothing, such as one with a wrong OTP, is refused after its commit.
        if (key && response !== undefined) {
          await em.flush()
          await storeResponse(em, key, deps.now(), response)
        }
        return response
      })
    if (!key) return run()

    const outcome = await run().then(
      response => ({ response }),
      (error: unknown) => ({ error }),
    )
    if ('response' in outcome && outcome.response !== undefined) return outcome.response
    // Of two requests with one key the later may fail because of the first, for whose end it has waited.
    setQueryTime(deps.config.DATABASE_TIMEOUT_MS)
    const stored = await findStoredResponse<T>(deps.db, key)
    if (stored !== undefined) {
      markReplayed()
      return stored
    }
    if ('error' in outcome) throw outcome.error
    return outcome.response
  }
}

/**
 * Locks the record that a query of the actor finds, in the table of an entity; undefined if it finds none.
 * `for no key update`, since `for update` would also block new records that refer to it.
 */
export async function lockVisible<E extends object, V extends Given, O>(
  tx: Tx,
  entity: EntitySchema<E>,
  select: Select<V, O>,
  given: V,
): Promise<E | undefined> {
  // Named, since a prepared `select *` fails once a migration adds one.
  const columns = Object.keys(entity.meta.properties) as never[]
  const row = await findRow(tx, select, 'lock', given, (db, userId, slots) =>
    select(db, userId, slots).select(columns).forNoKeyUpdate(),
  )
  return row && tx.em.map(entity, row)
}

/** Reads what a GET shows to the actor, in the transaction that changed it. */
export async function loadView<V extends Given, O>(tx: Tx, select: Select<V, O>, given: V): Promise<O> {
  const view = await findVisible(tx, select, given)
  if (!view) throw new Error('The actor cannot see what they changed')
  return view
}

/** Finds the row of a query of the actor. */
export function findVisible<V extends Given, O>(tx: Tx, select: Select<V, O>, given: V) {
  return findRow(tx, select, 'view', given, select)
}

/** Sends a query that is compiled once for each key and name. */
async function findRow<V extends Given, O>(
  { em, actor }: Tx,
  key: object,
  name: string,
  given: V,
  select: Select<V, O>,
): Promise<O | undefined> {
  const build = (db: Db, slots: { userId: number; given: V }) =>
    select(db, sql.val(slots.userId), slots.given)
  const { text, values } = compileCached(key, build, { userId: actor.id, given }, name)
  const { rows } = await getKysely(em).executeQuery<O>(CompiledQuery.raw(text, values))
  return rows[0]
}
