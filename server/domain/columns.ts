import { sql, type AliasedExpression, type Expression } from 'kysely'

/** The row behind a view: a field that a response may lack is null in it. */
type RowOf<View> = {
  [Field in keyof View]-?: undefined extends View[Field] ? NonNullable<View[Field]> | null : View[Field]
}

/** Names the column or expression behind each field of a view: a field without one does not compile. */
export type ColumnsOf<View> = {
  readonly [Field in keyof RowOf<View>]: string | Expression<RowOf<View>[Field]>
}

type SelectionOf<View> = {
  [Field in keyof View & string]: AliasedExpression<RowOf<View>[Field], Field>
}[keyof View & string]

/** Selects the columns under the names of their fields. */
export function toSelection<View>(columns: ColumnsOf<View>): SelectionOf<View>[] {
  const entries = Object.entries(columns) as [string, string | Expression<unknown>][]
  return entries.map(([field, column]) => {
    const expression = typeof column === 'string' ? sql.ref(column) : sql`${column}`
    return expression.as(field)
  }) as SelectionOf<View>[]
}
