import type { KirayaError, ValidationError } from '@kiraya/sdk'
import type { Context } from '../runtime/context'
import { UsageError } from '../runtime/errors'
import { toMessage } from '../runtime/report'
import { sanitizeText } from '../output/sanitize'
import {
  getFieldTexts,
  parseField,
  toClearedFields,
  toFlag,
  type FieldFlag,
  type FieldFlagTable,
  type FieldTexts,
} from './flags'
import { FieldError, fieldKinds } from './kinds'
import { resolveAgreementId, resolvePerson, resolveUnit } from './names'
import { createAsk } from './questions'

type Body = Record<string, unknown>
type InputOptions = {
  /** Returns the fields to ask for again after a failure. */
  findBlamed?: (error: unknown) => string[]
  /** What questions suggest for fields that are missing. */
  suggestions?: Record<string, string>
}

/**
 * Sends the body that the flags describe. At a terminal a person is asked for required fields that are
 * missing, and again for those that are refused; elsewhere both are errors.
 */
export async function submit<Input, Result>(
  context: Context,
  fields: FieldFlagTable,
  options: object,
  send: (input: Input) => Promise<Result>,
  { findBlamed = findRefusedFields, suggestions = {} }: InputOptions = {},
): Promise<Result> {
  const { isInteractive, err } = context.terminal
  const texts = getFieldTexts(fields, options)
  const ask = createAsk(context.terminal.ask, fields, texts, suggestions)
  const missing = findMissing(fields, texts)
  if (!isInteractive) requireFlags(fields, options)
  for (const name of missing) await ask(name)
  for (;;) {
    try {
      return await send((await readBody(context, fields, texts)) as Input)
    } catch (error) {
      nameFlags(error, fields)
      const names = findBlamed(error).filter(name => name in fields)
      if (!isInteractive || names.length === 0) throw error
      err(sanitizeText(toMessage(error)))
      for (const name of new Set(names)) await ask(name)
    }
  }
}

/** Sends the change that the flags describe; a field named by `--clear` becomes null. */
export const submitChange = <Change, Result>(
  context: Context,
  fields: FieldFlagTable,
  options: { clear?: string[] },
  send: (change: Change) => Promise<Result>,
) =>
  submit<Change, Result>(context, fields, options, change => send({ ...change, ...toClearedFields(options) }))

/** Returns the values of flags that narrow a list. */
export const readQuery = <Query>(context: Context, fields: FieldFlagTable, options: object) =>
  submit<Query, Query>(context, fields, options, async query => query)

/** Names every missing flag at once, before anything is sent. */
export function requireFlags(fields: FieldFlagTable, options: object) {
  const flags = findMissingFlags(fields, options)
  if (flags.length > 0)
    throw new UsageError(`${flags.join(', ')} ${flags.length > 1 ? 'are' : 'is'} required`)
}

export const findMissingFlags = (fields: FieldFlagTable, options: object) =>
  findMissing(fields, getFieldTexts(fields, options)).map(name => toFlag(name, fields[name]!))

const findMissing = (fields: FieldFlagTable, texts: FieldTexts) =>
  Object.keys(fields).filter(name => fields[name]!.isRequired && texts[name] === undefined)

/** The fields that the server, or a local check, names as the cause. */
export function findRefusedFields(error: unknown): string[] {
  if (error instanceof FieldError) return [error.field]
  const { details } = error as KirayaError
  if (!Array.isArray(details)) return []
  return details.map(({ property = '' }: { property?: string }) => property.split(/[./[]/)[0]!)
}

/** What the server says of fields, it says of their flags here. */
function nameFlags(error: unknown, fields: FieldFlagTable) {
  const { code, violations = [] } = error as ValidationError
  if (code !== 'VALIDATION_ERROR' || violations.length === 0) return
  const sentences = violations.map(({ property, constraints }) => {
    const [name = '', ...place] = property.split('.')
    const flag = fields[name] ? toFlag(name, fields[name]) : name
    return `${[flag, ...place].join('.')} ${Object.values(constraints).join('; ')}`
  })
  Object.assign(error as Error, { message: sentences.join('; ') })
}

/** Returns the values of the fields, with ids for the names of people, units and agreements. */
async function readBody(context: Context, fields: FieldFlagTable, texts: FieldTexts): Promise<Body> {
  const body: Body = {}
  for (const [name, text] of Object.entries(texts))
    body[name] = await readField(context, name, fields[name]!, text)
  return body
}

const resolvers = { person: resolvePerson, unit: resolveUnit, agreement: resolveAgreementId }

async function readField(context: Context, name: string, field: FieldFlag, text: string | string[]) {
  const { record } = fieldKinds[field.kind]
  if (!record) return parseField(name, field, text)
  const client = await context.client()
  const resolve = async (one: string) => {
    try {
      return await resolvers[record](client, one)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      throw new FieldError(name, `${toFlag(name, field)}: ${error.message}`, error.exitCode)
    }
  }
  if (!Array.isArray(text)) return resolve(text)
  const ids: number[] = []
  for (const one of text) ids.push(await resolve(one))
  return ids
}
