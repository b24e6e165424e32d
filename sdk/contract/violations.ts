import { Type, type Static } from '@sinclair/typebox'
import { described, field, stringEnum } from './common.ts'
import { codeByReason, type ErrorReason } from './reasons.ts'

/** The rules that a schema of an input has. */
const schemaRules = [
  'is_required',
  'min_length',
  'max_length',
  'minimum',
  'maximum',
  'min_items',
  'max_items',
  'unique_items',
  'one_of',
  // The format of a text.
  'text',
  'paragraphs',
  'printable',
  'agreement_number',
  'mailbox',
  'web_address',
  'secret',
  'phone_number',
  'otp',
  'pan',
  'month',
  'fiscal_year',
  'calendar_date',
  'instant',
  'record_uuid',
  // The type of a value; `valid` is one of several types.
  'string',
  'boolean',
  'number',
  'decimal',
  'integer',
  'array',
  'object',
  'valid',
] as const
export type SchemaRule = (typeof schemaRules)[number]

type Reason = Exclude<ErrorReason, 'invalid_fields'>
type RecordRule = {
  [R in Reason]: (typeof codeByReason)[R] extends 'VALIDATION_ERROR' ? R : never
}[Reason]
const recordRules = Object.entries(codeByReason).flatMap(([reason, code]) =>
  code === 'VALIDATION_ERROR' && reason !== 'invalid_fields' ? [reason as RecordRule] : [],
)

export const FieldRule = field(
  stringEnum(...schemaRules, ...recordRules),
  'A rule that a field may break: one of its schema, or the `reason` of the error.',
)
export type FieldRule = Static<typeof FieldRule>

const Param = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

export const FieldViolation = described('The rules that one field of the request breaks.', {
  property: field(Type.String(), 'The path of the field, such as `property_units.0.unit_name`'),
  constraints: field(
    Type.Record(Type.String(), Type.String()),
    "What is wrong, by the name of each rule; it follows the field's label",
  ),
  rule: field(FieldRule, 'The first of these rules'),
  params: field(
    Type.Record(Type.String(), Type.Union([...Param.anyOf, Type.Array(Param)])),
    "What that rule depends on, such as the field's `min_length` and `max_length`",
  ),
  label: field(Type.String(), 'What people call the field, in the language of the message'),
})
export type FieldViolation = Static<typeof FieldViolation>
