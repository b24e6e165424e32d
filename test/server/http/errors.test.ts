import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Errors } from '@sinclair/typebox/errors'
import {
  PhoneNumber,
  PositiveRupees,
  RoomType,
  Rupees,
  text,
  type ErrorReason,
  type FieldRule,
} from '@kiraya/sdk/contract'
import {
  ApiError,
  refuse,
  refuseFields,
  refuseRules,
  toErrorEnvelope,
  type BrokenRule,
} from '../../../server/errors'
import { dialects } from '../../../server/http/variants/dialect'
import '../../../server/http/body/formats'
import { invalidInput } from '../../../server/http/body/violations'

const say = (reason: ErrorReason) => new ApiError(reason, ['said', 'कहा'])

test.each<[reason: ErrorReason, status: number, name: string, retryAfterS: number | undefined]>([
  ['already_signed', 400, 'Bad Request', undefined],
  ['invalid_fields', 400, 'Bad Request', undefined],
  ['sign_in_required', 401, 'Unauthorized', undefined],
  ['not_unit_side', 403, 'Forbidden', undefined],
  ['unit_not_found', 404, 'Not Found', undefined],
  ['body_too_large', 413, 'Payload Too Large', undefined],
  ['too_many_otps', 429, 'Too Many Requests', undefined],
  ['internal_error', 500, 'Internal Server Error', undefined],
  ['database_unreachable', 503, 'Service Unavailable', 5],
])('%s is %d to clients of both variants', (reason, status, name, retryAfterS) => {
  const error = say(reason)
  expect([error.status, error.retryAfterS]).toEqual([status, retryAfterS])
  expect(dialects.a.encodeError(error, 'en')).toEqual({ statusCode: status, message: 'said', error: name })
  expect(toErrorEnvelope(error, 'en')).toEqual({
    success: false,
    data: null,
    error: { code: error.code, reason, message: 'said', details: undefined },
  })
})

test('a wait that is named takes the place of the usual one', () => {
  expect(refuse('database_unreachable', {}, { retryAfterS: 2 }).retryAfterS).toBe(2)
})

describe('broken rules', () => {
  const rule = (property: string, rule: FieldRule, sentence: string): BrokenRule => ({
    property,
    rule,
    params: { of: rule },
    words: [sentence, `में ${sentence}`],
  })
  const error = refuseRules('invalid_fields', [
    rule('first_name', 'max_length', 'is long'),
    rule('first_name', 'text', 'is odd'),
    rule('', 'object', 'must be an object'),
  ])
  const sentences = ['first_name is long', 'first_name is odd', 'the request must be an object']

  test('each sentence begins with its field, or with the request', () => {
    expect(error.message).toBe(sentences.join('; '))
    expect(dialects.a.encodeError(error, 'en')).toMatchObject({
      message: ['firstName is long', 'firstName is odd', ...sentences.slice(2)],
    })
  })

  test.each([
    ['en', 'First name', 'The request'],
    ['hi', 'पहला नाम', 'अनुरोध'],
  ] as const)(
    'the details list the rules of each field in %s, and those of the request as the body',
    (language, ...labels) => {
      const [name, request] = labels
      const constraints = { max_length: 'is long', text: 'is odd' }
      const first = { rule: 'max_length', params: { of: 'max_length' }, label: name } as const
      const body = { constraints: { object: 'must be an object' }, params: { of: 'object' }, label: request }
      expect(toErrorEnvelope(error, language).error.details).toEqual([
        { property: 'first_name', constraints, ...first },
        { property: 'body', rule: 'object', ...body },
      ])
    },
  )

  test('one rule of several fields names each of them', () => {
    const { brokenRules } = refuseFields('pin_code_unknown', ['city', 'state'], { pin_code: 999999 })
    const rule = { rule: 'pin_code_unknown', params: { pin_code: 999999 } } as const
    expect(brokenRules).toMatchObject([
      { property: 'city', ...rule },
      { property: 'state', ...rule },
    ])
  })
})

describe('the violation of a schema', () => {
  const described = { description: 'a fine value' }

  test.each([
    ['max_length', Type.String({ maxLength: 2 }), 'abc', 'must be at most 2 characters long'],
    ['min_length', Type.String({ minLength: 2 }), 'a', 'must be at least 2 characters long'],
    ['max_items', Type.Array(Type.Any(), { maxItems: 1 }), [1, 2], 'must have at most 1 items'],
    ['min_items', Type.Array(Type.Any(), { minItems: 1 }), [], 'must have at least 1 item'],
    ['unique_items', Type.Array(Type.Any(), { uniqueItems: true }), [1, 1], 'must not contain duplicates'],
    ['minimum', Type.Number({ minimum: 1 }), 0, 'must be at least 1'],
    ['minimum', Type.Integer({ minimum: 1, ...described }), 0, 'must be a fine value'],
    ['maximum', Type.Integer({ maximum: 1 }), 2, 'must be at most 1'],
    ['maximum', Type.Number({ maximum: 1, ...described }), 2, 'must be a fine value'],
    ['string', Type.String(), 1, 'must be a string'],
    ['number', Type.Number(), 'x', 'must be a number'],
    ['integer', Type.Integer(), 1.5, 'must be a whole number'],
    ['boolean', Type.Boolean(), 'x', 'must be true or false'],
    ['array', Type.Array(Type.Any(), described), {}, 'must be a fine value'],
    ['object', Type.Object({}), [], 'must be an object'],
    ['string', Type.String({ pattern: '^a$', ...described }), 'b', 'must be a fine value'],
    ['otp', Type.String({ pattern: '^a$', 'x-rule': 'otp', ...described }), 'b', 'must be a fine value'],
    ['one_of', Type.Union([Type.Literal('a'), Type.Literal('b')], described), 'x', 'must be a fine value'],
    ['valid', Type.Union([Type.Integer(), Type.Boolean()], described), 'x', 'must be a fine value'],
    ['is_required', Type.String(), undefined, 'is required and must be a string'],
    ['is_required', Type.Integer(described), undefined, 'is required and must be a fine value'],
  ])('%s', (rule, schema, value, sentence) => {
    const body = value === undefined ? {} : { field: value }
    const error = invalidInput(Errors(Type.Object({ field: schema }), [], body))
    expect(toErrorEnvelope(error, 'en').error.details).toMatchObject([
      { property: 'field', constraints: { [rule]: sentence }, rule, label: 'Field' },
    ])
    expect(error.message).toBe(`field ${sentence}`)
  })

  test.each([
    [text(255), '', { min_length: 1, max_length: 255 }],
    [text(255), 'x'.repeat(256), { min_length: 1, max_length: 255 }],
    [Type.Union([text(9), Type.Null()]), 7, { min_length: 1, max_length: 9 }],
    [Rupees, -1, { minimum: 0, maximum: 9_999_999_999.99 }],
    [PositiveRupees, 0, { exclusive_minimum: 0, maximum: 9_999_999_999.99 }],
    [Type.Array(Type.Any(), { minItems: 1, maxItems: 2 }), [], { min_items: 1, max_items: 2 }],
    [RoomType, 'x', { values: RoomType.enum }],
    [Type.Literal('a'), 'x', { values: ['a'] }],
    [PhoneNumber, '1', {}],
  ])('has the limits of its field as params: %#', (schema, value, params) => {
    const error = invalidInput(Errors(Type.Object({ field: schema }), [], { field: value }))
    expect(error.brokenRules![0]!.params).toEqual(params as BrokenRule['params'])
  })

  test('a nullable field names the place within it', () => {
    const inner = Type.Object({ list: Type.Array(Type.Integer()) })
    const schema = Type.Object({ field: Type.Union([inner, Type.Null()]) })
    const error = invalidInput(Errors(schema, [], { field: { list: ['x'] } }))
    expect(error.message).toBe('field.list.0 must be a whole number')
  })

  test('the first 64 violations are named', () => {
    const values = Array.from({ length: 70 }, () => 'x')
    expect(invalidInput(Errors(Type.Array(Type.Integer()), [], values)).brokenRules).toHaveLength(64)
  })
})
