import {
  Kind,
  Type,
  type TInteger,
  type TLiteral,
  type TSchema,
  type TUnion,
  type TUnsafe,
} from '@sinclair/typebox'

// What a value may be. A `description` completes the sentence "<field> must be …"; `x-rule` is its rule, if no keyword is.

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
  const { minimum, exclusiveMinimum, maximum } = limits
  const lowerBound = exclusiveMinimum === undefined ? `of ${minimum} or more` : `above ${exclusiveMinimum}`
  return Type.Unsafe<number>({
    [Kind]: 'Decimal',
    type: 'number',
    'x-rule': 'decimal',
    ...limits,
    description: `a number ${lowerBound}, at most ${maximum}, with no more than two decimals`,
  })
}

export const Month = Type.String({
  pattern: '^(19|20|21)[0-9]{2}-(0[1-9]|1[0-2])$',
  description: 'a month, YYYY-MM',
  'x-rule': 'month',
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
export const Instant = formatted('instant', 'a timestamp with its zone, such as 2027-01-01T00:00:00Z')
export const FiscalYear = formatted('fiscal-year', 'a year from April to March, such as 2026-27')
export const PhoneNumber = Type.String({
  pattern: '^[6-9][0-9]{9}$',
  description: 'a valid Indian mobile number: 10 digits, the first of them 6 to 9',
  text: '10 digits, the first of them 6 to 9',
  'x-rule': 'phone_number',
})

type Referred = 'user' | 'unit' | 'agreement'

/** The number of another record; the CLI accepts its name. */
export const reference = (record: Referred): TInteger => ({ ...PositiveId, 'x-refers': record })
