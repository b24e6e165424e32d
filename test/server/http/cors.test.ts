import { describe, expect, test } from 'bun:test'
import { createApp } from '../../../server/app'
import { createLog } from '../../../server/observability/log'
import { createRawClient } from '../../support/raw-client'
import { testServer } from '../../support/server'
import { freshPhone } from '../../support/users'
import { startWhatsAppStub } from '../auth/whatsapp'

const ORIGIN = 'https://app.example.com'
const FRONTEND = { FRONTEND_ORIGIN: `http://localhost:5173,${ORIGIN}` }
const server = testServer({
  env: { ...FRONTEND, BODY_TIMEOUT_MS: '300' },
  overrides: { sendOtp: () => Promise.reject(new Error('No')) },
})
const limited = testServer({ env: { ...FRONTEND, ...startWhatsAppStub().env, OTP_LIMIT_PER_ADDRESS: '1' } })

type Sent = { method: string; target: string; headers?: [string, string][]; body?: string }
const JSON_TYPE: [string, string] = ['content-type', 'application/json']
const post = (target: string, body: string, ...headers: [string, string][]): Sent => ({
  method: 'POST',
  target,
  headers: [JSON_TYPE, ...headers],
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
  variesByOrigin: headers.vary?.split(', ').includes('Origin'),
})
const ALLOWED = { origin: ORIGIN, exposed: 'x-request-id, Retry-After', variesByOrigin: true }

async function expectReadableByPages(url: string, status: number, request: Sent) {
  const allowed = await sendFrom(ORIGIN, url, request)
  expect([allowed.status, toCorsHeaders(allowed)]).toEqual([status, ALLOWED])
  const foreign = await sendFrom('https://evil.example.com', url, request)
  expect([foreign.status, toCorsHeaders(foreign)]).toMatchObject([
    status,
    { origin: undefined, variesByOrigin: true },
  ])
}

const oversized = 'x'.repeat(70_000)
const chunk = `${oversized.length.toString(16)}\r\n${oversized}\r\n0\r\n\r\n`

test.each<[status: number, title: string, request: Sent]>([
  [200, 'a health check', get('/health/live')],
  [400, 'a body that is not JSON', post('/auth', '{')],
  [400, 'a malformed Host', get('/auth/me', ['host', 'a b'])],
  [401, 'no token', get('/auth/me')],
  [404, 'an unknown path', get('/nothing')],
  [408, 'a body that does not arrive', post('/auth', '', ['content-length', '100'])],
  [413, 'a body above the limit', post('/auth', oversized)],
  [413, 'a body above the limit in chunks', post('/auth', chunk, ['transfer-encoding', 'chunked'])],
  [500, 'an internal error', post('/auth', JSON.stringify({ phoneNumber: '9876543210' }))],
])('%d, %s: pages of the configured origins can read it, and no others', async (status, _, request) => {
  await expectReadableByPages(server.url, status, request)
})

test('429: a page of a configured origin can read how long to wait', async () => {
  const request = () => post('/auth', JSON.stringify({ phoneNumber: freshPhone() }))
  await sendFrom(ORIGIN, limited.url, request())
  const refused = await sendFrom(ORIGIN, limited.url, request())
  expect([refused.status, toCorsHeaders(refused)]).toEqual([429, ALLOWED])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

describe('in development', () => {
  const local = testServer({ env: { NODE_ENV: 'development', ...FRONTEND } })

  test.each(['http://localhost:5173', 'http://localhost', 'http://127.0.0.1:8080', 'https://localhost:3001'])(
    'pages of %s may call the API',
    async origin => {
      const { headers } = await sendFrom(origin, local.url, get('/health/live'))
      expect(headers['access-control-allow-origin']).toBe(origin)
    },
  )

  test.each(['http://localhost.example.com', 'http://192.168.0.7:5173', 'http://localhost:5173.example.com'])(
    'pages of %s may not',
    async origin => {
      const { headers } = await sendFrom(origin, local.url, get('/health/live'))
      expect(headers['access-control-allow-origin']).toBeUndefined()
    },
  )
})

test('a refused origin is logged with the name of the setting', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', false, { write: line => lines.push(JSON.parse(line)) })
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
