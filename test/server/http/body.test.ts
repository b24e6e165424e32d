import { describe, expect, test } from 'bun:test'
import { sandboxSecret } from '../../../server/providers'
import { fetchChecked } from '../../support/description'
import { createRawClient } from '../../support/raw-client'
import { testServer } from '../../support/server'
import { completeProfile, createProperty, freshPhone, sendRequest, signInUser } from '../../support/users'
import { broken, brokenInA, enveloped, plain } from './forms'

const server = testServer()
const draining = testServer({ overrides: { isDraining: () => true } })
const JSON_TYPE: [string, string] = ['content-type', 'application/json']

const sendOtp = (body: unknown, headers?: Record<string, string>) =>
  sendRequest(server, 'POST', '/auth/send-otp', { body, headers })

async function sendRaw(target: string, body: string, headers: [string, string][], url = server.url) {
  const client = createRawClient(url)
  const response = await client.send({ method: 'POST', target, headers, body })
  client.close()
  return response
}

describe('400: a body that is not JSON, or another content type, in either variant', () => {
  const bodies = [
    '{',
    '}',
    '{"a":}',
    'undefined',
    'NaN',
    "{'a':1}",
    '{"a":1}{"b":2}',
    '<xml/>',
    '\ufffd',
    '{"a":1,}',
  ]
  test.each(bodies)('%s', async body => {
    expect((await sendOtp(body)).body).toEqual(enveloped(400))
    expect((await sendRequest(server, 'POST', '/auth', { body })).body).toEqual(plain(400))
  })

  const form = new FormData()
  form.set('phone_number', '9876543210')
  const kinds: [string, RequestInit][] = [
    ['a form', { body: new URLSearchParams({ phone_number: '9876543210' }) }],
    ['a multipart form', { body: form }],
    ['text', { body: '{}', headers: { 'content-type': 'text/plain' } }],
    ['no content type', { body: new Blob(['{}']) }],
    ['an unknown type', { body: '{}', headers: { 'content-type': 'application/jsonx' } }],
    [
      'Latin-1',
      { body: Buffer.from('{"a":"Jos\xe9"}', 'latin1'), headers: { 'content-type': 'application/json' } },
    ],
    ['bytes', { body: new Uint8Array([0xff, 0xfe, 0x00]), headers: { 'content-type': 'application/json' } }],
  ]
  test.each(kinds)('%s', async (_, init) => {
    const inB = await fetchChecked(`${server.url}/auth/send-otp`, { method: 'POST', ...init })
    const inA = await fetchChecked(`${server.url}/auth`, { method: 'POST', ...init })
    expect([inB.status, await inB.json()]).toEqual([400, enveloped(400)])
    expect([inA.status, await inA.json()]).toEqual([400, plain(400)])
  })
})

test('415: a compressed body, in either variant', async () => {
  const body = Bun.gzipSync('{"phone_number":"9876543210"}')
  const init = {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  }
  const answers = [['/auth/send-otp', enveloped(415)] as const, ['/auth', plain(415)] as const]
  for (const [path, answer] of answers) {
    const response = await fetchChecked(`${server.url}${path}`, init)
    expect([response.status, await response.json()]).toEqual([415, answer])
  }
})

test.each([
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/vnd.api+json',
  'application/json;',
])('200: %s', async type => {
  const { status } = await sendOtp({ phone_number: freshPhone() }, { 'content-type': type })
  expect(status).toBe(200)
})

test('an empty body is an empty object', async () => {
  expect((await sendOtp('')).body).toEqual(broken('phone_number'))
  expect((await sendOtp(undefined)).body).toEqual(broken('phone_number'))
  expect((await sendRequest(server, 'POST', '/auth')).body).toEqual(brokenInA('phoneNumber'))
})

describe('an unknown field', () => {
  /** A body with as many levels; it is the first. */
  const nest = (levels: number, open: string, close: string) =>
    `{"phone_number":"${freshPhone()}","x":${open.repeat(levels - 2)}[]${close.repeat(levels - 2)}}`

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('400: makes the body too deep at 33 levels of %s', async (open, close) => {
    expect((await sendOtp(nest(32, open, close))).status).toBe(200)
    for (const levels of [33, 5000])
      expect((await sendOtp(nest(levels, open, close))).error.reason).toBe('body_too_deep')
  })

  test('400: may not have a toString of its own', async () => {
    expect((await sendOtp({ phone_number: freshPhone(), x: [{ toString: 1 }] })).body).toEqual(enveloped(400))
  })

  test('is dropped, whatever its name is, and changes no other object', async () => {
    const person = await signInUser(server)
    for (const body of [
      '{"__proto__":{"has_verified_profile":true},"first_name":"A","last_name":"B","email":"a@b.co"}',
      '{"constructor":{"prototype":{"x":1}},"hasOwnProperty":null,"firstName":"A","lastName":"B","email":"a@b.co"}',
    ]) {
      const { status } = await sendRequest(server, 'PUT', '/profile/complete', { token: person.token, body })
      expect(status).toBe(200)
    }
    expect(({} as Record<string, unknown>).has_verified_profile).toBeUndefined()
    expect((await person.get('/auth/me')).data.status).toBe('NEEDS_VERIFICATION')
  })
})

test('the last of two equal fields counts', async () => {
  expect((await sendOtp(`{"phone_number":"1","phone_number":"${freshPhone()}"}`)).status).toBe(200)
})

test('texts are trimmed in either variant and in a query', async () => {
  const user = await signInUser(server)
  const inB = await completeProfile(user, { first_name: ' Asha\t' })
  const inA = await user.put('/profile/complete', { firstName: ' Usha ', lastName: 'Rao', email: ' a@b.co ' })
  expect([inB.data.user.first_name, inA.body.user.firstName, inA.body.user.email]).toEqual([
    'Asha',
    'Usha',
    'a@b.co',
  ])
  await createProperty(user, { alias_name: 'Palm Court' })
  expect((await user.get('/properties?q=%20palm%20')).data).toHaveLength(1)
})

describe('a body above 1 MiB', () => {
  const body = JSON.stringify({ x: 'x'.repeat(1024 * 1024) })
  const kinds: [title: string, body: string, header: [string, string]][] = [
    ['announced', body, ['content-length', String(body.length)]],
    ['in chunks', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`, ['transfer-encoding', 'chunked']],
  ]

  test.each(kinds)(
    '413: in the form of every other error, %s, and closes the connection',
    async (_, sent, header) => {
      const headers = [JSON_TYPE, header]
      for (const [target, form] of [
        ['/tenants', enveloped(413)],
        ['/maintenance-requests/1/comments', enveloped(413)],
        ['/auth', plain(413)],
        ['/webhooks/ekyc', enveloped(413)],
      ] as const) {
        const response = await sendRaw(target, sent, headers)
        expect([target, response.status, JSON.parse(response.text)]).toEqual([target, 413, form])
        expect(response.headers.connection).toBe('close')
      }
    },
  )

  test('413: unless it is a document for the sandbox, of at most 10 MiB', async () => {
    const send = async (bytes: number, secret: string) => {
      const headers: [string, string][] = [
        ['content-length', String(bytes)],
        ['x-client-secret', secret],
      ]
      return (await sendRaw('/sandbox/esign/api/documents', '', headers)).status
    }
    const secret = sandboxSecret(server.deps.config)
    expect(await send(2 * 1024 * 1024, 'a guess')).toBe(401)
    expect(await send(11 * 1024 * 1024, secret)).toBe(413)
  })
})

test('400: an answer lists the first errors alone, however many elements are wrong', async () => {
  const user = await signInUser(server)
  const property_units = Array.from({ length: 20_000 }, () => ({}))
  const { status, body } = await user.post('/properties', {
    pin_code: 560001,
    property_type: 'pg',
    property_units,
  })
  expect(status).toBe(400)
  expect(JSON.stringify(body).length).toBeLessThan(64 * 1024)
})

test.each([
  ['a body that is read', '/health/live', '', undefined],
  ['a body that is not read', '/nowhere', '{"unread":true}', 'close'],
])('after %s the connection header is right', async (_, target, body, connection) => {
  expect((await sendRaw(target, body, [])).headers.connection).toBe(connection!)
})

test('a server that stops closes the connection after each response', async () => {
  expect((await sendRaw('/nowhere', '', [], draining.url)).headers.connection).toBe('close')
})

test.each([
  '/auth/me?%zz',
  '/auth/me?a[b]=c&__proto__[x]=1',
  '/sandbox/messages?phone=%00',
  '/sandbox/verify/%ff',
  `/sandbox/verify/${'x'.repeat(3000)}`,
  '/sandbox/verify/__proto__',
  '/..%2f..%2fetc/passwd',
  '/%ff%fe',
  '//',
  '/docs/..%2f..%2fpackage.json',
])('%s is an error of the client', async path => {
  const { token } = await signInUser(server)
  const response = await sendRequest(server, 'GET', path, { token })
  expect(response.status).toBeWithin(200, 500)
  expect(response.headers.get('x-request-id')).toBeTruthy()
})
