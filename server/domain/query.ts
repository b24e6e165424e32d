import { sql, type Expression } from 'kysely'
import { BLANKS, SPELLINGS } from '@kiraya/sdk/contract'

type Text = Expression<unknown>

/** Returns a text in the one spelling in which names are compared. */
export function toSpelling(text: Text) {
  return SPELLINGS.reduce<Text>(
    (spelled, [written, compared]) => sql`replace(${spelled}, ${sql.lit(written)}, ${sql.lit(compared)})`,
    sql`normalize(${text})`,
  )
}

/** Does what `toNameKey` of the contract does. */
const toNameKey = (name: Text) =>
  sql<string>`lower(regexp_replace(${toSpelling(name)}, ${sql.lit(BLANKS.source)}, ' ', 'g'))`

/** Whether one of some names contains a text. A select of its own computes the key of the text once. */
export function containsText(text: string, ...names: Text[]) {
  const separated = sql<string>`concat_ws(chr(31), ${sql.join(names)})`
  return sql<boolean>`strpos(${toNameKey(separated)}, (select ${toNameKey(sql`${text}::text`)})) > 0`
}
