import type { Database } from './database'

/** `MERGE … RETURNING` and others came with it. */
export const MIN_POSTGRES = 17

/** The database runs on a PostgreSQL that lacks statements which Kiraya sends. */
export class OldPostgresError extends Error {}

/** @throws {OldPostgresError} The PostgreSQL is older than `minimum`. */
export async function requirePostgresVersion(db: Database, minimum = MIN_POSTGRES) {
  const text = `select current_setting('server_version_num')::int as number`
  const [{ number }] = (await db.sendStatement<{ number: number }>(text, [])) as [{ number: number }]
  const [major, minor] = [Math.floor(number / 10_000), number % 10_000]
  if (major < minimum)
    throw new OldPostgresError(`The database needs PostgreSQL ${minimum} or later; this is ${major}.${minor}`)
}
