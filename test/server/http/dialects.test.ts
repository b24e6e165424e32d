import { describe, expect, test } from 'bun:test'
import {
  renameFields,
  toCamelCase,
  toCamelCaseSchema,
  toSnakeCase,
} from '../../../server/http/variants/camel-case'
import { detectVariant } from '../../../server/http/variants/detect-variant'
import { dialects } from '../../../server/http/variants/dialect'

describe('Variant A', () => {
  test('sends camelCase; what it does not have is ignored', () => {
    const sent = {
      firstName: 'Asha',
      first_name: 'ignored',
      userId: 5,
      password: 'x',
      currentPassword: 'x',
      verificationId: { innerName: [{ deepName: 1 }] },
    }
    expect(dialects.a.decodeBody(sent)).toEqual({
      first_name: 'Asha',
      verification_id: { inner_name: [{ deep_name: 1 }] },
    })
    for (const other of ['text', 5, null, ['x']]) expect(dialects.a.decodeBody(other)).toEqual(other)
  })

  test('reads camelCase, but for the access token', () => {
    const result = { access_token: 't', user: { user_id: 'u', first_name: 'Asha', list_of: [{ a_b: 1 }] } }
    expect(dialects.a.encodeResult(result)).toEqual({
      access_token: 't',
      user: { firstName: 'Asha', listOf: [{ aB: 1 }] },
    })
    expect([toCamelCase('access_token'), toSnakeCase('aB')]).toEqual(['access_token', 'a_b'])
    expect(renameFields('text', toCamelCase)).toBe('text')
  })

  test('has schemas with the names of its fields', () => {
    const text = { type: 'string' }
    const schema = {
      type: 'object',
      required: ['user_id', 'first_name'],
      properties: {
        user_id: text,
        first_name: text,
        inner_part: { type: 'object', properties: { a_b: text } },
      },
    }
    expect(toCamelCaseSchema(schema)).toEqual({
      type: 'object',
      required: ['firstName'],
      properties: { firstName: text, innerPart: { type: 'object', properties: { aB: text } } },
    })
  })
})

test('Variant B reads an envelope, around a page too', () => {
  expect(dialects.b.encodeResult({ id: 1 })).toEqual({ success: true, data: { id: 1 } })
  expect(dialects.b.encodeResult({ data: [1], metadata: {} })).toEqual({
    success: true,
    data: [1],
    metadata: {},
  })
})

describe('the variant of a request', () => {
  const token = (variant: string) =>
    `Bearer x.${Buffer.from(JSON.stringify({ sub: '1', variant })).toString('base64url')}.y`

  test.each<[path: string, authorization: string | null, body: unknown, variant: 'a' | 'b']>([
    ['/auth', null, {}, 'a'],
    ['/auth/', null, {}, 'a'],
    ['/auth', token('b'), {}, 'b'],
    ['/auth', token('b'), { phoneNumber: 1 }, 'a'],
    ['/auth/me', null, undefined, 'b'],
    ['/auth/me', token('a'), undefined, 'a'],
    ['/dashboard/', token('a'), undefined, 'a'],
    ['/dashboard', token('b'), undefined, 'b'],
    ['/dashboard', null, ['phone_number'], 'a'],
    ['/dashboard', null, 'phone_number', 'a'],
    ['/dashboard', null, null, 'a'],
    ['/profile/ekyc', null, undefined, 'a'],
    ['/profile/ekyc', 'Basic x', {}, 'a'],
    ['/profile/complete', token('a'), { first_name: 'x' }, 'b'],
    ['/profile/complete', token('b'), { firstName: 'x' }, 'a'],
    ['/profile/complete', token('b'), { lastName: 'x', last_name: 'x' }, 'b'],
    ['/profile/complete', token('b'), { lastName: 'x' }, 'a'],
    ['/profile/complete', token('a'), { last_name: 'x' }, 'b'],
    ['/profile/ekyc/complete', token('b'), { verificationId: 'x' }, 'a'],
    ['/profile/ekyc/complete', token('a'), { verification_id: 'x' }, 'b'],
    ['/auth/verify', null, { phoneNumber: 'x' }, 'a'],
    ['/auth/verify', null, { phoneNumber: 'x', phone_number: 'x' }, 'b'],
    ['/auth', null, { phone_number: null }, 'b'],
    ['/auth', token('b'), { phoneNumber: null }, 'a'],
    ['/auth', null, { x: { phone_number: '1' } }, 'a'],
    ['/auth', null, JSON.parse('{"__proto__":{"phone_number":"1"}}'), 'a'],
    ['/auth', null, [{ phone_number: '1' }], 'a'],
    ['/auth/send-otp', null, { phoneNumber: '1' }, 'b'],
    ['/auth/login', null, { phoneNumber: '1' }, 'b'],
    ['/dashboard', token('x'), undefined, 'b'],
    ['/profile/complete', token('a'), {}, 'a'],
    ['/profile/ekyc/complete/', token('a'), {}, 'a'],
    ['/auth/verify', token('a'), { phone_number: 'x' }, 'b'],
    ['/agreements', token('a'), { firstName: 'x' }, 'b'],
    ['/authx', null, { phoneNumber: 1 }, 'b'],
    ['/', token('a'), undefined, 'b'],
  ])('%s with %j and %j is %s', (path, authorization, body, variant) => {
    expect(detectVariant('both', path, authorization, body)).toBe(variant)
  })

  test('is that of API_VARIANT, if the server has one alone', () => {
    expect(detectVariant('a', '/auth', null, { phone_number: 'x' })).toBe('a')
    expect(detectVariant('b', '/auth', null, { phoneNumber: 'x' })).toBe('b')
    expect(detectVariant('a', '/agreements', null, undefined)).toBe('b')
  })
})
