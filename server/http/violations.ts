import { ValueErrorType, type ValueError } from '@sinclair/typebox/errors'
import type { ValidationError } from 'elysia'
import type { FieldViolation } from '@kiraya/sdk/contract'
import { countCharacters } from './texts'

type Schema = ValueError['schema']
type Violation = { constraint: string; rule: string }

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

/** Lists the rules that an input breaks, field by field. */
export function toViolations(error: ValidationError): FieldViolation[] {
  const constraintsByProperty = new Map<string, Record<string, string>>()
  const valueErrors = (error.all as unknown as ValueError[]).flatMap(expandNullable)
  for (const valueError of valueErrors) {
    const property = toPropertyPath(valueError.path)
    const { constraint, rule } = toViolation(valueError)
    const known = constraintsByProperty.get(property) ?? {}
    if ('is_required' in known) continue

    // A missing field breaks every other rule as well, which says nothing new.
    const others = constraint === 'is_required' ? {} : known
    const subject = property || (constraint === 'is_required' ? '' : 'the request')
    constraintsByProperty.set(property, { ...others, [constraint]: `${subject} ${rule}` })
  }
  return [...constraintsByProperty].map(([property, constraints]) => ({
    property: property || 'body',
    constraints,
  }))
}

/** `/tenant_ids/0` becomes `tenant_ids.0`. */
function toPropertyPath(path: string | undefined) {
  return String(path ?? '')
    .slice(1)
    .replaceAll('/', '.')
}

/** Replaces the error of a nullable field by those of its other type, which name the place within it. */
function expandNullable(error: ValueError): ValueError[] {
  const { type, schema, value, errors } = error
  const isNullable = schema.anyOf?.length === 2 && schema.anyOf[1]?.type === 'null'
  const isPresent = value !== undefined
  if (type !== ValueErrorType.Union || !isNullable || !isPresent || !errors[0]) return [error]
  return [...errors[0]].flatMap(expandNullable)
}

function toViolation({ type, schema, value, message }: ValueError): Violation {
  if (value === undefined) return toMissingViolation(schema)
  switch (type) {
    case ValueErrorType.StringMaxLength:
      return { constraint: 'max_length', rule: `must be at most ${schema.maxLength} characters long` }
    case ValueErrorType.StringMinLength:
      return { constraint: 'min_length', rule: `must be at least ${schema.minLength} characters long` }
    case ValueErrorType.ArrayMaxItems:
      return { constraint: 'max_items', rule: `must have at most ${schema.maxItems} items` }
    case ValueErrorType.ArrayMinItems:
      return { constraint: 'min_items', rule: `must have at least ${schema.minItems} item` }
    case ValueErrorType.ArrayUniqueItems:
      return { constraint: 'unique_items', rule: 'must not contain duplicates' }
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return { constraint: 'minimum', rule: `must be ${schema.description ?? `at least ${schema.minimum}`}` }
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return { constraint: 'maximum', rule: `must be ${schema.description ?? `at most ${schema.maximum}`}` }
    case ValueErrorType.Kind:
      return toLengthViolation(schema, value) ?? toTypeViolation(schema, message)
    default:
      return toTypeViolation(schema, message)
  }
}

/** The rule that a text breaks by its length. */
function toLengthViolation({ minLength, maxLength }: Schema, value: unknown): Violation | undefined {
  if (typeof value !== 'string') return undefined
  const length = countCharacters(value)
  if (length > maxLength)
    return { constraint: 'max_length', rule: `must be at most ${maxLength} characters long` }
  if (length < minLength)
    return { constraint: 'min_length', rule: `must be at least ${minLength} characters long` }
  return undefined
}

function toMissingViolation(schema: Schema): Violation {
  const expected = describeSchema(schema)
  if (!expected) return { constraint: 'is_required', rule: 'is required' }
  return { constraint: 'is_required', rule: `is required and must be ${schema.description ?? expected}` }
}

function toTypeViolation(schema: Schema, message: string): Violation {
  const keyword = schema.pattern ? 'pattern' : (schema.type ?? 'valid')
  const expected = schema.description ?? describeSchema(schema)
  return {
    constraint: String(schema.format ?? keyword).replaceAll('-', '_'),
    rule: expected ? `must be ${expected}` : message,
  }
}

/** Describes what a schema accepts by its type. */
function describeSchema(schema: Schema): string | undefined {
  if (!schema.anyOf) return TYPE_NAMES[schema.type]
  const parts: Schema[] = schema.anyOf
  return parts.map(part => part.description ?? describeSchema(part)).join(' or ')
}
