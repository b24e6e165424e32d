import { removeNull, type FieldSchema, type Schema } from '../input/contract-flags'
import { boolean, number, oneOf, text, texts, type Kind } from './cells'
import type { Column } from './read-csv'

/** The columns of a file for the fields of an input, without one. */
export const toColumns = <Name extends string>(input: Schema<unknown>, omitted: string): Column<Name>[] =>
  Object.entries<FieldSchema>(input.properties)
    .filter(([name]) => name !== omitted)
    .map(([name, field]) => ({
      name: name as Name,
      kind: toKind(removeNull(field)),
      isRequired: input.required?.includes(name) ?? false,
    }))

/** The contract limits all texts and numbers. */
function toKind({ enum: words, type, maxLength, minimum, exclusiveMinimum, maximum }: FieldSchema): Kind {
  if (words) return oneOf(...words)
  if (type === 'integer') return number(minimum!, maximum!)
  if (type === 'number') return number(minimum ?? exclusiveMinimum! + 0.01, maximum!, false)
  if (type === 'boolean') return boolean
  return type === 'array' ? texts : text(maxLength)
}
