import { sql } from 'kysely'

/** Returns a LIKE pattern that matches what contains a text; its own wildcards are escaped. */
export function toContainsPattern(text: string) {
  return sql<string>`'%' || regexp_replace(${text}::text, '([\\\\%_])', '\\\\\\1', 'g') || '%'`
}
