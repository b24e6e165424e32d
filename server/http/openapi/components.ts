import * as contract from '@kiraya/sdk/contract'
import { isRecord, toCamelCaseSchema } from '../camel-case'
import { describeFields } from './fields'
import { schemaDescriptions } from './schema-texts'
import { toStandardSchema, type Json } from './schemas'

const SUFFIX_OF_VARIANT_A = 'OfVariantA'

/** Objects and enumerations deserve a name; texts and numbers say enough where they are. */
const isNamed = ({ type, enum: values }: Json) => type === 'object' || !!values

/** The names of the contract's schemas, by what they are in JSON. */
function nameSchemas() {
  const named = Object.entries<object>(contract)
    .filter(([, value]) => isRecord(value))
    .map(([name, schema]) => [name, toStandardSchema(schema)] as const)
    .filter(([, schema]) => isNamed(schema))
  const forms = [
    ...named,
    ...named.map(([name, schema]) => [name + SUFFIX_OF_VARIANT_A, toCamelCaseSchema(schema)] as const),
  ]
  // The first name stays: most schemas are alike in both variants.
  return new Map(forms.toReversed().map(([name, schema]) => [JSON.stringify(schema), name]))
}

const describe = (name: string, schema: Json) => {
  const nameInB = name.replace(SUFFIX_OF_VARIANT_A, '')
  const described = describeFields(schema, nameInB)
  const description = schemaDescriptions[name] ?? schemaDescriptions[nameInB]
  return description ? { ...described, description } : described
}

/**
 * Replaces the contract's schemas, wherever they are in a part of the description, by references to
 * components. `components` has those that were used.
 */
export function createComponents() {
  const names = nameSchemas()
  const components: Json = {}

  function refer(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(refer)
    if (!isRecord(part)) return part
    const name = isNamed(part) ? names.get(JSON.stringify(part)) : undefined
    if (!name) return describeFields(referWithin(part))
    components[name] ??= describe(name, referWithin(part))
    return { $ref: `#/components/schemas/${name}` }
  }
  const referWithin = (part: Json): Json =>
    Object.fromEntries(Object.entries(part).map(([keyword, value]) => [keyword, refer(value)]))

  return { describe, refer: (part: Json) => refer(part) as Json, components }
}
