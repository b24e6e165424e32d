import { STATUS_CODES } from 'node:http'
import type { Language } from '@kiraya/sdk/contract'
import { toErrorEnvelope, toSentences, type ApiError } from '../../errors'
import { getWords } from '../../messages'
import { isRecord, renameFields, toCamelCase, toSnakeCase } from './camel-case'
import { RawJson, RawJsonStream } from '../reads/raw-json'
import type { Variant } from '../../domain/variants'

/** Translates between the canonical form (snake_case, ApiError) and what the clients of a variant read and send. */
type Dialect = {
  decodeBody: (body: unknown) => unknown
  encodeResult: (result: unknown) => unknown
  encodeError: (error: ApiError, language: Language) => object
}

export const dialects: Record<Variant, Dialect> = {
  a: {
    decodeBody: decodeCamelCase,
    encodeResult: result => renameFields(result, toCamelCase),
    encodeError: toPlainError,
  },
  b: {
    decodeBody: body => body,
    encodeResult: toEnvelope,
    encodeError: toErrorEnvelope,
  },
}

/** Ignores names with an underscore, which Variant A does not have. */
function decodeCamelCase(body: unknown) {
  if (!isRecord(body)) return body
  const known = Object.entries(body).filter(([name]) => !name.includes('_'))
  return renameFields(Object.fromEntries(known), toSnakeCase)
}

function toPlainError({ status, words, brokenRules }: ApiError, language: Language) {
  return {
    statusCode: status,
    message: brokenRules
      ? toSentences(brokenRules, language).map(toCamelCaseMessage)
      : getWords(words, language),
    error: STATUS_CODES[status] ?? 'Error',
  }
}

/** A message begins with the name of its field. */
function toCamelCaseMessage(message: string) {
  return message.replace(/^\S+/, toCamelCase)
}

function toEnvelope(result: unknown) {
  const fields: Record<string, unknown> = isRecord(result) && 'data' in result ? result : { data: result }
  const { data, ...others } = fields
  if (data instanceof RawJsonStream) return toEnvelopeTexts(data)
  if (!(data instanceof RawJson)) return { success: true, ...fields }
  // `data` is JSON already.
  return `${JSON.stringify({ success: true, ...others }).slice(0, -1)},"data":${data.text}}`
}

async function* toEnvelopeTexts({ texts }: RawJsonStream<unknown>) {
  yield '{"success":true,"data":'
  yield* texts
  yield '}'
}
