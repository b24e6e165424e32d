import {
  Kind,
  Type,
  type Static,
  type TLiteral,
  type TSchema,
  type TUnion,
  type TUnsafe,
} from '@sinclair/typebox'

// A description completes the sentence "<field> must be …" and appears in the API documentation.

export const StringEnum = <const T extends readonly string[]>(...values: T) =>
  Type.Unsafe<T[number]>(
    Type.Union(
      values.map(value => Type.Literal(value)),
      { description: `one of ${values.join(', ')}` },
    ) as TUnion<TLiteral[]>,
  )

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** An optional field. In a creation null means absent; in a change null clears the field. */
export const OptionalNullable = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

type TextOptions = {
  format: 'text' | 'paragraphs' | 'agreement-number' | 'printable' | 'mailbox' | 'web-address' | 'secret'
  minLength?: number
  maxLength: number
  description: string
}

/**
 * A string whose length counts characters, not UTF-16 units. Surrounding blanks are removed first, but for a
 * secret, in which every character counts.
 */
export const StringOf = (options: TextOptions): TUnsafe<string> =>
  Type.Unsafe<string>({ [Kind]: 'Text', type: 'string', ...options })

/** Printable text that is not blank: one line, or `paragraphs`. */
export const Text = (maxLength: number, format: 'text' | 'paragraphs' = 'text') =>
  StringOf({ format, maxLength, description: `text of 1 to ${maxLength} characters` })
export const Texts = (maxLength = 255) =>
  Type.Array(Text(maxLength), { maxItems: 100, description: 'an array of at most 100 texts' })

/** A number with at most two decimals, stored exactly. */
export function Decimal(limits: { minimum?: number; exclusiveMinimum?: number; maximum: number }) {
  const lowerBound =
    limits.exclusiveMinimum === undefined
      ? `of ${limits.minimum} or more`
      : `above ${limits.exclusiveMinimum}`
  const schema = Type.Unsafe<number>({
    [Kind]: 'Decimal',
    type: 'number',
    ...limits,
    description: `a number ${lowerBound}, at most ${limits.maximum}, with no more than two decimals`,
  })
  return schema as TUnsafe<number>
}

export const Month = Type.String({
  pattern: '^(19|20|21)[0-9]{2}-(0[1-9]|1[0-2])$',
  description: 'a month, YYYY-MM',
})

const MAX_RUPEES = 9_999_999_999.99

/** Indian rupees: at most twelve digits with the decimals. */
export const Rupees = Decimal({ minimum: 0, maximum: MAX_RUPEES })
export const PositiveRupees = Decimal({ exclusiveMinimum: 0, maximum: MAX_RUPEES })

export const PositiveId = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'the numeric id of a record',
})
export const Uuid = Type.String({ format: 'record-uuid', description: 'a UUID' })
/** A record in an input. */
export const RecordKey = Type.Union([PositiveId, Uuid], { description: 'the number or UUID of a record' })
export const Timestamp = Type.String({ description: 'an ISO 8601 timestamp' })
export const CalendarDate = Type.String({
  format: 'calendar-date',
  description: 'a date of the calendar, YYYY-MM-DD',
})
export const FiscalYear = Type.String({
  format: 'fiscal-year',
  description: 'a year from April to March, such as 2026-27',
})
export const PhoneNumber = Type.String({
  pattern: '^[6-9][0-9]{9}$',
  description: 'a valid Indian mobile number: 10 digits, the first of them 6 to 9',
})

export const Message = Type.Object({ message: Type.String() })
export type Message = Static<typeof Message>

/** The position of a page in its list. */
export const PageMetadata = Type.Object({
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
  total_pages: Type.Integer(),
})
export type PageMetadata = Static<typeof PageMetadata>

/** `sort` names a field; a leading minus sorts in descending order. */
export const PageQuery = <const S extends readonly string[]>(sortable: S) => ({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  sort: Type.Optional(
    StringEnum(...(sortable.flatMap(field => [field, `-${field}`]) as (S[number] | `-${S[number]}`)[])),
  ),
})
export const SearchText = Type.Optional(
  StringOf({ format: 'text', maxLength: 100, description: 'text of 1 to 100 characters to look for' }),
)

export const ErrorCode = StringEnum(
  'VALIDATION_ERROR',
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'TOO_MANY_REQUESTS',
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
)
export type ErrorCode = Static<typeof ErrorCode>

/** The rules that one field of the request breaks. */
export const FieldViolation = Type.Object({
  property: Type.String(),
  constraints: Type.Record(Type.String(), Type.String()),
})
export type FieldViolation = Static<typeof FieldViolation>
