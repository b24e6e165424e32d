import { removeNull, toFieldFlags, type FieldSchema, type FlagWords, type Schema } from '../input/flags'
import type { FieldKind } from '../input/kinds'

/** A period is months, or two days; of several phone numbers in a cell the first counts. */
export type ColumnKind = FieldKind | 'date' | 'period' | 'phones'

/** A field of the API, or what people write for some: its name, and the limits of its schema. */
export type Column = {
  name: string
  kind: ColumnKind
  schema: FieldSchema
  choices?: readonly string[]
  isRequired?: boolean
  /** Other columns that tell its value too. */
  alternatives?: string[]
  /** Columns beside which it is required. */
  neededBy?: string[]
  /** A blank cell has the value above it: people write the name of a building once. */
  fillsDown?: boolean
  /** A sheet may have several, as `Tenant` and `Tenant 2`. */
  isNumbered?: boolean
  /** A row with its value alone counts for those below. */
  isSection?: boolean
  /** The command's flag for rows without a value, and its default. */
  flag?: { name: string; help: string; value?: string }
}

type Changes = Partial<Omit<Column, 'name'>>

/** The columns for the fields of an input. A field without a kind of its own, which no cell can hold, has none. */
export function toColumns<Input>(input: Schema<Input>, words?: FlagWords<Input>): Column[] {
  const flags = toFieldFlags(input, words)
  return Object.entries(flags).map(([name, { kind, choices, isRequired }]) => {
    const field: FieldSchema = input.properties[name]!
    const schema = { ...field, ...removeNull(field) }
    return { name, kind: schema.format === 'calendar-date' ? 'date' : kind, choices, isRequired, schema }
  })
}

/** Returns some columns with what a sheet says otherwise of them. */
export const changeColumns = (columns: Column[], changes: Record<string, Changes>) =>
  columns.map(column => ({ ...column, ...changes[column.name] }))

export const omitColumns = (columns: Column[], ...names: string[]) =>
  columns.filter(({ name }) => !names.includes(name))

/** A column that is no field of a single input. */
export const createColumn = (
  name: string,
  kind: ColumnKind,
  { schema = {}, ...changes }: Changes = {},
): Column => ({ name, kind, schema: { ...schema, ...removeNull(schema) }, ...changes })
