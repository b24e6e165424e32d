import { toSnakeCase } from '../camel-case'
import recorded from './field-texts.json'
import type { Json } from './schemas'

/** What the SDK's types say of each field, by schema; written by `test/server/docs/field-texts.test.ts`. */
const textsBySchema: Record<string, Record<string, string>> = recorded

const toKey = (fields: string[]) => fields.toSorted().join()

/** Schemas without a name of their own, such as the items of a list, are known by their fields. */
const textsByFields = new Map(
  Object.values(textsBySchema).map(texts => [toKey(Object.keys(texts)), texts] as const),
)

/** Describes the fields of an object; of Variant A's, too. */
export function describeFields(schema: Json, name?: string): Json {
  if (!schema.properties) return schema
  const fields = Object.entries<Json>(schema.properties)
  const texts =
    (name && textsBySchema[name]) || textsByFields.get(toKey(fields.map(([field]) => toSnakeCase(field))))
  if (!texts) return schema
  const described = fields.map(([field, value]) => {
    const description = texts[toSnakeCase(field)]
    return [field, description ? { ...value, description } : value]
  })
  return { ...schema, properties: Object.fromEntries(described) }
}
