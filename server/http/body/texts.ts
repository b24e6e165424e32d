import { Kind, type TSchema } from '@sinclair/typebox'

/** TypeBox's kind of the contract's texts. */
export const TEXT_KIND = 'Text'

/** Counts characters (code points), as PostgreSQL does; JavaScript's length counts UTF-16 units. */
export function countCharacters(text: string) {
  return [...text].length
}

type Trim = (value: unknown) => unknown

/** Returns what trims the texts of a value with the schema, in place, or undefined if the schema has none. */
export function createTrim(schema: TSchema): Trim | undefined {
  if (schema[Kind] === TEXT_KIND) return schema.format === 'secret' ? undefined : trimText
  if (schema.anyOf) return (schema.anyOf as TSchema[]).map(createTrim).find(Boolean)
  if (schema.items) return createArrayTrim(schema.items)
  if (schema.patternProperties) return createRecordTrim(Object.values<TSchema>(schema.patternProperties))
  if (schema.properties) return createObjectTrim(schema.properties)
  return undefined
}

function trimText(value: unknown) {
  return typeof value === 'string' ? value.trim() : value
}

function createArrayTrim(items: TSchema): Trim | undefined {
  const trim = createTrim(items)
  return trim && (value => (Array.isArray(value) ? value.map(trim) : value))
}

function createRecordTrim(schemas: TSchema[]): Trim | undefined {
  const trim = schemas.map(createTrim).find(Boolean)
  return trim && (value => trimFields(value, isObject(value) ? Object.keys(value) : [], trim))
}

function createObjectTrim(properties: Record<string, TSchema>): Trim | undefined {
  const trims = Object.entries(properties).flatMap(([name, schema]) => {
    const trim = createTrim(schema)
    return trim ? [{ name, trim }] : []
  })
  if (trims.length === 0) return undefined
  return value => {
    for (const { name, trim } of trims) trimFields(value, [name], trim)
    return value
  }
}

function trimFields(value: unknown, names: string[], trim: Trim) {
  if (!isObject(value)) return value
  for (const name of names) if (Object.hasOwn(value, name)) value[name] = trim(value[name])
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

type Route = { method: string; path: string; hooks: { body?: unknown } }

/** Returns a function that trims the texts of a route's body. */
export function createBodyTrims(routes: Route[]) {
  const trimByRoute = new Map<string, Trim>()
  for (const { method, path, hooks } of routes) {
    const trim = isObject(hooks.body) ? createTrim(hooks.body as TSchema) : undefined
    if (trim) trimByRoute.set(`${method} ${path}`, trim)
  }
  return (method: string, route: string, body: unknown) => {
    const trim = trimByRoute.get(`${method} ${route}`)
    return trim ? trim(body) : body
  }
}
