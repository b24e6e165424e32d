import { removeNull, type FieldSchema } from '../runtime/contract-flags'
import { boolean, number, oneOf, text, texts, type Kind } from './cells'
import type { Column } from './read-csv'

/** The columns of a file for the fields of an input. */
export const toColumns = <Name extends string>(
  fields: Record<Name, object>,
  required: string[] = [],
): Column<Name>[] =>
  Object.entries<FieldSchema>(fields).map(([name, field]) => ({
    name: name as Name,
    kind: toKind(removeNull(field)),
    isRequired: required.includes(name),
  }))

/** The contract limits all texts and numbers. */
function toKind({ enum: words, type, maxLength, minimum, exclusiveMinimum, maximum }: FieldSchema): Kind {
  if (words) return oneOf(...words)
  if (type === 'integer') return number(minimum!, maximum!)
  if (type === 'number') return number(minimum ?? exclusiveMinimum! + 0.01, maximum!, false)
  if (type === 'boolean') return boolean
  return type === 'array' ? texts : text(maxLength)
}
