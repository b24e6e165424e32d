import {
  Kind,
  OptionalKind,
  Type,
  type Static,
  type TNull,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
} from '@sinclair/typebox'
import { CalendarDate, FiscalYear, formattedText, nullable, stringEnum, Timestamp } from './values.ts'

export * from './values.ts'

// A schema is PascalCase, a function that builds one is camelCase. The `text` of a field is its documentation.

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
  described(text, {
    ...identity(uuid),
    ...fields,
    is_active: field(Type.Boolean(), 'False once it is deleted'),
    created_at: field(Timestamp, 'When it was created'),
    updated_at: field(Timestamp, 'When it was last changed'),
  })

const on = field(CalendarDate, 'Its day, YYYY-MM-DD, not after today')
export const PaperAcceptance = described("An acceptance on paper, as the landlord's side says.", { on })
export type PaperAcceptance = Static<typeof PaperAcceptance>
export const accepted_on_paper = optional(PaperAcceptance, 'That the tenants accepted it on paper')
export const AcceptanceInput = described('An own acceptance, or one on paper.', { accepted_on_paper })
export type AcceptanceInput = Static<typeof AcceptanceInput>
export const paper_accepted_on = field(nullable(Type.String()), 'The day of an acceptance on paper')

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
