import { describe, expect, test } from 'bun:test'
import { sendRequest, freshPhone, createLandlord, signInUser } from '../../support/users'
import { fetchChecked } from '../../support/description'
import { testServer } from '../../support/server'
import { broken, enveloped, plain } from './forms'

const server = testServer()
const phone = '9876543210'
type Endpoint = { method: string; path: string; body: Record<string, unknown>; a?: true; token?: true }
const profileA = { firstName: 'A', lastName: 'B', email: 'a@b.co' }
const profileB = { first_name: 'A', last_name: 'B', email: 'a@b.co' }
const endpoints: Endpoint[] = [
  { method: 'POST', path: '/auth', body: { phoneNumber: phone }, a: true },
  { method: 'POST', path: '/auth', body: { phone_number: phone } },
  { method: 'POST', path: '/auth/send-otp', body: { phone_number: phone } },
  { method: 'POST', path: '/auth/verify', body: { phoneNumber: phone, otp: '000000' }, a: true },
  { method: 'POST', path: '/auth/verify', body: { phone_number: phone, otp: '000000' } },
  { method: 'POST', path: '/auth/login', body: { phone_number: phone, password: 'x' } },
  { method: 'PUT', path: '/profile/complete', body: profileA, a: true, token: true },
  { method: 'PUT', path: '/profile/complete', body: profileB, token: true },
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

/** Fields that accept unknown or unusual text. */
const textFields = [
  'password',
  'verificationId',
  'verification_id',
  'firstName',
  'lastName',
  'first_name',
  'last_name',
]
const errorOfA = { statusCode: 400, error: 'Bad Request' }
const errorOfB = {
  success: false,
  data: null,
  error: { code: expect.stringMatching(/VALIDATION_ERROR|BAD_REQUEST/) },
}

async function sendOtp(body: unknown, headers?: Record<string, string>) {
  return sendRequest(server.url, 'POST', '/auth/send-otp', { body, headers })
}
async function expectInvalidField(
  endpoint: Endpoint,
  token: string | undefined,
  field: string,
  value: unknown,
) {
  const { method, path, body, a } = endpoint
  const sent = { [a ? 'lastName' : 'last_name']: 'tells', ...body, [field]: value }
  const response = await sendRequest(server.url, method, path, { token, body: sent })
  const text = JSON.stringify(value)?.slice(0, 40)
  const isAccepted = typeof value === 'string' && textFields.includes(field)
  if (!isAccepted)
    expect([field, text, response.status, response.body]).toMatchObject([
      field,
      text,
      400,
      a ? errorOfA : errorOfB,
    ])
  expect([field, response.status >= 500]).toEqual([field, false])
  expect(response.headers.get('x-request-id')).toBeTruthy()
}

describe("400: a field of the wrong type, as an error of the client's variant", () => {
  test.each(named)('%s', async (_, endpoint) => {
    const token = endpoint.token && (await signInUser(server.url)).token
    for (const field of Object.keys(endpoint.body))
      for (const value of [...values, undefined]) await expectInvalidField(endpoint, token, field, value)
  })
})

describe('400: a body that is not a JSON object', () => {
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
  test.each(named)('%s', async (_, { method, path, token: needsToken }) => {
    const token = needsToken && (await signInUser(server.url)).token
    for (const body of bodies) {
      const response = await sendRequest(server.url, method, path, { token, body })
      expect([body, response.status]).toEqual([body, 400])
      expect(response.headers.get('x-request-id')).toBeTruthy()
    }
  })

  test('an empty body is an empty object', async () => {
    expect((await sendOtp('')).body).toEqual(broken('phone_number'))
    expect((await sendRequest(server.url, 'POST', '/auth/send-otp')).body).toEqual(broken('phone_number'))
  })
})

describe('400: another content type', () => {
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
      'bytes of another type',
      { body: new Uint8Array([0, 1, 2]), headers: { 'content-type': 'application/octet-stream' } },
    ],
  ]
  for (const [name, init] of kinds) {
    test(name, async () => {
      const inB = await fetchChecked(`${server.url}/auth/send-otp`, { method: 'POST', ...init })
      const inA = await fetchChecked(`${server.url}/auth`, { method: 'POST', ...init })
      expect([inB.status, await inB.json(), inA.status, await inA.json()]).toEqual([
        400,
        enveloped(400),
        400,
        plain(400),
      ])
    })
  }

  test.each([
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/vnd.api+json',
    'application/json;',
  ])('200: %s', async type => {
    const { status } = await sendOtp({ phone_number: freshPhone() }, { 'content-type': type })
    expect(status).toBe(200)
  })
})

type Brackets = readonly [open: string, value: string, close: string]
function nest(levels: number, [open, value, close]: Brackets) {
  return open.repeat(levels) + value + close.repeat(levels)
}

describe('deep and large bodies', () => {
  const brackets: Brackets[] = [
    ['[', '', ']'],
    ['{"a":', '1', '}'],
  ]
  const cases = brackets.flatMap(pair => [100, 5000, 10_000].map(levels => [levels, pair[0], pair] as const))
  test.each(cases)('400: %d levels of %s, in any field', async (levels, _, pair) => {
    const { token } = await signInUser(server.url)
    const nested = nest(levels, pair)
    for (const field of ['phoneNumber', 'phone_number', 'x']) {
      const { status } = await sendRequest(server.url, 'POST', '/auth', { body: `{"${field}":${nested}}` })
      expect([field, status]).toEqual([field, 400])
    }
    const profile = await sendRequest(server.url, 'PUT', '/profile/complete', { token, body: nested })
    expect(profile.status).toBe(400)
    const webhook = await sendRequest(server.url, 'POST', '/webhooks/ekyc', { body: nested })
    expect(webhook.status).toBe(400)
  })

  const above64KiB = JSON.stringify({ x: 'x'.repeat(65_536) })
  test.each(['/auth/send-otp', '/webhooks/ekyc', '/tenants', '/nothing'])(
    '413: %s with a body above 64 KiB, in the format of every other error',
    async path => {
      const rejected = await sendRequest(server.url, 'POST', path, { body: above64KiB })
      expect(rejected).toMatchObject({
        status: 413,
        body: { success: false, data: null, error: { code: 'PAYLOAD_TOO_LARGE' } },
      })
      expect(rejected.headers.get('x-request-id')).toBeString()
    },
  )

  test('413: a streamed body above 64 KiB', async () => {
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode(above64KiB))
        stream.close()
      },
    })
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetchChecked(`${server.url}/auth/send-otp`, { method: 'POST', headers, body })
    expect(status).toBe(413)
  })
})

describe('unusual field names', () => {
  test('names like __proto__ are ordinary fields and change no other object', async () => {
    const person = await signInUser(server.url)
    for (const body of [
      '{"__proto__":{"has_verified_profile":true},"first_name":"A","last_name":"B","email":"a@b.co"}',
      '{"constructor":{"prototype":{"is_active":false}},"valueOf":1,"hasOwnProperty":null,"firstName":"A","lastName":"B","email":"a@b.co"}',
    ])
      expect(
        (await sendRequest(server.url, 'PUT', '/profile/complete', { token: person.token, body })).status,
      ).toBe(200)
    expect(({} as Record<string, unknown>).has_verified_profile).toBeUndefined()
    expect((await person.call('GET', '/auth/me')).body.data.status).toBe('NEEDS_VERIFICATION')
  })

  test('the last of two equal fields counts', async () => {
    const { status } = await sendOtp(`{"phone_number":"1","phone_number":"${freshPhone()}"}`)
    expect(status).toBe(200)
  })

  test('200: undeclared fields are dropped', async () => {
    const unknown = { otp: '999999', attempts: -5, x: { y: [1, null, 'z'] } }
    expect((await sendOtp({ phone_number: freshPhone(), ...unknown })).status).toBe(200)
  })
})

test('400: a number for a string, a string for a boolean: values are not coerced', async () => {
  const person = await createLandlord(server.url)
  expect(
    (await person.call('POST', '/auth/verify', { phone_number: Number(phone), otp: 123456 })).body,
  ).toEqual(broken('phone_number', 'otp'))
  expect((await person.call('POST', '/auth/logout', { all: 'true' })).body).toEqual(broken('all'))
  expect(
    (await person.call('PUT', '/profile/complete', { first_name: 1, last_name: true, email: 'a@b.co' })).body,
  ).toEqual(broken('first_name', 'last_name'))
})

describe('an unusual query or path', () => {
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
    test(`${path.slice(0, 60)} is not a 5xx`, async () => {
      const { token } = await signInUser(server.url)
      const response = await sendRequest(server.url, 'GET', path, { token })
      expect(response.status).toBeLessThan(500)
      expect(response.headers.get('x-request-id')).toBeTruthy()
    })
  }
})
