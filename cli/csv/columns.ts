import {
  removeNull,
  toFieldFlags,
  type FieldFlag,
  type FieldSchema,
  type FlagWords,
  type Schema,
} from '../input/flags'

/** A field of the API, read like its flag and within the limits of its schema. */
export type Column = FieldFlag & { name: string; schema: FieldSchema }

/** The columns of a file for the fields of an input, without one that no cell can hold. */
export function toColumns<Input>(input: Schema<Input>, omitted?: string, words?: FlagWords<Input>): Column[] {
  const flags = toFieldFlags(input, words)
  return Object.entries<FieldSchema>(input.properties)
    .filter(([name]) => name !== omitted)
    .map(([name, field]) => ({ ...flags[name]!, name, schema: { ...field, ...removeNull(field) } }))
}
