import { ValueErrorType, type ValueError } from '@sinclair/typebox/errors'
import type { SchemaRule } from '@kiraya/sdk/contract'
import { refuseRules, type BrokenRule } from '../../errors'
import { violations, type ViolatedRule } from '../../messages'

type Schema = ValueError['schema']

/** A long list of errors tells a client no more than its beginning. */
const MAX_ERRORS = 64

/** The error of an input that breaks its schema. */
export function invalidInput(errors: Iterable<ValueError>) {
  return refuseRules('invalid_fields', toBrokenRules(errors))
}

/** Lists each rule of a field that an input breaks once. */
function toBrokenRules(errors: Iterable<ValueError>): BrokenRule[] {
  const broken = new Map<string, BrokenRule>()
  for (const valueError of Iterator.from(errors).flatMap(expandNullable).take(MAX_ERRORS)) {
    const rule = toBrokenRule(valueError)
    broken.set(`${rule.property} ${rule.rule}`, rule)
  }
  return [...broken.values()]
}

/** `/tenant_ids/0` becomes `tenant_ids.0`. */
function toPropertyPath(path: string | undefined) {
  return String(path ?? '')
    .slice(1)
    .replaceAll('/', '.')
}

/** Whether a field may be null, and has one other type. */
export const isNullable = ({ anyOf }: Schema) => anyOf?.length === 2 && anyOf[1]?.type === 'null'

/** Replaces the error of a nullable field by those of its other type, which name the place within it. */
function* expandNullable(error: ValueError): Generator<ValueError> {
  const { type, schema, value, errors } = error
  const isPresent = value !== undefined
  if (type !== ValueErrorType.Union || !isNullable(schema) || !isPresent || !errors[0]) yield error
  else for (const inner of errors[0]) yield* expandNullable(inner)
}

type Limit = Exclude<ViolatedRule, 'wrong_value'>

const ruleByError: Partial<Record<ValueErrorType, Limit>> = {
  [ValueErrorType.ArrayMaxItems]: 'max_items',
  [ValueErrorType.ArrayMinItems]: 'min_items',
  [ValueErrorType.ArrayUniqueItems]: 'unique_items',
  [ValueErrorType.IntegerMaximum]: 'maximum',
  [ValueErrorType.IntegerMinimum]: 'minimum',
  [ValueErrorType.NumberMaximum]: 'maximum',
  [ValueErrorType.NumberMinimum]: 'minimum',
}

function toBrokenRule({ type, path, schema, value }: ValueError): BrokenRule {
  const rule = findRule(type, schema, value)
  // The words of a number tell more than one of its bounds.
  const isBound = rule === 'minimum' || rule === 'maximum'
  const worded = rule && !(isBound && schema.description) ? rule : 'wrong_value'
  return {
    property: toPropertyPath(path),
    rule: rule ?? nameRule(schema),
    params: toParams(schema),
    words: violations[worded](schema),
  }
}

/** The rule by which an input is refused, unless that is the type or the format of the value. */
function findRule(type: ValueErrorType, schema: Schema, value: unknown): Limit | undefined {
  if (value === undefined) return 'is_required'
  return typeof value === 'string' ? findLengthRule(schema, value) : ruleByError[type]
}

/** Counts characters (code points), as PostgreSQL does; JavaScript's length counts UTF-16 units. */
export function countCharacters(text: string) {
  return [...text].length
}

function findLengthRule({ minLength, maxLength }: Schema, text: string): Limit | undefined {
  const length = countCharacters(text)
  if (length > maxLength) return 'max_length'
  if (length < minLength) return 'min_length'
  return undefined
}

const listValues = ({ const: value, anyOf = [] }: Schema): unknown[] =>
  value === undefined ? anyOf.flatMap(listValues) : [value]

function nameRule(schema: Schema): SchemaRule {
  const { format, type = 'valid', 'x-rule': named = format } = schema
  const rule = named ?? (listValues(schema).length > 0 ? 'one_of' : type)
  return rule.replaceAll('-', '_')
}

/** The names of the limits in `params`, by their keywords. */
const limitNames = {
  minLength: 'min_length',
  maxLength: 'max_length',
  minimum: 'minimum',
  exclusiveMinimum: 'exclusive_minimum',
  maximum: 'maximum',
  minItems: 'min_items',
  maxItems: 'max_items',
  maxProperties: 'max_properties',
}

/** The limits of a field, and the values of an enumeration. */
function toParams(schema: Schema): BrokenRule['params'] {
  const isNotBlank = schema.format === 'text' || schema.format === 'paragraphs'
  const keywords: Schema = { ...(isNotBlank && { minLength: 1 }), ...schema }
  const limits = Object.entries(limitNames).flatMap(([keyword, name]) =>
    keywords[keyword] === undefined ? [] : [[name, keywords[keyword]]],
  )
  const values = listValues(schema) as string[]
  return { ...Object.fromEntries(limits), ...(values.length > 0 && { values }) }
}
