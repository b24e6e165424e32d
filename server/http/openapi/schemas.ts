import { ErrorCode, FieldViolation, type Format } from '@kiraya/sdk/contract'

/** Part of a JSON schema or OpenAPI document, which no library here types. */
export type Json = Record<string, any>

/** Public names of formats; the others are dropped, and their description says what they accept. */
const PUBLIC_FORMATS: Partial<Record<Format | 'date-time', string>> = {
  'date-time': 'date-time',
  instant: 'date-time',
  'calendar-date': 'date',
  secret: 'password',
  mailbox: 'email',
  'web-address': 'uri',
  'record-uuid': 'uuid',
}

/** Describes JSON that fits a schema, with its example if there is one. */
export const toJsonContent = (schema: Json, example?: unknown): Json => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})

/** Maps a schema of the contract to standard JSON schema. */
export function toStandardSchema(schema: Json): Json {
  // Without the symbols of TypeBox.
  return standardize(JSON.parse(JSON.stringify(schema))) as Json
}

function standardize(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(standardize)
  if (typeof schema !== 'object' || schema === null) return schema
  if ('rawJsonOf' in schema) return standardize(schema.rawJsonOf)
  const keywords = Object.entries(describe(schema))
    .map(([keyword, value]) => [keyword, standardizeKeyword(keyword, value)])
    .filter(([, value]) => value !== undefined)
  return simplifyUnion(Object.fromEntries(keywords))
}

/** The text of a schema is its description. A field may have the name `text`. */
function describe(schema: Json): Json {
  const { text, ...others } = schema
  return typeof text === 'string' ? { ...others, description: text } : schema
}

/** A union of texts becomes an `enum`, and a union with null a type that may be null. */
function simplifyUnion(schema: Json): Json {
  const { anyOf, ...others } = schema
  if (anyOf?.every((part: Json) => typeof part.const === 'string'))
    return { ...others, type: 'string', enum: anyOf.map((part: Json) => part.const) }

  const [value, nothing] = anyOf ?? []
  const isNullable = anyOf?.length === 2 && nothing.type === 'null'
  // An object stays part of the union, so that it can be a reference.
  if (!isNullable || typeof value.type !== 'string' || value.type === 'object' || 'const' in value)
    return schema
  const nullable = { ...value, ...others, type: [value.type, 'null'] }
  return value.enum ? { ...nullable, enum: [...value.enum, null] } : nullable
}

function standardizeKeyword(keyword: string, value: unknown) {
  // What concerns the server's queries and the CLI alone.
  if (keyword.startsWith('x-')) return undefined
  if (keyword === 'format' && typeof value === 'string') return PUBLIC_FORMATS[value as Format]
  return standardize(value)
}

/** Maps the schema of a result to its envelope. */
export function toEnvelopeSchema(schema: Json): Json {
  const success = { type: 'boolean', const: true }
  if (!schema.properties?.data)
    return { type: 'object', required: ['success', 'data'], properties: { success, data: schema } }
  return {
    ...schema,
    required: ['success', ...schema.required],
    properties: { success, ...schema.properties },
  }
}

export const errorEnvelopeSchema = {
  type: 'object',
  description:
    'What went wrong: a stable `code`, a `message` for people, and `details` of the fields that are wrong.',
  required: ['success', 'data', 'error'],
  properties: {
    success: { type: 'boolean', const: false },
    data: { type: 'null' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: toStandardSchema(ErrorCode),
        reason: {
          type: 'string',
          pattern: '^[a-z_]+$',
          description:
            'A stable word for the cause; each operation lists its own. Later versions may add others',
        },
        message: { type: 'string' },
        details: {
          description: 'For VALIDATION_ERROR the fields that are wrong',
          anyOf: [{ type: 'array', items: toStandardSchema(FieldViolation) }, { type: ['object', 'array'] }],
        },
      },
    },
  },
}

export const plainErrorSchema = {
  type: 'object',
  description: 'What went wrong, for clients of Variant A. `message` is a list if fields are wrong.',
  required: ['statusCode', 'message', 'error'],
  properties: {
    statusCode: { type: 'integer' },
    message: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    error: { type: 'string' },
  },
}
