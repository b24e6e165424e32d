import type { AllocationInput, Deduction, NewRecurringCharge } from '@kiraya/sdk'
import { Option } from 'commander'
import { fieldKinds, FieldError, type FieldKind } from './kinds'

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

type KindOf<Value> =
  | (Value extends string ? 'text' | 'phone' : never)
  | (Value extends number ? 'number' | 'integer' | 'person' | 'unit' | 'agreement' : never)
  | (Value extends boolean ? 'boolean' : never)
  | (Value extends string[] ? 'texts' : never)
  | (Value extends number[] ? 'people' : never)
  | (Value extends AllocationInput[] ? 'allocations' : never)
  | (Value extends NewRecurringCharge[] | Deduction[] ? 'items' : never)
/** The choices of a field of few words; TypeScript refuses a word that the API does not know. */
type ChoiceOf<Value> = { kind: 'choice'; choices: readonly Extract<Value, string>[] }

type FlagOf<Value> = Omit<FieldFlag, 'kind' | 'isRequired' | 'choices'> &
  ({ kind: KindOf<NonNullable<Value>>; choices?: undefined } | ChoiceOf<Value>)
type Requirement<Value> = undefined extends Value ? { isRequired?: never } : { isRequired: true }

/** The flags of a request body. A field that the table forgets does not compile. */
export type FieldFlags<Body> = { [Name in keyof Body]-?: FlagOf<Body[Name]> & Requirement<Body[Name]> }

/** The flags of a change, in which every field is optional. They may be the flags of the creation. */
export type ChangeFlags<Change> = { [Name in keyof Change]-?: FlagOf<Change[Name]> }

/** The texts of the flags by field; a repeatable flag has several. */
export type FieldTexts = Record<string, string | string[]>

/** Returns the flags as commander's options: an alias is listed in the help, its long form is not. */
export function toOptions(fields: FieldFlagTable): Option[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const longOption = toOption(toKebabCase(name), field)
    if (!field.alias) return [longOption]
    return [toOption(field.alias, field), longOption.hideHelp()]
  })
}

/** Values stay texts until `parseField`, so that a mistake in a flag and in a reply meet the same rules. */
function toOption(flag: string, field: FieldFlag) {
  const { argument, isRepeatable } = fieldKinds[field.kind]
  const meaning = [field.description, field.choices?.join(', ')].filter(Boolean).join(': ')
  const help = [meaning, isRepeatable && '(repeatable)'].filter(Boolean).join(' ')
  const option = new Option(`--${flag} ${argument}`, help || undefined)
  return isRepeatable ? option.argParser(appendValue<string>) : option
}

export const toFlag = (name: string, { alias }: FieldFlag) => `--${alias ?? toKebabCase(name)}`

/** Returns what people call a field of the API. */
export const toFieldName = (name: string) =>
  name === 'otp' ? 'one-time password' : name.replaceAll('_', ' ')

/** Returns the texts that the flags give. */
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
    if (result.mistake) throw toFieldError(name, field, result.mistake, one)
    return result.value
  }
  if (!isRepeatable) return parseOne(String(text))
  return (Array.isArray(text) ? text : text.split(',')).map(parseOne)
}

const toFieldError = (name: string, field: FieldFlag, mistake: string, text: string) =>
  new FieldError(name, `${toFlag(name, field)} ${mistake}; it is ${text}`)

/** Returns null for each field that `--clear` names. */
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

export const pageFields = {
  page: { kind: 'integer', description: 'page number' },
  limit: { kind: 'integer', description: 'items per page, at most 100' },
  sort: { kind: 'text', description: 'field to sort by; a leading - sorts in descending order' },
} as const satisfies FieldFlagTable

export const searchFields = {
  ...pageFields,
  q: { kind: 'text', description: 'text to search for' },
} as const satisfies FieldFlagTable
