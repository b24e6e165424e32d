import type { KirayaError } from '@kiraya/sdk'
import type { Context } from '../runtime/context'
import { MissingFlagsError, toMessage, UsageError } from '../runtime/errors'
import {
  getFieldTexts,
  parseField,
  toClearedFields,
  toFieldName,
  toFlag,
  type FieldFlag,
  type FieldFlagTable,
  type FieldTexts,
} from './flags'
import { FieldError, fieldKinds } from './kinds'
import { resolveAgreementId, resolvePerson, resolveUnit } from './names'
import { sanitizeText } from '../output/sanitize'

type Body = Record<string, unknown>
/** Returns the fields to ask for again after a failure. */
type FindBlamed = (error: unknown) => string[]
type InputOptions = {
  findBlamed?: FindBlamed
  /** What questions suggest for fields that are missing. */
  suggestions?: Record<string, string>
}

/**
 * Sends the body that the flags describe. At a terminal a person is asked for required fields that are
 * missing, and again for those that are refused; elsewhere both are errors.
 */
export function submit<Input, Result>(
  context: Context,
  fields: FieldFlagTable,
  options: object,
  send: (input: Input) => Promise<Result>,
  inputOptions: InputOptions = {},
): Promise<Result> {
  return sendUntilAccepted(context, fields, options, body => send(body as Input), inputOptions)
}

/** Sends the change that the flags describe; a field named by `--clear` becomes null. */
export function submitChange<Change, Result>(
  context: Context,
  fields: FieldFlagTable,
  options: { clear?: string[] },
  send: (change: Change) => Promise<Result>,
): Promise<Result> {
  const optional = Object.entries(fields).map(([name, field]) => [name, { ...field, isRequired: false }])
  const cleared = toClearedFields(options)
  const sendChange = (body: Body) => send({ ...body, ...cleared } as Change)
  return sendUntilAccepted(context, Object.fromEntries(optional), options, sendChange, {})
}

async function sendUntilAccepted<Result>(
  context: Context,
  fields: FieldFlagTable,
  options: object,
  send: (body: Body) => Promise<Result>,
  { findBlamed = findRefusedFields, suggestions = {} }: InputOptions,
): Promise<Result> {
  const texts = getFieldTexts(fields, options)
  const ask = createAsk(context, fields, texts, suggestions)
  const missing = Object.keys(fields).filter(name => fields[name]!.isRequired && texts[name] === undefined)
  if (missing.length > 0 && !context.terminal.isInteractive)
    throw new MissingFlagsError(missing.map(name => toFlag(name, fields[name]!)))
  for (const name of missing) await ask(name)
  for (;;) {
    try {
      return await send(await readBody(context, fields, texts))
    } catch (error) {
      const names = findBlamed(error).filter(name => name in fields)
      if (!context.terminal.isInteractive || names.length === 0) throw error
      context.terminal.err(sanitizeText(toMessage(error)))
      for (const name of new Set(names)) await ask(name)
    }
  }
}

/** The fields that the server, or a local check, names as the cause. */
export function findRefusedFields(error: unknown): string[] {
  if (error instanceof FieldError) return [error.field]
  const { details } = error as KirayaError
  if (!Array.isArray(details)) return []
  return details.map(({ property = '' }: { property?: string }) => property.split(/[./[]/)[0]!)
}

/** Asks a person for a field, and puts the reply among the texts. */
function createAsk(
  { terminal }: Context,
  fields: FieldFlagTable,
  texts: FieldTexts,
  suggestions: Record<string, string>,
) {
  return async (name: string) => {
    const field = fields[name]!
    const { isRepeatable } = fieldKinds[field.kind]
    const reply = await terminal.ask(toQuestion(name, field, texts[name] ?? suggestions[name]))
    // An optional field that was refused may be left out.
    if (!reply) delete texts[name]
    else texts[name] = isRepeatable ? reply.split(',').map(text => text.trim()) : reply
  }
}

function toQuestion(name: string, field: FieldFlag, text: string | string[] | undefined) {
  const { description, choices, kind } = field
  const fieldName = toFieldName(name).replace(/ id(s?)$/, '$1')
  const message = fieldName.charAt(0).toUpperCase() + fieldName.slice(1)
  return {
    message: kind === 'people' ? `${message} (commas between several)` : message,
    placeholder: description,
    choices: choices ?? (kind === 'boolean' ? ['true', 'false'] : undefined),
    initial: text === undefined ? undefined : String(text),
    findMistake: (reply: string) => findMistake(name, field, reply),
  }
}

function findMistake(name: string, field: FieldFlag, reply: string) {
  if (!reply && field.isRequired) return 'Required'
  try {
    parseField(name, field, reply)
  } catch (error) {
    return toMessage(error)
  }
}

/** Returns the values of the fields, with ids for the names of people and units. */
export async function readBody(context: Context, fields: FieldFlagTable, texts: FieldTexts): Promise<Body> {
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

/** Returns the values of flags that narrow a list. */
export async function readQuery<Query>(context: Context, fields: FieldFlagTable, options: object) {
  return submit<Query, Query>(context, fields, options, async query => query)
}
