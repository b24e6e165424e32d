import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { AnyElysia } from 'elysia'
import { createMirror } from 'exact-mirror'
import { refuse } from '../../errors'
import { createCoercion } from './coercions'
import { invalidInput } from './violations'

const STANDARD = '~standard'

/**
 * Makes every route check its body and its query before their undeclared fields are dropped. Elysia drops them first,
 * which makes an object of a text, and loops over any `length`; it leaves that to a schema which is a Standard Schema.
 */
export function checkInputs(app: AnyElysia) {
  for (const { hooks } of app.routes) {
    addCheck(hooks.body, createCheck)
    addCheck(hooks.query, createQueryCheck)
    if (hooks.query) hooks.transform = [{ fn: readQuery }, ...(hooks.transform ?? [])]
  }
}

type RequestContext = { request: Request; query: unknown }

/** Elysia 1.4.30 splits the texts of a Standard Schema at commas, and parses some as JSON. */
function readQuery(context: RequestContext) {
  const { url } = context.request
  const start = url.indexOf('?')
  const text = start < 0 ? '' : url.slice(start + 1)
  const query = new URLSearchParams(text)
  // What is not UTF-8 is replaced by this character.
  if (text.includes('%') && query.toString().includes('%EF%BF%BD')) throw refuse('value_not_storable')
  context.query = Object.fromEntries(query)
}

type Check = (input: unknown) => { value: unknown }

function addCheck(schema: TSchema | undefined, create: (schema: TSchema) => Check) {
  if (!schema || STANDARD in schema) return
  const standard = { version: 1, vendor: 'kiraya', validate: create(schema) }
  // Not enumerable, so it is no part of the JSON schema.
  Object.defineProperty(schema, STANDARD, { value: standard })
}

/** Returns a check that compiles the schema with the first input, since most routes are not used soon after a start. */
export function createCheck(schema: TSchema): Check {
  let compiled: ReturnType<typeof compileSchema> | undefined
  return given => {
    compiled ??= compileSchema(schema)
    const input = compiled.coerce ? compiled.coerce(given) : given
    if (!compiled.type.Check(input)) throw invalidInput(compiled.type.Errors(input))
    return { value: compiled.dropUndeclaredFields(input) }
  }
}

function createQueryCheck(schema: TSchema): Check {
  const check = createCheck(schema)
  return query => check(coerceQuery(schema, query as Record<string, string>))
}

const compileSchema = (schema: TSchema) => ({
  type: TypeCompiler.Compile(schema),
  coerce: createCoercion(schema),
  dropUndeclaredFields: createMirror(schema, { TypeCompiler }),
})

type Query = Record<string, string>
type Coerce = (text: string) => unknown

const coerceByType: Record<string, Coerce> = {
  integer: coerceNumber,
  number: coerceNumber,
  boolean: coerceBoolean,
}

/** Trims the texts of a query, makes of them the numbers and booleans that its schema asks for, and adds its defaults. */
function coerceQuery({ properties }: TSchema, given: Query) {
  const query: Record<string, unknown> = { ...given }
  for (const [name, schema] of Object.entries<TSchema>(properties)) {
    const text = given[name]?.trim()
    // A form sends a filter that is not filled in.
    if (text) query[name] = getCoercion(schema)(text)
    else if ('default' in schema) query[name] = schema.default
    else delete query[name]
  }
  return query
}

/** The coercion of a union is that of its first type: text that it leaves as it is may fit another one. */
function getCoercion({ type, anyOf, enum: words }: TSchema): Coerce {
  if (words) return text => words.find((word: string) => word.toLowerCase() === text.toLowerCase()) ?? text
  return coerceByType[type ?? anyOf?.[0].type] ?? (text => text)
}

function coerceNumber(text: string) {
  return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text
}

function coerceBoolean(text: string) {
  return /^(true|false)$/.test(text) ? text === 'true' : text
}
