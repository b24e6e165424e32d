import { describe, expect, test } from 'bun:test'
import { sendRequest, freshPhone, createLandlord, signInUser } from '../../support/users'
import { testServer } from '../../support/server'
import { broken, enveloped, plain } from './forms'

const it = testServer()
const phone = '9876543210'
const endpoints: { method: string; path: string; body: Record<string, unknown>; a?: true; token?: true }[] = [
  { method: 'POST', path: '/auth', body: { phoneNumber: phone }, a: true },
  { method: 'POST', path: '/auth', body: { phone_number: phone } },
  { method: 'POST', path: '/auth/send-otp', body: { phone_number: phone } },
  { method: 'POST', path: '/auth/verify', body: { phoneNumber: phone, otp: '000000' }, a: true },
  { method: 'POST', path: '/auth/verify', body: { phone_number: phone, otp: '000000' } },
  { method: 'POST', path: '/auth/login', body: { phone_number: phone, password: 'x' } },
  {
    method: 'PUT',
    path: '/profile/complete',
    body: { firstName: 'A', lastName: 'B', email: 'a@b.co' },
    a: true,
    token: true,
  },
  {
    method: 'PUT',
    path: '/profile/complete',
    body: { first_name: 'A', last_name: 'B', email: 'a@b.co' },
    token: true,
  },
  { method: 'POST', path: '/profile/ekyc/complete', body: { verificationId: 'x' }, a: true, token: true },
  { method: 'POST', path: '/profile/ekyc/complete', body: { verification_id: 'x' }, token: true },
]
const named = endpoints.map(
  endpoint => [`${endpoint.method} ${endpoint.path}, ${endpoint.a ? 'A' : 'B'}`, endpoint] as const,
)
const values: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  9876543210,
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  '\u0007',
  [],
  ['x'],
  [[]],
  {},
  { $ne: null },
  { $gt: '' },
  { toString: 1 },
  [{ toString: null }],
  { valueOf: 1 },
  { length: 'x' },
  { toJSON: 1 },
  'x'.repeat(60_000),
  '🏠'.repeat(10_000),
  '${7*7}',
  "'; drop table users; --",
  '%00',
  '../../etc/passwd',
]

describe('400: a field of the wrong kind is named in the right form', () => {
  test.each(named)('%s', async (_, { method, path, body, a, token: needed }) => {
    const token = needed && (await signInUser(it.url)).token
    for (const field of Object.keys(body)) {
      for (const value of [...values, undefined]) {
        const answer = await sendRequest(it.url, method, path, {
          token,
          body: { [a ? 'lastName' : 'last_name']: 'tells', ...body, [field]: value },
        })
        // Text that is no worse than unknown or unusual.
        const tolerated =
          typeof value === 'string' &&
          [
            'password',
            'verificationId',
            'verification_id',
            'firstName',
            'lastName',
            'first_name',
            'last_name',
          ].includes(field)
        if (!tolerated)
          expect([field, JSON.stringify(value)?.slice(0, 40), answer.status, answer.body]).toMatchObject([
            field,
            JSON.stringify(value)?.slice(0, 40),
            400,
            a
              ? { statusCode: 400, error: 'Bad Request' }
              : {
                  success: false,
                  data: null,
                  error: { code: expect.stringMatching(/VALIDATION_ERROR|BAD_REQUEST/) },
                },
          ])
        expect([field, answer.status >= 500]).toEqual([field, false])
        expect(answer.headers.get('x-request-id')).toBeTruthy()
      }
    }
  })
})

describe('400: a body that is no JSON object', () => {
  const bodies = [
    'null',
    'true',
    '1',
    '"text"',
    '[]',
    '[[]]',
    '{',
    '}',
    '{"a":}',
    'undefined',
    'NaN',
    "{'a':1}",
    '{"a":1}{"b":2}',
    '<xml/>',
    '\ufffd',
    '{"phone_number":1e400}',
    `{"x":"${'\\u0000'.repeat(10)}"}`,
  ]
  test.each(named)('%s', async (_, { method, path, token: needed }) => {
    const token = needed && (await signInUser(it.url)).token
    for (const body of bodies) {
      const answer = await sendRequest(it.url, method, path, { token, body })
      expect([body, answer.status]).toEqual([body, 400])
      expect(answer.headers.get('x-request-id')).toBeTruthy()
    }
  })

  test('an empty body is an empty object', async () => {
    expect((await sendRequest(it.url, 'POST', '/auth/send-otp', { body: '' })).body).toEqual(
      broken('phone_number'),
    )
    expect((await sendRequest(it.url, 'POST', '/auth/send-otp')).body).toEqual(broken('phone_number'))
  })
})

describe('400: another kind of body', () => {
  const form = new FormData()
  form.set('phone_number', phone)
  const kinds: [string, RequestInit][] = [
    ['a form', { body: new URLSearchParams({ phone_number: phone }) }],
    ['a multipart form', { body: form }],
    ['a broken multipart form', { body: 'x', headers: { 'content-type': 'multipart/form-data' } }],
    [
      'XML',
      { body: `<phone_number>${phone}</phone_number>`, headers: { 'content-type': 'application/xml' } },
    ],
    ['text', { body: JSON.stringify({ phone_number: phone }), headers: { 'content-type': 'text/plain' } }],
    ['no content type', { body: new Blob([JSON.stringify({ phone_number: phone })]) }],
    ['an unknown type', { body: '{}', headers: { 'content-type': 'x' } }],
    ['bytes', { body: new Uint8Array([0xff, 0xfe, 0x00]), headers: { 'content-type': 'application/json' } }],
    [
      'bytes of another kind',
      { body: new Uint8Array([0, 1, 2]), headers: { 'content-type': 'application/octet-stream' } },
    ],
  ]
  for (const [name, init] of kinds) {
    test(name, async () => {
      const inB = await fetch(`${it.url}/auth/send-otp`, { method: 'POST', ...init })
      const inA = await fetch(`${it.url}/auth`, { method: 'POST', ...init })
      expect([inB.status, await inB.json(), inA.status, await inA.json()]).toEqual([
        400,
        enveloped(400),
        400,
        plain(400),
      ])
    })
  }

  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/vnd.api+json',
    'application/json;',
  ]) {
    test(`200: ${type}`, async () =>
      expect(
        (
          await sendRequest(it.url, 'POST', '/auth/send-otp', {
            body: { phone_number: freshPhone() },
            headers: { 'content-type': type },
          })
        ).status,
      ).toBe(200))
  }
})

describe('what is deep, large or strangely named', () => {
  const nested = (levels: number, [open, close]: readonly [string, string]) =>
    open.repeat(levels) + (open === '[' ? '' : '1') + close.repeat(levels)
  for (const brackets of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    for (const levels of [100, 5000, 10_000]) {
      test(`400: ${levels} levels of ${brackets[0]}, in any field`, async () => {
        const { token } = await signInUser(it.url)
        for (const field of ['phoneNumber', 'phone_number', 'x']) {
          const answer = await sendRequest(it.url, 'POST', '/auth', {
            body: `{"${field}":${nested(levels, brackets)}}`,
          })
          expect([field, answer.status]).toEqual([field, 400])
        }
        expect(
          (await sendRequest(it.url, 'PUT', '/profile/complete', { token, body: nested(levels, brackets) }))
            .status,
        ).toBe(400)
        expect(
          (await sendRequest(it.url, 'POST', '/webhooks/ekyc', { body: nested(levels, brackets) })).status,
        ).toBe(400)
      })
    }
  }

  test('413: beyond 64 KiB, in the form of every other error', async () => {
    const body = JSON.stringify({ x: 'x'.repeat(65_536) })
    for (const path of ['/auth/send-otp', '/webhooks/ekyc', '/properties', '/nothing']) {
      const refused = await sendRequest(it.url, 'POST', path, { body })
      expect(refused).toMatchObject({
        status: 413,
        body: { success: false, data: null, error: { code: 'BAD_REQUEST' } },
      })
      expect(refused.headers.get('x-request-id')).toBeString()
    }
    const pieces = new ReadableStream({
      start: into => (into.enqueue(new TextEncoder().encode(body)), into.close()),
    })
    expect(
      (
        await fetch(`${it.url}/auth/send-otp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: pieces,
        })
      ).status,
    ).toBe(413)
  })

  test('names of JavaScript are fields like any other, and nobody inherits them', async () => {
    const person = await signInUser(it.url)
    for (const body of [
      '{"__proto__":{"has_verified_profile":true},"first_name":"A","last_name":"B","email":"a@b.co"}',
      '{"constructor":{"prototype":{"is_active":false}},"valueOf":1,"hasOwnProperty":null,"firstName":"A","lastName":"B","email":"a@b.co"}',
    ])
      expect(
        (await sendRequest(it.url, 'PUT', '/profile/complete', { token: person.token, body })).status,
      ).toBe(200)
    expect(({} as Record<string, unknown>).has_verified_profile).toBeUndefined()
    expect((await person.call('GET', '/auth/me')).body.data.status).toBe('NEEDS_VERIFICATION')
  })

  test('of a field that comes twice the last counts', async () => {
    expect(
      (
        await sendRequest(it.url, 'POST', '/auth/send-otp', {
          body: `{"phone_number":"1","phone_number":"${freshPhone()}"}`,
        })
      ).status,
    ).toBe(200)
  })

  test('200: undeclared fields are dropped', async () => {
    expect(
      (
        await sendRequest(it.url, 'POST', '/auth/send-otp', {
          body: { phone_number: freshPhone(), otp: '999999', attempts: -5, x: { y: [1, null, 'z'] } },
        })
      ).status,
    ).toBe(200)
  })
})

describe('values are never coerced', () => {
  test('400: a number for a text, a text for a boolean', async () => {
    const person = await createLandlord(it.url)
    expect(
      (await person.call('POST', '/auth/verify', { phone_number: Number(phone), otp: 123456 })).body,
    ).toEqual(broken('phone_number', 'otp'))
    expect((await person.call('POST', '/auth/logout', { all: 'true' })).body).toEqual(broken('all'))
    expect(
      (await person.call('PUT', '/profile/complete', { first_name: 1, last_name: true, email: 'a@b.co' }))
        .body,
    ).toEqual(broken('first_name', 'last_name'))
  })
})

describe('a query or path that is strange', () => {
  for (const path of [
    '/auth/me?%zz',
    '/auth/me?a[b]=c&__proto__[x]=1',
    '/dashboard?x=%00',
    '/sandbox/messages?phone=',
    '/sandbox/messages?phone=%00',
    `/sandbox/messages?phone=${'9'.repeat(5000)}`,
    '/sandbox/messages?phone=9876543210&phone=9876543211',
    '/sandbox/verify/%00',
    '/sandbox/verify/%ff',
    '/sandbox/verify/%zz',
    `/sandbox/verify/${'x'.repeat(3000)}`,
    '/sandbox/verify/__proto__',
    '/%00',
    '/..%2f..%2fetc/passwd',
    '/auth%2Fme',
    '/%ff%fe',
    '//',
    '/docs/..%2f..%2fpackage.json',
  ]) {
    test(`${path.slice(0, 60)} is no 5xx`, async () => {
      const { token } = await signInUser(it.url)
      const answer = await sendRequest(it.url, 'GET', path, { token })
      expect(answer.status).toBeLessThan(500)
      expect(answer.headers.get('x-request-id')).toBeTruthy()
    })
  }
})
