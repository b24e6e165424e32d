import { ErrorCode } from '@kiraya/sdk/contract'

/** A part of a JSON schema or OpenAPI document, which no library here types. */
export type Json = Record<string, any>

/** Public names of the contract's formats; those without one are dropped. */
const STANDARD_FORMATS: Record<string, string | undefined> = {
  text: undefined,
  printable: undefined,
  secret: 'password',
  'calendar-date': 'date',
  instant: 'date-time',
  mailbox: 'email',
  'web-address': 'uri',
  'record-uuid': 'uuid',
}

/** Maps a schema of the contract to standard JSON schema. */
export function toStandardSchema(schema: Json): Json {
  return standardize(schema) as Json
}

function standardize(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(standardize)
  if (typeof schema !== 'object' || schema === null) return schema
  if ('rawJsonOf' in schema) return standardize(schema.rawJsonOf)
  const keywords = Object.entries(schema)
    .map(([keyword, value]) => [keyword, standardizeKeyword(keyword, value)])
    .filter(([, value]) => value !== undefined)
  return Object.fromEntries(keywords)
}

function standardizeKeyword(keyword: string, value: unknown) {
  if (keyword === 'format' && typeof value === 'string' && value in STANDARD_FORMATS)
    return STANDARD_FORMATS[value]
  return standardize(value)
}

/** Maps the schema of a result to its envelope. */
export function toEnvelopeSchema(schema: Json): Json {
  const success = { const: true }
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
  required: ['success', 'data', 'error'],
  properties: {
    success: { const: false },
    data: { type: 'null' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: JSON.parse(JSON.stringify(ErrorCode)),
        message: { type: 'string' },
        details: { description: 'For VALIDATION_ERROR an array of { property, constraints }' },
      },
    },
  },
}

export const plainErrorSchema = {
  type: 'object',
  required: ['statusCode', 'message', 'error'],
  properties: {
    statusCode: { type: 'integer' },
    message: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    error: { type: 'string' },
  },
}
