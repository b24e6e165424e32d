import { describe, expect, test } from 'bun:test'
import { createApp } from '../../../server/app'
import { refuse } from '../../../server/errors'
import { recordLog } from '../../support/log'
import { fetchChecked } from '../../support/description'
import { createRawClient } from '../../support/raw-client'
import { testServer } from '../../support/server'

const ORIGIN = 'https://app.example.com'
const FRONTEND = { FRONTEND_ORIGIN: `http://localhost:5173,${ORIGIN}` }
let error: Error
const server = testServer({ env: FRONTEND, overrides: { sendMessage: () => Promise.reject(error) } })
const closed = testServer()

type Sent = { method: string; target: string; headers?: [string, string][]; body?: string }
const post = (target: string, body: string, ...headers: [string, string][]): Sent => ({
  method: 'POST',
  target,
  headers: [['content-type', 'application/json'], ...headers],
  body,
})
const get = (target: string, ...headers: [string, string][]): Sent => ({ method: 'GET', target, headers })

async function sendFrom(origin: string, url: string, { headers = [], ...request }: Sent) {
  const client = createRawClient(url)
  const response = await client.send({ ...request, headers: [['origin', origin], ...headers] })
  client.close()
  return response
}

const toCorsHeaders = ({ headers }: { headers: Record<string, string> }) => ({
  origin: headers['access-control-allow-origin'],
  exposed: headers['access-control-expose-headers'],
  credentials: headers['access-control-allow-credentials'],
  variesByOrigin: headers.vary?.split(', ').includes('Origin'),
})
const EXPOSED = 'Content-Disposition, Idempotency-Replayed, Retry-After, x-request-id'
const ALLOWED = {
  origin: ORIGIN,
  exposed: EXPOSED,
  credentials: undefined,
  variesByOrigin: true,
}

const oversized = 'x'.repeat(1_100_000)
const chunk = `${oversized.length.toString(16)}\r\n${oversized}\r\n0\r\n\r\n`
const asked = post('/auth', JSON.stringify({ phoneNumber: '9876543210' }))

test.each<[status: number, title: string, request: Sent]>([
  [200, 'a health check', get('/health/live')],
  [400, 'a body that is not JSON', post('/auth', '{')],
  [401, 'a malformed Host', get('/auth/me', ['host', 'a b'])],
  [401, 'no token', get('/auth/me')],
  [404, 'an unknown path', get('/nothing')],
  [413, 'a body above the limit', post('/auth', oversized)],
  [413, 'a body above the limit in chunks', post('/auth', chunk, ['transfer-encoding', 'chunked'])],
  [429, 'a limit, with the time to wait', asked],
  [500, 'an internal error', asked],
])('%d, %s: pages of the configured origins can read it, and no others', async (status, _, request) => {
  error = status === 429 ? refuse('too_many_otps', {}, { retryAfterS: 9 }) : new Error('No')
  const allowed = await sendFrom(ORIGIN, server.url, request)
  expect([allowed.status, toCorsHeaders(allowed)]).toEqual([status, ALLOWED])
  if (status === 429) expect(allowed.headers['retry-after']).toBe('9')

  const foreign = await sendFrom('https://evil.example.com', server.url, request)
  expect([foreign.status, toCorsHeaders(foreign)]).toMatchObject([
    status,
    { origin: undefined, credentials: undefined, variesByOrigin: true },
  ])
})

const sendPreflight = (url: string, origin: string) =>
  fetchChecked(`${url}/properties`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization, content-type',
    },
  })
const listCorsHeaders = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

describe('a preflight', () => {
  test.each([ORIGIN, 'http://localhost:5173'])('204: from %s', async origin => {
    const response = await sendPreflight(server.url, origin)
    expect([response.status, listCorsHeaders(response)]).toEqual([
      204,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers':
          'Authorization, Content-Type, Idempotency-Key, x-kiraya-client, traceparent, tracestate, baggage, sentry-trace',
        'access-control-expose-headers': EXPOSED,
        'access-control-max-age': '600',
      },
    ])
  })

  test.each([
    'https://evil.example.com',
    'https://app.example.com.evil.com',
    'https://app.example.com:8443',
    'http://app.example.com',
    'https://sub.app.example.com',
    'https://xapp.example.com',
    'http://localhost:51730',
    'null',
  ])('is not allowed from %s, nor is a request', async origin => {
    for (const { headers } of [
      await sendPreflight(server.url, origin),
      await fetchChecked(`${server.url}/health/live`, { headers: { origin } }),
    ])
      expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('404: no origin is allowed by default', async () => {
    for (const origin of [ORIGIN, 'null', closed.url]) {
      const response = await sendPreflight(closed.url, origin)
      expect([response.status, listCorsHeaders(response)]).toEqual([404, {}])
      expect(listCorsHeaders(await fetchChecked(`${closed.url}/nothing`, { headers: { origin } }))).toEqual(
        {},
      )
    }
  })
})

const local = testServer({ env: { NODE_ENV: 'development', ...FRONTEND } })

test.each<[origin: string, allowed: boolean]>([
  ['http://localhost:5173', true],
  ['http://localhost', true],
  ['http://127.0.0.1:8080', true],
  ['https://localhost:3001', true],
  ['http://localhost.example.com', false],
  ['http://192.168.0.7:5173', false],
  ['http://localhost:5173.example.com', false],
])('in development pages of %s may call the API: %p', async (origin, isAllowed) => {
  const { headers } = await sendFrom(origin, local.url, get('/health/live'))
  expect(headers['access-control-allow-origin']).toBe(isAllowed ? origin : (undefined as never))
})

test('a refused origin is logged with the name of the setting', async () => {
  const { lines, log } = recordLog()
  const app = createApp({ ...server.deps, log })
  const read = (origin: string) =>
    app.handle(new Request('http://api.example.com/health/live', { headers: { origin } }))

  await read('https://app.example.com')
  await read('http://api.example.com')
  await read('https://other.example.com')
  await read('https://other.example.com/secret?token=1')

  const refusals = lines.filter(({ msg }) => String(msg).includes('FRONTEND_ORIGIN'))
  expect(refusals.map(({ origin }) => origin)).toEqual(['https://other.example.com', undefined])
})
