import type { Database } from './database'

/** Unique indexes with `nulls not distinct` came with it. */
export const MIN_POSTGRES = 15

/** Kiraya cannot use a database. The message says why, and has no personal data. */
export class UnsuitableDatabase extends Error {}

type Found = { number: number; encoding: string; ctype: string }

/** @throws {UnsuitableDatabase} The PostgreSQL is older than `minimum`, or its letters are those of ASCII alone. */
export async function requireSuitablePostgres(db: Database, minimum = MIN_POSTGRES) {
  const text = `select current_setting('server_version_num')::int as number,
      pg_encoding_to_char(encoding) as encoding, datctype as ctype
    from pg_database where datname = current_database()`
  const [{ number, encoding, ctype }] = (await db.sendStatement<Found>(text, [])) as [Found]
  const [major, minor] = [Math.floor(number / 10_000), number % 10_000]
  if (major < minimum)
    throw new UnsuitableDatabase(
      `The database needs PostgreSQL ${minimum} or later; this is ${major}.${minor}`,
    )
  // With C and POSIX, pg_trgm drops what is not ASCII. Any other locale fits the encoding.
  if (encoding !== 'UTF8' || /^(C|POSIX)$/.test(ctype))
    throw new UnsuitableDatabase(
      `The database has the encoding ${encoding} and the LC_CTYPE ${ctype}, so it finds no names in India's ` +
        'scripts. Without DATABASE_URL, set another DATA_DIR; else create a database with: createdb ' +
        '--template=template0 --encoding=UTF8 --lc-collate=C --lc-ctype=C.UTF-8 kiraya',
    )
}
