import { ValueErrorType, type ValueError } from '@sinclair/typebox/errors'
import { refuseRules, type BrokenRule } from '../../faults'
import { toRuleText, type Rule } from '../../messages'
import { describe } from '../../messages/schema-words'

type Schema = ValueError['schema']
type Violation = { constraint: string; rule: Rule }

/** A long list of errors tells a client no more than its beginning. */
const MAX_ERRORS = 64

/** The fault of an input that breaks its schema. */
export function invalidInput(errors: Iterable<ValueError>) {
  return refuseRules('invalid_fields', toBrokenRules(errors))
}

/** Lists the rules that an input breaks, field by field. */
function toBrokenRules(errors: Iterable<ValueError>): BrokenRule[] {
  const rulesByProperty = new Map<string, Map<string, Rule>>()
  for (const valueError of Iterator.from(errors).flatMap(expandNullable).take(MAX_ERRORS)) {
    const property = toPropertyPath(valueError.path)
    const { constraint, rule } = toViolation(valueError)
    const known = rulesByProperty.get(property) ?? new Map<string, Rule>()
    rulesByProperty.set(property, known.set(constraint, rule))
  }
  return [...rulesByProperty].flatMap(([property, ruleByConstraint]) =>
    [...ruleByConstraint].map(([constraint, rule]) => ({ property, constraint, text: toRuleText(rule) })),
  )
}

/** `/tenant_ids/0` becomes `tenant_ids.0`. */
function toPropertyPath(path: string | undefined) {
  return String(path ?? '')
    .slice(1)
    .replaceAll('/', '.')
}

/** Replaces the error of a nullable field by those of its other type, which name the place within it. */
function* expandNullable(error: ValueError): Generator<ValueError> {
  const { type, schema, value, errors } = error
  const isNullable = schema.anyOf?.length === 2 && schema.anyOf[1]?.type === 'null'
  const isPresent = value !== undefined
  if (type !== ValueErrorType.Union || !isNullable || !isPresent || !errors[0]) yield error
  else for (const inner of errors[0]) yield* expandNullable(inner)
}

function toViolation({ type, schema, value }: ValueError): Violation {
  if (value === undefined) return toMissingViolation(schema)
  switch (type) {
    case ValueErrorType.StringMaxLength:
      return { constraint: 'max_length', rule: { kind: 'max_length', limit: schema.maxLength } }
    case ValueErrorType.StringMinLength:
      return { constraint: 'min_length', rule: { kind: 'min_length', limit: schema.minLength } }
    case ValueErrorType.ArrayMaxItems:
      return { constraint: 'max_items', rule: { kind: 'max_items', limit: schema.maxItems } }
    case ValueErrorType.ArrayMinItems:
      return { constraint: 'min_items', rule: { kind: 'min_items', limit: schema.minItems } }
    case ValueErrorType.ArrayUniqueItems:
      return { constraint: 'unique_items', rule: { kind: 'unique_items' } }
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return { constraint: 'minimum', rule: toBoundRule(schema, 'minimum') }
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return { constraint: 'maximum', rule: toBoundRule(schema, 'maximum') }
    case ValueErrorType.Kind:
      return toLengthViolation(schema, value) ?? toTypeViolation(schema)
    default:
      return toTypeViolation(schema)
  }
}

/** Counts characters (code points), as PostgreSQL does; JavaScript's length counts UTF-16 units. */
export function countCharacters(text: string) {
  return [...text].length
}

/** The rule that a text breaks by its length. */
function toLengthViolation({ minLength, maxLength }: Schema, value: unknown): Violation | undefined {
  if (typeof value !== 'string') return undefined
  const length = countCharacters(value)
  if (length > maxLength) return { constraint: 'max_length', rule: { kind: 'max_length', limit: maxLength } }
  if (length < minLength) return { constraint: 'min_length', rule: { kind: 'min_length', limit: minLength } }
  return undefined
}

const toBoundRule = (schema: Schema, kind: 'minimum' | 'maximum'): Rule =>
  schema.description ? { kind: 'value', schema } : { kind, limit: schema[kind] }

function toMissingViolation(schema: Schema): Violation {
  const rule: Rule = describe(schema, 'en') ? { kind: 'missing_value', schema } : { kind: 'missing' }
  return { constraint: 'is_required', rule }
}

function toTypeViolation(schema: Schema): Violation {
  const keyword = schema.pattern ? 'pattern' : (schema.type ?? 'valid')
  return {
    constraint: String(schema.format ?? keyword).replaceAll('-', '_'),
    rule: describe(schema, 'en') ? { kind: 'value', schema } : { kind: 'invalid' },
  }
}
