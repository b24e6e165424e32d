import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { createLog } from '../../../server/observability/log'
import { sendRequest, createLandlord, signInUser, type TestUser } from '../../support/users'
import { createRawClient } from '../../support/raw-client'
import { testServer } from '../../support/server'
import { toPath } from '../../operations/fixture'
import { createAgreementIn } from '../../support/agreement-fixture'
import { raiseRequest } from '../../support/maintenance-fixture'
import { enveloped, UUID } from '../http/forms'

const ORIGIN = 'https://app.example.com'
const YEAR = 'max-age=31536000; includeSubDomains'
const server = testServer({ env: { PUBLIC_URL: 'https://api.example.com', FRONTEND_ORIGIN: ORIGIN } })
const plain = testServer({ env: { PUBLIC_URL: 'http://api.example.com' } })
let owner: TestUser
let documents: string[]
beforeAll(async () => {
  const [manager, tenant] = await Promise.all([signInUser(server.url), signInUser(server.url)])
  owner = await createLandlord(server.url)
  const fixture = await createAgreementIn(server, { owner, manager, tenant }, 'ACTIVE')
  const raised = await raiseRequest(owner, fixture)
  documents = [
    '/agreements/:id/document',
    '/agreements/:id/certificate',
    '/maintenance-requests/:id/attachments/:attachmentId',
  ].map(path => toPath(path, { ...fixture, ...raised }))
})

type Header = [string, string]
type Sent = { method: string; target: string; headers?: Header[]; body?: string }
const get = (target: string, ...headers: Header[]): Sent => ({ method: 'GET', target, headers })
const getAsOwner = (target: string) => get(target, ['authorization', `Bearer ${owner.token}`])
const postJson = (target: string, body: string): Sent => ({
  method: 'POST',
  target,
  headers: [['content-type', 'application/json']],
  body,
})
const preflight = (origin: string): Sent => ({
  method: 'OPTIONS',
  target: '/agreements',
  headers: [
    ['origin', origin],
    ['access-control-request-method', 'POST'],
  ],
})

const requests: [status: number, title: string, request: () => Sent][] = [
  [200, 'a health check', () => get('/health/live')],
  [200, 'an API call', () => postJson('/auth', '{"phoneNumber":"9876543210"}')],
  [200, 'a page', () => get('/verified')],
  [400, 'no body', () => ({ method: 'POST', target: '/auth' })],
  [400, 'malformed JSON', () => postJson('/auth', '{')],
  [400, 'an unknown content type', () => ({ method: 'POST', target: '/auth', body: 'x' })],
  [400, 'a webhook', () => ({ method: 'POST', target: '/webhooks/ekyc', body: 'x' })],
  [401, 'no token', () => get('/auth/me')],
  [401, 'a webhook without a signature', () => ({ method: 'POST', target: '/webhooks/esign', body: '{}' })],
  [404, 'an unknown path', () => get('/nothing')],
  [404, 'an unknown method', () => ({ method: 'DELETE', target: '/auth' })],
  [404, 'an unknown page', () => get('/sandbox/verify/x')],
  [200, 'HEAD', () => ({ method: 'HEAD', target: '/health/live' })],
  [200, 'a file', () => get('/sandbox/files/sample-lease.pdf')],
  [200, 'a signed document', () => getAsOwner(documents[0]!)],
  [200, 'a certificate', () => getAsOwner(documents[1]!)],
  [200, 'a file of a maintenance request', () => getAsOwner(documents[2]!)],
  [204, 'a preflight', () => preflight(ORIGIN)],
  [204, 'a preflight from another origin', () => preflight('https://evil.example.com')],
  [404, 'a path that a short Host would shorten', () => get('/abc/health/live', ['host', 'k'])],
  [404, 'TRACE', () => ({ method: 'TRACE', target: '/auth/me' })],
  [413, 'a body above the limit', () => postJson('/auth', 'x'.repeat(2_000_000))],
]

const requestIds = new Set<string>()

async function expectSecurityHeaders(url: string, request: Sent, status: number, transport?: string) {
  const client = createRawClient(url)
  const response = await client.send(request)
  client.close()
  expect([
    response.status,
    response.headers['x-content-type-options'],
    /(^|, ?)no-store$/.test(response.headers['cache-control'] ?? ''),
    response.headers['strict-transport-security'],
    response.headers['x-request-id'],
    requestIds.has(response.headers['x-request-id']!),
  ]).toEqual([status, 'nosniff', true, transport, UUID, false])
  requestIds.add(response.headers['x-request-id']!)
  if (status < 400 || !response.headers['content-type']!.includes('json')) return
  const error = request.target === '/auth' ? { statusCode: status } : { success: false, data: null }
  expect(JSON.parse(response.text)).toEqual(expect.objectContaining(error))
}

describe('every response has an id of its own, no-store and nosniff, and for an https PUBLIC_URL Strict-Transport-Security', () => {
  test.each(requests)('%d: %s', async (status, _, request) => {
    await expectSecurityHeaders(server.url, request(), status, YEAR)
  })

  test('without it for an http PUBLIC_URL', () => expectSecurityHeaders(plain.url, get('/health/live'), 200))
})

describe('500: an internal error reveals nothing', () => {
  const SECRET = 'select * from users where password = hunter2 at /srv/kiraya/server/index.ts:1'
  const lines: string[] = []
  const broken = testServer({
    overrides: {
      log: createLog('trace', false, { write: line => void lines.push(line) }),
      sendMessage: () => Promise.reject(new TypeError(SECRET)),
      kyc: {
        name: 'sandbox',
        start: () => Promise.reject(new Error(SECRET)),
        status: () => Promise.reject(Object.assign(new Error(SECRET), { code: '42P01' })),
      },
    },
  })
  const expectInternalError = ({ status, body }: { status: number; body: unknown }) => {
    expect([status, body]).toEqual([500, enveloped(500, 'Something went wrong on our side')])
    expect(JSON.stringify(body)).not.toContain('select')
  }

  test('an unexpected error, in either variant', async () => {
    const post = (body: unknown) => sendRequest(broken.url, 'POST', '/auth', { body })
    expectInternalError(await post({ phone_number: '9876543210' }))
    const inA = await post({ phoneNumber: '9876543210' })
    expect([inA.status, inA.body]).toEqual([
      500,
      { statusCode: 500, message: 'Something went wrong on our side', error: 'Internal Server Error' },
    ])
    expect(
      lines.filter(
        line => line.includes('"level":"error"') && line.includes('TypeError') && !line.includes('hunter2'),
      ),
    ).toHaveLength(2)
  })

  test('a response that breaks its own schema', async () => {
    const user = await signInUser(plain.url)
    const db = plain.db
    const drop = db.schema.alterTable('users').dropConstraint('users_role_check')
    await drop.execute()
    const users = db.updateTable('users').where('id', '=', user.id)
    await users.set({ role: 'KING' as 'ADMIN' }).execute()
    const response = await user.get('/auth/me')
    await users.set({ role: 'LANDLORD' }).execute()
    await db.schema
      .alterTable('users')
      .addCheckConstraint('users_role_check', sql`role in ('LANDLORD', 'TENANT', 'MANAGER', 'ADMIN')`)
      .execute()
    expectInternalError(response)
  })
})
