import { InvalidArgumentError, Option } from 'commander'
import { MissingFlagsError } from './exit-codes'

type FlagKind = { argument: string; parse?: (text: string, previous: unknown) => unknown }

const flagKinds = {
  text: { argument: '<text>' },
  number: { argument: '<number>', parse: parseNumber },
  integer: { argument: '<number>', parse: parseInteger },
  boolean: { argument: '<true|false>', parse: parseBoolean },
  texts: { argument: '<text>', parse: appendValue },
  integers: { argument: '<id>', parse: (text, previous) => appendValue(parseInteger(text), previous) },
} satisfies Record<string, FlagKind>

/** A field of the API as a flag, named like the field in kebab-case or by its shorter alias. */
type FieldFlag = {
  kind: keyof typeof flagKinds
  description?: string
  alias?: string
  isRequired?: boolean
}
export type FieldFlagTable = Record<string, FieldFlag>

type KindOf<Value> =
  | (Value extends string ? 'text' : never)
  | (Value extends number ? 'number' | 'integer' : never)
  | (Value extends boolean ? 'boolean' : never)
  | (Value extends string[] ? 'texts' : never)
  | (Value extends number[] ? 'integers' : never)

type FlagOf<Value> = Omit<FieldFlag, 'kind' | 'isRequired'> & { kind: KindOf<NonNullable<Value>> }
type Requirement<Value> = undefined extends Value ? { isRequired?: never } : { isRequired: true }

/** The flags of a request body. A field that the table forgets does not compile. */
export type FieldFlags<Body> = { [Name in keyof Body]-?: FlagOf<Body[Name]> & Requirement<Body[Name]> }

/** The flags of a change, in which every field is optional. They may be the flags of the creation. */
export type ChangeFlags<Change> = { [Name in keyof Change]-?: FlagOf<Change[Name]> }

/** Returns the flags as commander's options: an alias is listed in the help, its long form is not. */
export function toOptions(fields: FieldFlagTable): Option[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const longOption = toOption(toKebabCase(name), field)
    if (!field.alias) return [longOption]
    return [toOption(field.alias, field), longOption.hideHelp()]
  })
}

function toOption(flag: string, { kind, description = '' }: FieldFlag) {
  const { argument, parse }: FlagKind = flagKinds[kind]
  const isRepeatable = kind === 'texts' || kind === 'integers'
  const help = isRepeatable ? `${description} (repeatable)`.trim() : description
  const option = new Option(`--${flag} ${argument}`, help || undefined)
  return parse ? option.argParser(parse) : option
}

/** Returns the body that the flags describe. Throws a usage error that names the missing flags. */
export function toRequestBody<Body>(fields: FieldFlags<Body>, options: object): Body {
  const table = fields as FieldFlagTable
  const values = getFieldValues(table, options)
  const missingFlags = Object.entries(table)
    .filter(([name, field]) => field.isRequired && values[name] === undefined)
    .map(([name, field]) => `--${field.alias ?? toKebabCase(name)}`)
  if (missingFlags.length > 0) throw new MissingFlagsError(missingFlags)
  return values as Body
}

/** Returns the change that the flags describe; a field named by `--clear` becomes null. */
export function toChangeBody<Change>(fields: ChangeFlags<Change>, options: { clear?: string[] }): Change {
  const values = getFieldValues(fields as FieldFlagTable, options)
  const clearedFields = options.clear ?? []
  const nulls = clearedFields.map(field => [field.replaceAll('-', '_'), null])
  return { ...values, ...Object.fromEntries(nulls) } as Change
}

function getFieldValues(fields: FieldFlagTable, options: object) {
  const given = options as Record<string, unknown>
  const values: Record<string, unknown> = {}
  for (const [name, { alias = '' }] of Object.entries(fields)) {
    const value = given[toCamelCase(toKebabCase(name))] ?? given[toCamelCase(alias)]
    if (value !== undefined) values[name] = value
  }
  return values
}

const toKebabCase = (name: string) => name.replaceAll('_', '-')
const toCamelCase = (flag: string) => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

function parseNumber(text: string) {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('must be a number')
  return Number(text)
}

function parseInteger(text: string) {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError('must be a whole number')
  return Number(text)
}

function parseBoolean(text: string) {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('must be true or false')
  return text === 'true'
}

/** Collects the values of a repeatable flag. */
export function appendValue<Value>(value: Value, previous: unknown): Value[] {
  const previousValues = (previous ?? []) as Value[]
  return [...previousValues, value]
}

type PageQuery = { page?: number; limit?: number; sort?: string }

export const pageFields: FieldFlags<PageQuery> = {
  page: { kind: 'integer', description: 'page number' },
  limit: { kind: 'integer', description: 'items per page, at most 100' },
  sort: { kind: 'text', description: 'field to sort by; a leading - sorts in descending order' },
}

export const searchFields: FieldFlags<PageQuery & { q?: string }> = {
  ...pageFields,
  q: { kind: 'text', description: 'text to search for' },
}
