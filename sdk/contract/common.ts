import {
  Kind,
  OptionalKind,
  Type,
  type Static,
  type TInteger,
  type TLiteral,
  type TNull,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
} from '@sinclair/typebox'

// A schema is PascalCase, a function that builds one is camelCase. The `text` of a field is its documentation; a
// `description` completes the sentence "<field> must be …".

/** One of a few words. Its `enum` serves the entity's column and the CLI's choices. */
export const stringEnum = <const W extends readonly string[]>(
  ...words: W
): TUnsafe<W[number]> & { enum: W } => ({
  ...Type.Unsafe<W[number]>(
    Type.Union(
      words.map(word => Type.Literal(word)),
      { description: `one of ${words.join(', ')}` },
    ) as TUnion<TLiteral[]>,
  ),
  enum: words,
})

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

type TextFormat =
  | 'text'
  | 'paragraphs'
  | 'agreement-number'
  | 'printable'
  | 'mailbox'
  | 'web-address'
  | 'secret'
type StringFormat = 'record-uuid' | 'calendar-date' | 'fiscal-year' | 'instant'
/** The formats that the server checks, words and publishes. */
export type Format = TextFormat | StringFormat

/** A string that obeys a format, whatever its length. */
export const formatted = (format: StringFormat, description: string) => Type.String({ format, description })

type Lengths = { minLength?: number; maxLength: number }

/**
 * A string whose length counts characters, not UTF-16 units. Surrounding blanks are removed first, but for a
 * secret, in which every character counts.
 */
export const formattedText = (format: TextFormat, lengths: Lengths, description: string) =>
  Type.Unsafe<string>({ [Kind]: 'Text', type: 'string', format, ...lengths, description })

/** One printable line that is not blank. */
export const text = (maxLength: number) =>
  formattedText('text', { maxLength }, `text of 1 to ${maxLength} characters`)
export const paragraphs = (maxLength: number) =>
  formattedText('paragraphs', { maxLength }, `text of 1 to ${maxLength} characters`)

/** A list of an input; `name` completes "an array of at most 100 …". */
export const list = <S extends TSchema>(item: S, maxItems: number, name: string) =>
  Type.Array(item, { maxItems, description: `an array of at most ${maxItems} ${name}` })
export const Texts = list(text(255), 100, 'texts')

/** A number with at most two decimals, stored exactly. */
export function decimal(limits: { minimum?: number; exclusiveMinimum?: number; maximum: number }) {
  const lowerBound =
    limits.exclusiveMinimum === undefined
      ? `of ${limits.minimum} or more`
      : `above ${limits.exclusiveMinimum}`
  return Type.Unsafe<number>({
    [Kind]: 'Decimal',
    type: 'number',
    ...limits,
    description: `a number ${lowerBound}, at most ${limits.maximum}, with no more than two decimals`,
  })
}

export const Month = Type.String({
  pattern: '^(19|20|21)[0-9]{2}-(0[1-9]|1[0-2])$',
  description: 'a month, YYYY-MM',
})

const MAX_RUPEES = 9_999_999_999.99

/** Indian rupees: at most twelve digits with the decimals. */
export const Rupees = decimal({ minimum: 0, maximum: MAX_RUPEES })
export const PositiveRupees = decimal({ exclusiveMinimum: 0, maximum: MAX_RUPEES })

export const PositiveId = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'the numeric id of a record',
})
export const Uuid = formatted('record-uuid', 'a UUID')
export const Timestamp = Type.String({ format: 'date-time' })
export const CalendarDate = formatted('calendar-date', 'a date of the calendar, YYYY-MM-DD')
export const FiscalYear = formatted('fiscal-year', 'a year from April to March, such as 2026-27')
export const PhoneNumber = Type.String({
  pattern: '^[6-9][0-9]{9}$',
  description: 'a valid Indian mobile number: 10 digits, the first of them 6 to 9',
  text: '10 digits, the first of them 6 to 9',
})

type Referred = 'user' | 'unit' | 'agreement'

/** The number of another record; the CLI accepts its name. */
export const reference = (record: Referred): TInteger => ({ ...PositiveId, 'x-refers': record })

// ---- Fields of an input

export type NullableOf<S extends TSchema> = TUnion<[S, TNull]>
export type Optional<S extends TSchema> = TOptional<NullableOf<S>>
export type Defaulted<S extends TSchema> = Optional<S> & { default: unknown }
export type Computed<S extends TSchema> = S & { 'x-computed': true }

/** A field that is always there. The text is its documentation. */
export const field = <S extends TSchema>(schema: S, text: string): S => ({ ...schema, text })

/** An object with the text that documents it. */
export const described = <P extends TProperties>(text: string, fields: P) => Type.Object(fields, { text })

/** In a new record null means absent; in a change null clears the field. */
export const optional = <S extends TSchema>(schema: S, text: string) =>
  Type.Optional(field(nullable(schema), text))

/** Absent or null in a new record means the default; in a change null restores it. */
export const defaulted = <S extends TSchema>(schema: S, value: Static<S>, text: string): Defaulted<S> => ({
  ...optional(schema, text),
  default: value,
})

/** A field that may be absent, such as a filter of a query; null is no value of it. */
export const maybe = <S extends TSchema>(schema: S, text: string) => Type.Optional(field(schema, text))

/** A field of a response that is not the column of its name: each query computes it. */
export const computed = <S extends TSchema>(schema: S, text: string): Computed<S> => ({
  ...field(schema, text),
  'x-computed': true,
})

export const YearFilter = maybe(
  FiscalYear,
  'From April to March, such as `2026-27`; the present year without one',
)

export const Language = field(stringEnum('en', 'hi'), 'The language of messages and documents.')
export type Language = Static<typeof Language>

export const DocumentLanguageQuery = described('In which language a document is.', {
  language: maybe(Language, 'Of the document; that of `Accept-Language` without one'),
})
export type DocumentLanguageQuery = Static<typeof DocumentLanguageQuery>

// ---- What follows from the fields of an input

type ViewOf<F extends TSchema> =
  F extends Defaulted<infer S> ? S : F extends Optional<infer S> ? NullableOf<S> : F
type PatchOf<F extends TSchema> = F extends Optional<infer S> ? Optional<S> : TOptional<F>

/** The fields of a response: all are there, and null is left to an optional one without a default. */
export type View<P extends TProperties> = { [Name in keyof P]: ViewOf<P[Name]> }
/** The fields of a change: all may be absent, and null is left to those that may be null. */
export type Patch<P extends TProperties> = { [Name in keyof P]: PatchOf<P[Name]> }

export const view = <P extends TProperties>(fields: P) => mapFields(fields, toView) as View<P>
export const patch = <P extends TProperties>(fields: P) => mapFields(fields, toPatch) as Patch<P>

const mapFields = (fields: TProperties, map: (field: TSchema) => TSchema) =>
  Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, map(each)]))

function toView(input: TSchema): TSchema {
  const { [OptionalKind]: _, default: value, ...schema } = removeLimits(input)
  return value === undefined ? schema : { ...schema.anyOf[0], text: schema.text }
}

/** Elysia fills in defaults, so with them a change would reset the fields that it leaves out. */
function toPatch({ default: _, ...schema }: TSchema): TSchema {
  return Type.Optional(schema)
}

const PLAIN: Record<string, TSchema> = { Text: Type.String(), Decimal: Type.Number() }
const LIMITS = [
  'description',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
]

/** Limits are for inputs: a response with a value that is older than a limit would fail, with 500. */
function removeLimits(schema: TSchema): TSchema {
  const plain: TSchema = { ...(PLAIN[schema[Kind]] ?? schema) }
  if (schema.text !== undefined) plain.text = schema.text
  for (const limit of LIMITS) delete plain[limit]
  if (plain.items) plain.items = removeLimits(plain.items)
  if (plain.anyOf && !plain.enum) plain.anyOf = plain.anyOf.map(removeLimits)
  if (plain.properties) plain.properties = mapFields(plain.properties, removeLimits)
  return plain
}

// ---- Records and lists

/** The number and the UUID of a stored record. */
export const identity = <U extends string>(uuid: U) => ({
  id: field(Type.Integer(), 'Its number'),
  ...({ [uuid]: field(Type.String(), 'Its UUID') } as Record<U, TString>),
})

/** A stored record: its number and UUID, its fields, and when it was created, changed and deleted. */
export const record = <U extends string, P extends TProperties>(uuid: U, text: string, fields: P) =>
  Type.Object(
    {
      ...identity(uuid),
      ...fields,
      is_active: field(Type.Boolean(), 'False once it is deleted'),
      created_at: field(Timestamp, 'When it was created'),
      updated_at: field(Timestamp, 'When it was last changed'),
    },
    { text },
  )

export const Message = described('A sentence for people.', {
  message: field(Type.String(), 'A sentence for people'),
})
export type Message = Static<typeof Message>

/** What a route returns beside a sentence. */
export const response = <S extends TSchema>(data: S) => Type.Object({ ...Message.properties, data })

export const PageMetadata = described('The position of a page in its list.', {
  page: field(Type.Integer(), 'The page, from 1'),
  limit: field(Type.Integer(), 'How many records a page has at most'),
  total: field(Type.Integer(), 'How many records the list has'),
  total_pages: field(Type.Integer(), 'How many pages the list has'),
})
export type PageMetadata = Static<typeof PageMetadata>

export const page = <S extends TSchema>(item: S) =>
  Type.Object({ data: Type.Array(item), metadata: PageMetadata })
/** A page beside a sentence. */
export const pageResponse = <S extends TSchema>(item: S) =>
  Type.Object({ ...Message.properties, ...page(item).properties })

type Sort<Name extends string> = Name | `-${Name}`

/** A leading minus sorts in descending order. */
const sortBy = <const N extends readonly string[]>(
  names: N,
  order: Sort<N[number]>,
): TUnsafe<Sort<N[number]>> => ({
  ...stringEnum(...(names.flatMap(name => [name, `-${name}`]) as Sort<N[number]>[])),
  default: order,
})

/** Which page of a list, in which order. */
export const pageQuery = <const N extends readonly string[]>(names: N, order: Sort<N[number]>) => ({
  page: maybe(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }), 'The page, from 1'),
  limit: maybe(Type.Integer({ minimum: 1, maximum: 100, default: 50 }), 'How many records a page has'),
  sort: maybe(sortBy(names, order), 'The field to sort by; a leading minus sorts in descending order'),
})
export const SearchText = maybe(
  formattedText('text', { maxLength: 100 }, 'text of 1 to 100 characters to look for'),
  'Text to look for in names',
)
