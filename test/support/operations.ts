import type { Kind } from '@sinclair/typebox'

/** A part of JSON Schema: what the contract and `/openapi.json` use of it. */
export type Schema = {
  [Kind]?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  patternProperties?: Record<string, Schema>
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  maxProperties?: number
  $ref?: string
}
type Content = { content?: Record<string, { schema?: Schema }> }
type Documented = {
  requestBody?: Content
  responses: Record<string, Content>
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[]
}

/** One documented operation; `bodies` are the forms that its body may have, Variant B's first. */
export type Operation = {
  route: string
  method: string
  path: string
  bodies: Schema[]
  takesFile: boolean
  query: { name: string; schema: Schema }[]
  params: string[]
  responses: Record<string, Schema[]>
}

type Document = {
  paths: Record<string, Record<string, Documented>>
  components: { schemas: Record<string, Schema> }
}

/** Puts each component in the place of the references to it. */
export function resolve(part: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(part)) return part.map(each => resolve(each, schemas))
  if (typeof part !== 'object' || part === null) return part
  const { $ref } = part as Schema
  if (typeof $ref === 'string') return resolve(schemas[$ref.split('/').at(-1)!], schemas)
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolve(value, schemas)]))
}

async function loadPaths(url: string, variant: 'a' | 'b'): Promise<Document['paths']> {
  const response = await fetch(`${url}/openapi/${variant}.json`)
  const { paths, components } = (await response.json()) as Document
  return resolve(paths, components.schemas) as Document['paths']
}

/** The forms of some JSON in the variants, without repetition. */
function listForms(contents: (Content | undefined)[]): Schema[] {
  const schemas = contents.flatMap(each => each?.content?.['application/json']?.schema ?? [])
  const forms = schemas.flatMap(schema => schema.anyOf ?? [schema])
  return [...new Map(forms.map(form => [JSON.stringify(form), form])).values()]
}

/** All that the running server says it can do, from its own descriptions. */
export async function listOperations(url: string): Promise<Operation[]> {
  const [inB, inA] = await Promise.all([loadPaths(url, 'b'), loadPaths(url, 'a')])
  return Object.entries(inB).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody, responses, parameters = [] }]) => {
      const ofA = inA[path]?.[method]
      return {
        route: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
        method: method.toUpperCase(),
        path,
        bodies: listForms([requestBody, ofA?.requestBody]),
        takesFile: 'application/octet-stream' in (requestBody?.content ?? {}),
        query: parameters.filter(each => each.in === 'query').map(({ name, schema }) => ({ name, schema })),
        params: parameters.filter(each => each.in === 'path').map(({ name }) => name),
        responses: Object.fromEntries(
          Object.keys(responses).map(status => [
            status,
            listForms([responses[status], ofA?.responses[status]]),
          ]),
        ),
      }
    }),
  )
}
