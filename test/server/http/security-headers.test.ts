import { describe, expect, test } from 'bun:test'
import { sendRequest, freshPhone, createLandlord, signInUser } from '../../support/users'
import { testServer } from '../../support/server'
import { enveloped, plain, UUID } from './forms'

const it = testServer()
const open = testServer({ env: { FRONTEND_ORIGIN: 'https://app.example.com, http://localhost:5173' } })

describe('every answer carries an x-request-id', () => {
  const table: [name: string, path: string, init: RequestInit, status: number][] = [
    ['200', '/health/live', {}, 200],
    [
      '200 of an API',
      '/auth',
      {
        method: 'POST',
        body: JSON.stringify({ phoneNumber: '9876543210' }),
        headers: { 'content-type': 'application/json' },
      },
      200,
    ],
    ['400 validation', '/auth', { method: 'POST' }, 400],
    [
      '400 parse',
      '/auth',
      { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['400 kind', '/auth', { method: 'POST', body: 'x' }, 400],
    ['400 webhook', '/webhooks/ekyc', { method: 'POST', body: 'x' }, 400],
    ['401', '/auth/me', {}, 401],
    ['401 webhook', '/webhooks/esign', { method: 'POST', body: '{}' }, 401],
    ['404 path', '/nothing', {}, 404],
    ['404 method', '/auth', { method: 'DELETE' }, 404],
    ['a page', '/verified', {}, 200],
    ['404 page', '/sandbox/verify/x', {}, 404],
    ['the documentation', '/openapi.json', {}, 200],
  ]
  for (const [name, path, init, status] of table) {
    test(name, async () => {
      const answers = [await fetch(it.url + path, init), await fetch(it.url + path, init)]
      expect(answers.map(answer => answer.status)).toEqual([status, status])
      for (const { headers } of answers) expect(headers.get('x-request-id')).toEqual(UUID)
      expect(answers[0]!.headers.get('x-request-id')).not.toBe(answers[1]!.headers.get('x-request-id'))
    })
  }

  test('403 and created', async () => {
    const person = await signInUser(it.url)
    const forbidden = await person.call('GET', '/dashboard')
    const created = await person.call('POST', '/properties', { pin_code: 560048, property_type: 'pg' })
    expect([
      forbidden.status,
      forbidden.headers.get('x-request-id'),
      created.status,
      created.headers.get('x-request-id'),
    ]).toEqual([403, UUID, 201, UUID])
  })

  test('no answer is kept by caches, none is sniffed', async () => {
    for (const path of ['/auth/me', '/health/live', '/nothing']) {
      const { headers } = await fetch(it.url + path)
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
        'no-store',
        'nosniff',
      ])
    }
  })
})

describe('404', () => {
  for (const path of [
    '/',
    '/nothing',
    '/auth/nothing',
    '/profile',
    '/profile/',
    '/health',
    '/webhooks',
    '/sandbox/nothing',
    '/auth/verify/x',
    '/Auth',
    '/AUTH/ME',
  ]) {
    test(`${path} with and without a token`, async () => {
      const { token } = await signInUser(it.url)
      for (const method of ['GET', 'POST']) {
        expect(await sendRequest(it.url, method, path, { token })).toMatchObject({
          status: 404,
          body: enveloped(404),
        })
        expect(await sendRequest(it.url, method, path)).toMatchObject({ status: 404, body: enveloped(404) })
      }
    })
  }

  for (const [method, path, body] of [
    ['GET', '/auth', plain(404)],
    ['PUT', '/auth/verify', plain(404)],
    ['GET', '/auth/send-otp', enveloped(404)],
    ['GET', '/auth/login', enveloped(404)],
    ['DELETE', '/auth/logout', enveloped(404)],
    ['POST', '/profile/complete', plain(404)],
    ['GET', '/profile/ekyc', plain(404)],
    ['POST', '/dashboard', plain(404)],
    ['POST', '/auth/me', enveloped(404)],
    ['POST', '/health/live', enveloped(404)],
  ] as const) {
    test(`${method} ${path}: no such method`, async () => {
      const answer = await sendRequest(it.url, method, path)
      expect([answer.status, answer.body]).toEqual([404, body])
    })
  }
})

describe('cross-origin calls', () => {
  const preflight = (url: string, origin: string) =>
    fetch(`${url}/properties`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization, content-type',
      },
    })
  const cors = ({ headers }: Response) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

  test('nothing is allowed by default, a preflight neither', async () => {
    for (const origin of ['https://app.example.com', 'null', it.url]) {
      const asked = await preflight(it.url, origin)
      expect([asked.status, cors(asked)]).toEqual([404, {}])
      for (const path of ['/auth/me', '/health/live', '/nothing'])
        expect(cors(await fetch(it.url + path, { headers: { origin } }))).toEqual({})
    }
  })

  for (const origin of ['https://app.example.com', 'http://localhost:5173']) {
    test(`${origin}, which is configured`, async () => {
      const asked = await preflight(open.url, origin)
      expect([asked.status, cors(asked)]).toEqual([
        204,
        {
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
          'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
          'access-control-expose-headers': 'x-request-id, Retry-After',
          'access-control-max-age': '600',
        },
      ])
      const { token } = await createLandlord(open.url)
      for (const [path, init] of [
        ['/dashboard', { headers: { authorization: `Bearer ${token}` } }],
        ['/auth/me', {}],
        ['/nothing', {}],
        ['/auth', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
      ] as [string, RequestInit][]) {
        const answer = await fetch(open.url + path, {
          ...init,
          headers: { ...init.headers, origin } as Record<string, string>,
        })
        expect([
          path,
          answer.headers.get('access-control-allow-origin'),
          answer.headers.get('access-control-expose-headers'),
          answer.headers.get('access-control-allow-credentials'),
        ]).toEqual([path, origin, 'x-request-id, Retry-After', null])
        expect(answer.headers.get('vary')).toContain('Origin')
      }
    })
  }

  for (const origin of [
    'https://evil.example.com',
    'https://app.example.com.evil.com',
    'https://app.example.com:8443',
    'http://app.example.com',
    'https://sub.app.example.com',
    'https://APP.example.org',
    'null',
    'https://xapp.example.com',
    'http://localhost:51730',
  ]) {
    test(`${origin}, which is not`, async () => {
      for (const answer of [
        await preflight(open.url, origin),
        await fetch(`${open.url}/health/live`, { headers: { origin } }),
      ])
        expect([
          answer.headers.get('access-control-allow-origin'),
          answer.headers.get('access-control-allow-credentials'),
        ]).toEqual([null, null])
    })
  }

  test('no answer sets a cookie', async () => {
    const { phone } = await signInUser(open.url)
    for (const body of [{ phone_number: phone }, { phoneNumber: freshPhone() }])
      expect((await sendRequest(open.url, 'POST', '/auth', { body })).headers.get('set-cookie')).toBeNull()
  })
})
