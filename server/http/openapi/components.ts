import * as contract from '@kiraya/sdk/contract'
import { isRecord, toCamelCaseSchema } from '../variants/camel-case'
import { toStandardSchema, type Json } from './schemas'

type Named = { name: string; schema: Json }

/** Objects and enumerations deserve a name; texts and numbers say enough where they are. */
const isNamed = ({ type, enum: values }: Json) => type === 'object' || !!values

/** What a schema is, whatever a field says of it. */
const toKey = ({ description: _, ...schema }: Json) => JSON.stringify(schema)

/** The contract's schemas with their names, by what they are in JSON. */
function nameSchemas() {
  const named: Named[] = Object.entries<object>(contract)
    .filter(([, value]) => isRecord(value))
    .map(([name, schema]) => ({ name, schema: toStandardSchema(schema) }))
    .filter(({ schema }) => isNamed(schema))
  const forms: Named[] = [
    ...named,
    ...named.map(({ name, schema }) => ({ name: `${name}OfVariantA`, schema: toCamelCaseSchema(schema) })),
  ]
  // The first name stays: most schemas are alike in both variants.
  return new Map(forms.toReversed().map(form => [toKey(form.schema), form]))
}

/**
 * Replaces the contract's schemas, wherever they are in part of the description, by references to
 * components. `components` has those that were used.
 */
export function createComponents() {
  const names = nameSchemas()
  const components: Json = {}

  function refer(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(refer)
    if (!isRecord(part)) return part
    const named = isNamed(part) ? names.get(toKey(part)) : undefined
    if (!named) return referWithin(part)
    const { name, schema } = named
    components[name] ??= referWithin(schema)
    const { description } = part
    return {
      $ref: `#/components/schemas/${name}`,
      ...(description !== schema.description && { description }),
    }
  }
  const referWithin = (part: Json): Json =>
    Object.fromEntries(Object.entries(part).map(([keyword, value]) => [keyword, refer(value)]))

  return { refer: (part: Json) => refer(part) as Json, components }
}
