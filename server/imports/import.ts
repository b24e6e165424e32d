import { sql } from 'kysely'
import type { ImportedLease } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { setQueryTime } from '../../db/deadlines'
import type { Db } from '../../db/database'
import type { Actor, Deps, Tx } from '../deps'
import { refuse } from '../errors'
import { consumeRateLimits, toDailyLimit } from '../http/limits/rate-limits'

/** So long the queries of an import may take together. */
const MAX_QUERY_MS = 30_000
const MAX_AT_ONCE = 2

/** Leaves the transaction of an import that only says what would come of it. */
class DryRun extends Error {
  constructor(readonly response: unknown) {
    super('A dry run writes nothing')
  }
}

type Imported = Pick<ImportedLease, 'outcome'>

/** Runs an import: one of a user at a time, two in a worker. Each row counts as a change. */
export async function runImport<Response>(
  { limiter }: Deps,
  { id }: Actor,
  { rows, dry_run }: { rows: unknown[]; dry_run?: boolean | null },
  work: () => Promise<Response>,
): Promise<Response> {
  if (!dry_run) limiter.countChange(id, rows.length - 1)
  setQueryTime(MAX_QUERY_MS)
  try {
    return await limiter.run(`import of ${id}`, () => limiter.run('imports', work, MAX_AT_ONCE), 1)
  } catch (error) {
    if (error instanceof DryRun) return error.response as Response
    throw error
  }
}

/**
 * Lets imports of a landlord wait for each other, on all instances.
 * @throws FORBIDDEN The actor manages units of others and has none.
 */
export async function beginImport({ em, actor }: Tx) {
  await executeCompiled(em, lockImports, { userId: actor.id })
  const [manager] = await executeCompiled(em, selectManager, { userId: actor.id })
  if (manager) throw refuse('not_landlord')
}

/** Returns the response of an import, or leaves its transaction with it. */
export function endImport<Row extends Imported>(message: string, rows: Row[], dry_run: boolean) {
  const count = (outcome: Imported['outcome']) => rows.filter(row => row.outcome === outcome).length
  const counts = { created: count('created'), kept: count('kept'), changed: count('changed') }
  const response = { message, data: { ...counts, dry_run, rows } }
  if (dry_run) throw new DryRun(response)
  return response
}

/** @throws TOO_MANY_REQUESTS The landlord has named too many people today. */
export async function consumePeople({ em, actor, config, now }: Tx, uses: number) {
  if (uses === 0) return
  const limit = toDailyLimit(config, `people:${actor.id}`, config.PEOPLE_LIMIT_PER_LANDLORD)
  await consumeRateLimits(em, now(), [{ ...limit, uses }], 'too_many_people')
}

const lockImports = (_: Db, { userId }: { userId: number }) => sql`
  select pg_advisory_xact_lock(hashtext('imports'), ${userId}::int)`

const selectManager = (_: Db, { userId }: { userId: number }) => sql<object>`
  select u.id from property_units u
  where u.managed_by_id = ${userId} and u.landlord_id <> ${userId} and u.is_active
    and not exists (select from property_units own where own.landlord_id = ${userId})
    and not exists (select from properties own where own.landlord_id = ${userId})
  limit 1`
