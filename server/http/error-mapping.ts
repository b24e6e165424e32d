import { ValueErrorType, type ValueError } from '@sinclair/typebox/errors'
import { NotFoundError, ParseError, ValidationError } from 'elysia'
import type { FieldViolation } from '@kiraya/sdk/contract'
import { getSqlState, isDatabaseUnavailable } from '../../db/database-errors'
import { badRequest, Fault, notFound, toSentence, unavailable } from '../faults'

/** Whatever was thrown, as the one kind of error that clients are told of. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (error instanceof ValidationError && error.type !== 'response') {
    const details = brokenRules(error)
    return new Fault('VALIDATION_ERROR', toSentence(details), { details })
  }
  if (error instanceof NotFoundError) return notFound('Path')
  if (error instanceof ParseError)
    return error.cause instanceof Fault ? error.cause : badRequest('The body cannot be read')
  if (getSqlState(error)?.startsWith('22')) return badRequest('A value cannot be stored')
  if (isDatabaseUnavailable(error)) return unavailable('The database cannot be reached', error)
  return new Fault('INTERNAL_SERVER_ERROR', 'Something went wrong on our side', { cause: error })
}

function brokenRules(error: ValidationError): FieldViolation[] {
  const rules = new Map<string, Record<string, string>>()
  for (const found of (error.all as unknown as ValueError[]).flatMap(within)) {
    const property = String(found.path ?? '')
      .slice(1)
      .replaceAll('/', '.')
    const { rule, text } = ruleOf(found)
    const constraints = rules.get(property) ?? {}
    if (!('is_required' in constraints))
      rules.set(
        property,
        rule === 'is_required'
          ? { [rule]: `${property} ${text}` }
          : { ...constraints, [rule]: `${property || 'the request'} ${text}` },
      )
  }
  return [...rules].map(([property, constraints]) => ({ property: property || 'body', constraints }))
}

/** Of a field that may be null, what is wrong with it if it is not: that names the place in a list or record. */
const within = (found: ValueError): ValueError[] => {
  const { type, schema, value, errors } = found
  const given = schema.anyOf?.[1]?.type === 'null' && schema.anyOf.length === 2 && value !== undefined
  return type === ValueErrorType.Union && given && errors[0] ? [...errors[0]].flatMap(within) : [found]
}

function ruleOf({ type, schema, value, message }: ValueError): { rule: string; text: string } {
  const because = (rule: string, text: string) => ({ rule, text })
  if (value === undefined)
    return because(
      'is_required',
      describe(schema) ? `is required and must be ${schema.description ?? describe(schema)}` : 'is required',
    )
  switch (type) {
    case ValueErrorType.StringMaxLength:
      return because('max_length', `must be at most ${schema.maxLength} characters long`)
    case ValueErrorType.StringMinLength:
      return because('min_length', `must be at least ${schema.minLength} characters long`)
    case ValueErrorType.ArrayMaxItems:
      return because('max_items', `must have at most ${schema.maxItems} items`)
    case ValueErrorType.ArrayMinItems:
      return because('min_items', `must have at least ${schema.minItems} item`)
    case ValueErrorType.ArrayUniqueItems:
      return because('unique_items', 'must not name anything twice')
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return because(
        'minimum',
        schema.description ? `must be ${schema.description}` : `must be at least ${schema.minimum}`,
      )
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return because(
        'maximum',
        schema.description ? `must be ${schema.description}` : `must be at most ${schema.maximum}`,
      )
    default: {
      const kind = schema.description ?? describe(schema)
      return because(
        String(schema.format ?? (schema.pattern ? 'pattern' : (schema.type ?? 'valid'))).replaceAll('-', '_'),
        kind ? `must be ${kind}` : message,
      )
    }
  }
}

/** What a schema without a description of its own asks for. */
function describe(schema: ValueError['schema']): string | undefined {
  const named: Record<string, string> = {
    string: 'a string',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
    array: 'an array',
    object: 'an object',
    null: 'null',
  }
  return schema.anyOf
    ? schema.anyOf.map((part: ValueError['schema']) => part.description ?? describe(part)).join(' or ')
    : named[schema.type]
}
