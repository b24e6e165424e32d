import { describe, expect, test } from 'bun:test'
import { sendRequest, freshPhone, createLandlord, signInUser } from '../../support/users'
import { fetchChecked } from '../../support/description'
import { testServer } from '../../support/server'
import { enveloped, plain, UUID } from './forms'

const server = testServer()
const corsServer = testServer({ env: { FRONTEND_ORIGIN: 'https://app.example.com, http://localhost:5173' } })

const json = { 'content-type': 'application/json' }

describe('every response has an x-request-id', () => {
  test.each<[status: number, title: string, path: string, init: RequestInit]>([
    [200, 'a health check', '/health/live', {}],
    [
      200,
      'an API call',
      '/auth',
      { method: 'POST', body: JSON.stringify({ phoneNumber: '9876543210' }), headers: json },
    ],
    [400, 'no body', '/auth', { method: 'POST' }],
    [400, 'malformed JSON', '/auth', { method: 'POST', body: '{', headers: json }],
    [400, 'an unknown content type', '/auth', { method: 'POST', body: 'x' }],
    [400, 'a webhook', '/webhooks/ekyc', { method: 'POST', body: 'x' }],
    [401, 'no token', '/auth/me', {}],
    [401, 'a webhook without a signature', '/webhooks/esign', { method: 'POST', body: '{}' }],
    [404, 'an unknown path', '/nothing', {}],
    [404, 'an unknown method', '/auth', { method: 'DELETE' }],
    [200, 'a page', '/verified', {}],
    [404, 'an unknown page', '/sandbox/verify/x', {}],
    [200, 'the documentation', '/openapi.json', {}],
  ])('%d: %s', async (status, _, path, init) => {
    const first = await fetchChecked(server.url + path, init)
    const second = await fetchChecked(server.url + path, init)
    expect([first.status, second.status]).toEqual([status, status])
    const ids = [first, second].map(({ headers }) => headers.get('x-request-id'))
    expect(ids).toEqual([UUID, UUID])
    expect(ids[0]).not.toBe(ids[1])
  })

  test('403 and 201', async () => {
    const person = await signInUser(server.url)
    const forbidden = await person.call('GET', '/dashboard')
    const created = await person.call('POST', '/properties', { pin_code: 560048, property_type: 'pg' })
    expect([
      forbidden.status,
      forbidden.headers.get('x-request-id'),
      created.status,
      created.headers.get('x-request-id'),
    ]).toEqual([403, UUID, 201, UUID])
  })
})

test('no response is cached or sniffed', async () => {
  for (const path of ['/auth/me', '/health/live', '/nothing']) {
    const { headers } = await fetchChecked(server.url + path)
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      'no-store',
      'nosniff',
    ])
  }
})

describe('404', () => {
  for (const path of [
    '/nothing',
    '/docs/nothing',
    '/assets/nothing.js',
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
    test(`${path}, with and without a token`, async () => {
      const { token } = await signInUser(server.url)
      for (const method of ['GET', 'POST']) {
        expect(await sendRequest(server.url, method, path, { token })).toMatchObject({
          status: 404,
          body: enveloped(404),
        })
        expect(await sendRequest(server.url, method, path)).toMatchObject({
          status: 404,
          body: enveloped(404),
        })
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
    test(`${method} ${path}: a method that does not exist`, async () => {
      const response = await sendRequest(server.url, method, path)
      expect([response.status, response.body]).toEqual([404, body])
    })
  }
})

function sendPreflight(url: string, origin: string) {
  return fetchChecked(`${url}/properties`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization, content-type',
    },
  })
}
function getCorsHeaders({ headers }: Response) {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}

describe('cross-origin requests from a configured origin', () => {
  const origins = ['https://app.example.com', 'http://localhost:5173']

  test.each(origins)('a preflight from %s is allowed', async origin => {
    const response = await sendPreflight(corsServer.url, origin)
    expect([response.status, getCorsHeaders(response)]).toEqual([
      204,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, x-kiraya-client',
        'access-control-expose-headers': 'x-request-id, Retry-After',
        'access-control-max-age': '600',
      },
    ])
  })

  test.each(origins)('%s may read every response', async origin => {
    const { token } = await createLandlord(corsServer.url)
    const requests: [string, RequestInit][] = [
      ['/dashboard', { headers: { authorization: `Bearer ${token}` } }],
      ['/auth/me', {}],
      ['/nothing', {}],
      ['/auth', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
    ]
    for (const [path, init] of requests) {
      const { headers } = await fetchChecked(corsServer.url + path, {
        ...init,
        headers: { ...init.headers, origin } as Record<string, string>,
      })
      expect([
        path,
        headers.get('access-control-allow-origin'),
        headers.get('access-control-expose-headers'),
        headers.get('access-control-allow-credentials'),
      ]).toEqual([path, origin, 'x-request-id, Retry-After', null])
      expect(headers.get('vary')).toContain('Origin')
    }
  })
})

describe('cross-origin requests from another origin', () => {
  test('no origin is allowed by default, not even for a preflight', async () => {
    for (const origin of ['https://app.example.com', 'null', server.url]) {
      const response = await sendPreflight(server.url, origin)
      expect([response.status, getCorsHeaders(response)]).toEqual([404, {}])
      for (const path of ['/auth/me', '/health/live', '/nothing'])
        expect(getCorsHeaders(await fetchChecked(server.url + path, { headers: { origin } }))).toEqual({})
    }
  })

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
    test(`${origin} is not allowed`, async () => {
      for (const { headers } of [
        await sendPreflight(corsServer.url, origin),
        await fetchChecked(`${corsServer.url}/health/live`, { headers: { origin } }),
      ])
        expect([
          headers.get('access-control-allow-origin'),
          headers.get('access-control-allow-credentials'),
        ]).toEqual([null, null])
    })
  }
})

test('no response sets a cookie', async () => {
  const { phone } = await signInUser(corsServer.url)
  for (const body of [{ phone_number: phone }, { phoneNumber: freshPhone() }])
    expect(
      (await sendRequest(corsServer.url, 'POST', '/auth', { body })).headers.get('set-cookie'),
    ).toBeNull()
})
