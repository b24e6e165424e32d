import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { AnyElysia } from 'elysia'
import { createMirror } from 'exact-mirror'
import { createTrim } from './texts'
import { invalidInput } from './violations'
import { coerceQuery } from './query'

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
  context.query = Object.fromEntries(new URLSearchParams(text))
}

type Check = (input: unknown) => { value: unknown }

function addCheck(schema: TSchema | undefined, create: (schema: TSchema) => Check) {
  if (!schema || STANDARD in schema) return
  const standard = { version: 1, vendor: 'kiraya', validate: create(schema) }
  // Not enumerable, so it is no part of the JSON schema.
  Object.defineProperty(schema, STANDARD, { value: standard })
}

/** Compiles the schema with the first input, since most routes are not used soon after a start. */
function createCheck(schema: TSchema): Check {
  let compiled: ReturnType<typeof compileSchema> | undefined
  return input => {
    compiled ??= compileSchema(schema)
    if (!compiled.type.Check(input)) throw invalidInput(compiled.type.Errors(input))
    return { value: compiled.dropUndeclaredFields(input) }
  }
}

/** The texts of a query are trimmed, or become the numbers and booleans that its schema asks for. */
function createQueryCheck(schema: TSchema): Check {
  const check = createCheck(schema)
  const trim = createTrim(schema)
  return query => {
    const given = { ...(query as Record<string, unknown>) }
    trim?.(given)
    return check(coerceQuery(schema, given))
  }
}

const compileSchema = (schema: TSchema) => ({
  type: TypeCompiler.Compile(schema),
  dropUndeclaredFields: createMirror(schema, { TypeCompiler }),
})
