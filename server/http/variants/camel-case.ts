/** What Variant A spells as it is, although the name has an underscore. */
const UNCHANGED_IN_A = new Set(['access_token'])
/** What Variant A does not have. */
const HIDDEN_FROM_A = new Set(['user_id', 'password', 'current_password'])

type Rename = (name: string) => string

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function toCamelCase(name: string) {
  if (UNCHANGED_IN_A.has(name)) return name
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function toSnakeCase(name: string) {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** Renames the fields of a value at every depth, without those that Variant A does not have. */
export function renameFields(value: unknown, rename: Rename): unknown {
  if (Array.isArray(value)) return value.map(item => renameFields(item, rename))
  if (!isRecord(value)) return value
  const fields = Object.entries(value).filter(
    ([name]) => !HIDDEN_FROM_A.has(name) && !HIDDEN_FROM_A.has(rename(name)),
  )
  return Object.fromEntries(fields.map(([name, field]) => [rename(name), renameFields(field, rename)]))
}

/** Maps a JSON schema to the one of Variant A, with its property names in camelCase. */
export function toCamelCaseSchema(schema: unknown): Record<string, unknown> {
  return renameSchema(schema) as Record<string, unknown>
}

function renameSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(renameSchema)
  if (!isRecord(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, renameKeyword(keyword, value)]),
  )
}

function renameKeyword(keyword: string, value: unknown) {
  if (keyword === 'properties' && isRecord(value)) return renameProperties(value)
  if (keyword === 'required' && Array.isArray(value))
    return value.filter(name => !HIDDEN_FROM_A.has(name)).map(toCamelCase)
  return renameSchema(value)
}

function renameProperties(properties: Record<string, unknown>) {
  const visible = Object.entries(properties).filter(([name]) => !HIDDEN_FROM_A.has(name))
  return Object.fromEntries(visible.map(([name, schema]) => [toCamelCase(name), renameSchema(schema)]))
}
