import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { AnyElysia } from 'elysia'
import { createMirror } from 'exact-mirror'
import { invalidInput } from './violations'

const STANDARD = '~standard'

/**
 * Makes every route check a body before its undeclared fields are dropped. Elysia drops them first, which makes
 * an object of a text, and loops over any `length`; it leaves that to a schema which is a Standard Schema.
 */
export function checkBodiesBeforeCleaning(app: AnyElysia) {
  for (const { hooks } of app.routes) {
    const schema: TSchema | undefined = hooks.body
    if (!schema || STANDARD in schema) continue
    const standard = { version: 1, vendor: 'kiraya', validate: createBodyCheck(schema) }
    // Not enumerable, so it is no part of the JSON schema.
    Object.defineProperty(schema, STANDARD, { value: standard })
  }
}

/** Compiles the schema with the first body, since most routes are not used soon after a start. */
function createBodyCheck(schema: TSchema) {
  let compiled: ReturnType<typeof compileSchema> | undefined
  return (body: unknown) => {
    compiled ??= compileSchema(schema)
    if (!compiled.type.Check(body)) throw invalidInput(compiled.type.Errors(body))
    return { value: compiled.dropUndeclaredFields(body) }
  }
}

const compileSchema = (schema: TSchema) => ({
  type: TypeCompiler.Compile(schema),
  dropUndeclaredFields: createMirror(schema, { TypeCompiler }),
})
