import type { Database } from './database'

/** `MERGE … RETURNING` and others came with it. */
export const MIN_POSTGRES = 17

/** Kiraya cannot use a database. The message says why, and has no personal data. */
export class UnsuitableDatabase extends Error {}

/** @throws {UnsuitableDatabase} The PostgreSQL is older than `minimum`. */
export async function requirePostgresVersion(db: Database, minimum = MIN_POSTGRES) {
  const text = `select current_setting('server_version_num')::int as number`
  const [{ number }] = (await db.sendStatement<{ number: number }>(text, [])) as [{ number: number }]
  const [major, minor] = [Math.floor(number / 10_000), number % 10_000]
  if (major < minimum)
    throw new UnsuitableDatabase(
      `The database needs PostgreSQL ${minimum} or later; this is ${major}.${minor}`,
    )
}
