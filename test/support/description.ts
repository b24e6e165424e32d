import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { createApp } from '../../server/app'
import type { Deps } from '../../server/deps'
import {
  createOpenApiDocument,
  isHiddenPath,
  listVariants,
  type OpenApiDocument,
} from '../../server/http/openapi/document'
import { isCollecting, noteDescribed, noteSeen } from './seen-answers'

// Every answer that a test gets is compared with the server's own description, so that it cannot drift.

type Schema = Record<string, any>
type Described = {
  headers?: Record<string, { required?: boolean }>
  content: Record<string, { schema: Schema }>
}
type Operation = { name: string; pattern: RegExp; responses: Record<string, Described> }
type Description = { operations: Operation[]; schemas: Record<string, Schema> }
export type Answer = { status: number; headers: Headers; body: unknown }

/** What a request gets that is no operation: nothing but an error. */
const ERRORS_WITHOUT_OPERATION = [400, 404, 408, 413, 503]
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

const getDescriptionsByOrigin = new Map<string, () => Description[]>()
const descriptionsBySettings = new Map<string, Description[]>()
const validators = new WeakMap<Schema, ValidateFunction>()
const validatorsByText = new Map<string, ValidateFunction>()
const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false }))

/** Compares the answers of this server from now on. */
export function registerServer({ url, deps }: { url: string; deps: Deps }) {
  // Later the settings may be swapped, which changes no description.
  const atStart = { ...deps, config: { ...deps.config } }
  let descriptions: Description[] | undefined
  getDescriptionsByOrigin.set(url, () => (descriptions ??= getDescriptions(atStart)))
}

/** @throws No description of the server that answered has the answer; other servers are not checked. */
export function checkAnswer(method: string, address: string, answer: Answer) {
  const { origin, pathname } = new URL(address)
  const descriptions = getDescriptionsByOrigin.get(origin)?.()
  if (!descriptions || !METHODS.has(method) || isHiddenPath(pathname)) return

  const violations = descriptions.map(each => findViolationOfVariant(each, method, pathname, answer))
  if (!violations.includes(undefined))
    throw new Error(`${method} ${pathname} answered ${answer.status}, but ${violations.at(-1)}`)
}

function findViolationOfVariant(description: Description, method: string, pathname: string, answer: Answer) {
  const operation = findOperation(description, method, pathname)
  const violation = operation
    ? (findViolation(description, operation.responses[answer.status], answer) ??
      findUnlistedReason(operation, answer))
    : findViolationOfError(description, answer)
  if (operation && !violation)
    noteSeen({ operation: operation.name, status: answer.status, reason: getReason(answer.body) })
  return violation
}

const getReason = (body: unknown): string | undefined => Object(Object(body).error).reason

/** `fetch` for clients whose answers are to be checked. */
export async function fetchChecked(input: Request | URL | string, init?: RequestInit) {
  const { method, url } = new Request(input, init)
  const response = await fetch(input, init)
  const copy = response.clone()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  const { status, headers } = response
  checkAnswer(method, url, { status, headers, body: await (isJson ? copy.json() : copy.text()) })
  return response
}

/** Servers that differ in their database alone have the same description. */
function getDescriptions(deps: Deps) {
  const settings = JSON.stringify({ ...deps.config, DATABASE_URL: undefined })
  const app = createApp(deps)
  const descriptions =
    descriptionsBySettings.get(settings) ??
    listVariants(deps.config).map(variant =>
      readDescription(createOpenApiDocument(app, deps.config, variant, {})),
    )
  descriptionsBySettings.set(settings, descriptions)
  return descriptions
}

function readDescription({ paths, components }: OpenApiDocument): Description {
  const operations = Object.entries<Schema>(paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, { responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      pattern: new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
      responses,
    })),
  )
  if (isCollecting) for (const operation of operations) noteAnswers(operation)
  return { operations, schemas: components.schemas }
}

function noteAnswers({ name, responses }: Operation) {
  for (const status of Object.keys(responses).map(Number)) {
    const reasons: (string | undefined)[] = status < 400 ? [undefined] : readReasons(responses[status])
    for (const reason of reasons) noteDescribed({ operation: name, status, reason })
  }
}

/** A path without parameters goes before one with them. */
function findOperation({ operations }: Description, method: string, pathname: string) {
  const matches = operations.filter(({ pattern }) => pattern.test(`${method} ${pathname}`))
  return matches.find(({ name }) => !name.includes('{')) ?? matches[0]
}

function findViolation({ schemas }: Description, described: Described | undefined, answer: Answer) {
  if (!described) return 'its description does not have this status'
  for (const [name, { required }] of Object.entries(described.headers ?? {}))
    if (required && !answer.headers.has(name)) return `the header ${name} is missing`

  const mediaType = answer.headers.get('content-type')?.split(';')[0] ?? 'no media type'
  const content = described.content[mediaType]
  if (!content) return `its description does not have ${mediaType}`
  if (mediaType !== 'application/json') return undefined
  return findViolationOfSchema(content.schema, schemas, answer.body)
}

/** Reads the reasons that stand in the description of an error. */
const readReasons = (described: Schema | undefined): string[] =>
  [...String(described?.description).matchAll(/`(\w+)`/g)].map(([, reason]) => reason!)

/** Variant A's errors have no reason. */
function findUnlistedReason({ responses }: Operation, { status, body }: Answer) {
  const { error } = Object(body)
  if (status < 400 || typeof error !== 'object') return undefined
  const reasons = readReasons(responses[status])
  return reasons.includes(error.reason) ? undefined : `the reason ${error.reason} is not listed for it`
}

function findViolationOfError({ schemas }: Description, { status, body }: Answer) {
  if (!ERRORS_WITHOUT_OPERATION.includes(status)) return 'the description does not have this operation'
  const violations = Object.values(schemas).map(schema => findViolationOfSchema(schema, schemas, body))
  return violations.includes(undefined) ? undefined : violations[0]
}

function findViolationOfSchema(schema: Schema, schemas: Record<string, Schema>, body: unknown) {
  const validate = getValidator(schema, schemas)
  if (validate(body)) return undefined
  const errors = validate.errors?.map(({ instancePath, message, params }: ErrorObject) =>
    [`body${instancePath}`, message, params.additionalProperty].filter(Boolean).join(' '),
  )
  return `${errors?.join(', ')}: ${JSON.stringify(body).slice(0, 500)}`
}

/** Servers have descriptions of their own, but mostly the same schemas; to compile one takes a while. */
function getValidator(schema: Schema, schemas: Record<string, Schema>) {
  const known = validators.get(schema)
  if (known) return known
  const closed = closeObjects(schema, schemas) as Schema
  const text = JSON.stringify(closed)
  const validator = validatorsByText.get(text) ?? ajv.compile(closed)
  validatorsByText.set(text, validator)
  validators.set(schema, validator)
  return validator
}

/** Fields that a description does not name may appear in later versions, but not in tests. */
function closeObjects(value: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map(part => closeObjects(part, schemas))
  if (typeof value !== 'object' || value === null) return value
  const schema = value as Schema
  // What follows the first part only narrows it.
  if (schema.allOf) return { allOf: [closeObjects(schema.allOf[0], schemas), ...schema.allOf.slice(1)] }
  if (typeof schema.$ref === 'string') return closeObjects(schemas[schema.$ref.split('/').at(-1)!], schemas)
  const parts = Object.entries(schema).map(([keyword, part]) => [keyword, closeObjects(part, schemas)])
  return { ...(schema.properties && { additionalProperties: false }), ...Object.fromEntries(parts) }
}
