import { Option } from 'commander'
import { fieldKinds, FieldError, type FieldKind } from './kinds'

/** An object of the contract. */
export type Schema<Value> = { static: Value; properties: Record<string, object>; required?: string[] }

/** What a flag or a column of a file needs of the schema of its field. */
export type FieldSchema = {
  type?: string
  format?: string
  text?: string
  enum?: readonly string[]
  anyOf?: FieldSchema[]
  items?: FieldSchema
  description?: string
  default?: unknown
  pattern?: string
  maxLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  'x-refers'?: 'user' | 'unit' | 'agreement'
}

/** A field of the API as a flag, named like the field in kebab-case or by its shorter alias. */
export type FieldFlag = {
  kind: FieldKind
  description?: string
  alias?: string
  isRequired?: boolean
  /** The values of a `choice`. */
  choices?: readonly string[]
}
export type FieldFlagTable = Record<string, FieldFlag>

/** What the command line alone needs: an alias, better words, or a kind that no schema tells. */
export type FlagWords<Input> = { [Name in keyof Input]?: Partial<FieldFlag> }

/** The texts of the flags by field; a repeatable flag has several. */
export type FieldTexts = Record<string, string | string[]>

const kinds: Record<string, FieldKind> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
}

/** Returns the flags of an input: all follow from its schema, but for a few words. */
export function toFieldFlags<Input>(input: Schema<Input>, words: FlagWords<Input> = {}): FieldFlagTable {
  const flags = Object.entries<FieldSchema>(input.properties).map(([name, field]) => {
    const isRequired = input.required?.includes(name)
    return [name, { ...toFieldFlag(name, field), isRequired, ...words[name as keyof Input] }] as const
  })
  // Other processes can read flags, so secrets have none; what is deeper than a list is left to `api`.
  return Object.fromEntries(flags.filter(([, { kind }]) => kind)) as FieldFlagTable
}

export const pickFlags = (fields: FieldFlagTable, ...names: string[]): FieldFlagTable =>
  Object.fromEntries(names.map(name => [name, fields[name]!]))

function toFieldFlag(name: string, field: FieldSchema): Partial<FieldFlag> {
  const schema = removeNull(field)
  const record = schema['x-refers'] ?? schema.items?.['x-refers']
  if (record) return toReferenceFlag(name, record, schema.type === 'array')
  return { kind: toKind(schema), description: toHelp(field.text), choices: schema.enum }
}

/** A field that may be null is a union, as numbers to choose from are; words come with their enumeration. */
export const removeNull = (field: FieldSchema): FieldSchema =>
  field.anyOf && !field.enum ? removeNull(field.anyOf[0]!) : field

/** The flag takes the name of the record, so its own name has no `id`. */
function toReferenceFlag(name: string, record: 'user' | 'unit' | 'agreement', isList: boolean): FieldFlag {
  if (record === 'unit')
    return { kind: record, alias: record, description: 'id, or property and name as "White House/A-101"' }
  if (record === 'agreement') return { kind: record, alias: record, description: 'id or agreement number' }
  const alias = toKebabCase(name.replace(/_ids?$/, ''))
  return { kind: isList ? 'people' : 'person', alias, description: 'phone number, name or user id' }
}

function toKind({ enum: words, type = '', format, items }: FieldSchema): FieldKind | undefined {
  if (format === 'secret') return undefined
  if (words) return 'choice'
  return items?.type === 'string' ? 'texts' : kinds[type]
}

/** Help is one sentence without Markdown; it begins with a small letter, unless an abbreviation begins it. */
const toHelp = (text?: string) =>
  text
    ?.split('. ')[0]!
    .replaceAll('`', '')
    .replace('Indian rupees', 'rupees')
    .replace(/^[A-Z](?=[a-z]| )/, letter => letter.toLowerCase())

/** Returns the flags as commander's options, the required ones first: an alias is in the help, its long form is not. */
export function toOptions(fields: FieldFlagTable): Option[] {
  const isOptional = ([, { isRequired }]: [string, FieldFlag]) => Number(!isRequired)
  const requiredFirst = Object.entries(fields).toSorted((a, b) => isOptional(a) - isOptional(b))
  return requiredFirst.flatMap(([name, field]) => {
    const longOption = toOption(toKebabCase(name), field)
    if (!field.alias || field.alias === toKebabCase(name)) return [longOption]
    return [toOption(field.alias, field), longOption.hideHelp()]
  })
}

/** Values stay texts until `parseField`, so that a mistake in a flag and in a reply meet the same rules. */
function toOption(flag: string, field: FieldFlag) {
  const { argument, isRepeatable } = fieldKinds[field.kind]
  const meaning = [field.description, field.choices?.join(', ')].filter(Boolean).join(': ')
  const help = [field.isRequired && 'required:', meaning, isRepeatable && '(repeatable)']
    .filter(Boolean)
    .join(' ')
  const option = new Option(`--${flag} ${argument}`.trim(), help || undefined)
  return isRepeatable ? option.argParser(appendValue<string>) : option
}

export const toFlag = (name: string, { alias }: FieldFlag) => `--${alias ?? toKebabCase(name)}`

/** Returns what people call a field of the API. */
export const toFieldName = (name: string) =>
  name === 'otp' ? 'one-time password' : name.replaceAll('_', ' ')

export function getFieldTexts(fields: FieldFlagTable, options: object): FieldTexts {
  const given = options as FieldTexts
  const texts: FieldTexts = {}
  for (const [name, { alias = '' }] of Object.entries(fields)) {
    const text = given[toCamelCase(toKebabCase(name))] ?? given[toCamelCase(alias)]
    if (text !== undefined) texts[name] = text
  }
  return texts
}

/** Returns the value of a field's text. Throws a `FieldError`. Names of records stay texts. */
export function parseField(name: string, field: FieldFlag, text: string | string[]): unknown {
  const { parse, isRepeatable } = fieldKinds[field.kind]
  if (!parse) return text
  const parseOne = (one: string) => {
    const result = parse(one, field)
    if (result.mistake) throw new FieldError(name, `${toFlag(name, field)} ${result.mistake}; it is ${one}`)
    return result.value
  }
  if (!isRepeatable) return parseOne(String(text))
  return (Array.isArray(text) ? text : text.split(',')).map(parseOne)
}

export function toClearedFields({ clear = [] }: { clear?: string[] }) {
  return Object.fromEntries(clear.map(field => [field.replaceAll('-', '_'), null]))
}

const toKebabCase = (name: string) => name.replaceAll('_', '-')
const toCamelCase = (flag: string) => flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Collects the values of a repeatable flag. */
export function appendValue<Value>(value: Value, previous: unknown): Value[] {
  const previousValues = (previous ?? []) as Value[]
  return [...previousValues, value]
}

/** The flags of every list. The server knows what a list is sorted by. */
export const pageFields = {
  page: { kind: 'integer', description: 'page number' },
  limit: { kind: 'integer', description: 'items per page, at most 100' },
  sort: { kind: 'text', description: 'field to sort by; a leading - sorts in descending order' },
} as const satisfies FieldFlagTable

/** The flag of a phone number, in any form in which people write one. */
export const phoneWords = {
  kind: 'phone',
  alias: 'phone',
  description: 'Indian mobile number, such as +91 98765 43210',
} as const satisfies FieldFlag
