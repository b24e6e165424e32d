import { beforeAll, describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { createLog } from '../../../server/observability/log'
import { sendRequest, createLandlord, signInUser, type TestUser } from '../../support/users'
import { createRawClient } from '../../support/raw-client'
import { testServer } from '../../support/server'
import { createAgreementIn } from '../../support/agreement-fixture'
import { enveloped } from '../http/forms'

const ORIGIN = 'https://app.example.com'
const YEAR = 'max-age=31536000; includeSubDomains'
const server = testServer({ env: { PUBLIC_URL: 'https://api.example.com', FRONTEND_ORIGIN: ORIGIN } })
const plain = testServer({ env: { PUBLIC_URL: 'http://api.example.com' } })
let owner: TestUser
let documents: string[]
beforeAll(async () => {
  const [manager, tenant] = await Promise.all([signInUser(server.url), signInUser(server.url)])
  owner = await createLandlord(server.url)
  const { agreement } = await createAgreementIn(server, { owner, manager, tenant }, 'ACTIVE')
  documents = ['document', 'certificate'].map(name => `/agreements/${agreement.id}/${name}`)
})

type Sent = { method: string; target: string; headers?: [string, string][]; body?: string }
const JSON_TYPE: [string, string] = ['content-type', 'application/json']
const requests: [status: number, title: string, request: () => Sent][] = [
  [200, 'JSON', () => get('/health/live')],
  [200, 'a Host of three characters', () => get('/health/live', ['host', 'api'])],
  [200, 'a signed document', () => getAsOwner(documents[0]!)],
  [200, 'a certificate', () => getAsOwner(documents[1]!)],
  [200, 'a page', () => get('/signed')],
  [200, 'the documentation', () => get('/docs')],
  [200, 'a file', () => get('/sandbox/files/sample-lease.pdf')],
  [200, 'HEAD', () => ({ method: 'HEAD', target: '/health/live' })],
  [303, 'a redirect', () => ({ method: 'POST', target: '/sandbox/faults/clear' })],
  [204, 'a preflight', () => preflight(ORIGIN)],
  [204, 'a preflight from another origin', () => preflight('https://evil.example.com')],
  [400, 'a body that is not JSON', () => postJson('/auth', '{')],
  [400, 'a malformed Host', () => get('/auth/me', ['host', 'a b'])],
  [400, 'two Host headers', () => get('/health/live', ['host', 'a.example'], ['host', 'b.example'])],
  [
    400,
    'the same Host header twice',
    () => get('/health/live', ['Host', 'a.example'], ['host', 'a.example']),
  ],
  [401, 'no token', () => get('/auth/me')],
  [404, 'an unknown path', () => get('/nothing')],
  [404, 'a path that a short Host would shorten', () => get('/abc/health/live', ['host', 'k'])],
  [404, 'TRACE', () => ({ method: 'TRACE', target: '/auth/me' })],
  [413, 'a body above the limit', () => postJson('/auth', 'x'.repeat(66_000))],
  [413, 'a body far above the limit', () => postJson('/properties', 'x'.repeat(20_000_000))],
]

function get(target: string, ...headers: [string, string][]): Sent {
  return { method: 'GET', target, headers }
}
function getAsOwner(target: string) {
  return get(target, ['authorization', `Bearer ${owner.token}`])
}
function postJson(target: string, body: string): Sent {
  return { method: 'POST', target, headers: [JSON_TYPE], body }
}
function preflight(origin: string): Sent {
  const headers: [string, string][] = [
    ['origin', origin],
    ['access-control-request-method', 'POST'],
  ]
  return { method: 'OPTIONS', target: '/agreements', headers }
}

async function expectSecurityHeaders(url: string, request: Sent, status: number, transport?: string) {
  const client = createRawClient(url)
  const response = await client.send(request)
  client.close()
  expect([
    response.status,
    response.headers['x-content-type-options'],
    /(^|, ?)no-store$/.test(response.headers['cache-control'] ?? ''),
    response.headers['strict-transport-security'],
  ]).toEqual([status, 'nosniff', true, transport])
  if (status < 400) return
  const error = request.target === '/auth' ? { statusCode: status } : { success: false, data: null }
  expect(JSON.parse(response.text)).toEqual(expect.objectContaining(error))
}

describe('every response has no-store and nosniff', () => {
  test.each(requests)(
    '%d: %s, with Strict-Transport-Security for an https PUBLIC_URL',
    async (status, _, request) => {
      await expectSecurityHeaders(server.url, request(), status, YEAR)
    },
  )

  // The documents and the configured origin belong to the other server.
  const elsewhere = requests.filter(([, title]) => !/document$|certificate|preflight/.test(title))
  test.each(elsewhere)('%d: %s, without Strict-Transport-Security otherwise', async (status, _, request) => {
    await expectSecurityHeaders(plain.url, request(), status)
  })
})

describe('only pages of the configured origins may read a response', () => {
  for (const origin of [
    'null',
    'https://evil.example.com',
    'https://app.example.com.evil.com',
    'https://evil.com/https://app.example.com',
    'http://app.example.com',
    'https://app.example.com:444',
    'https://APP.example.com',
    'https://app.example.com/',
    'https://app.example.com,https://evil.com',
    '*',
    '',
    'https://app_example.com',
    'https://appXexample.com',
  ]) {
    test(`not pages of ${origin || 'an empty origin'}`, async () => {
      const client = createRawClient(server.url)
      for (const method of ['GET', 'OPTIONS', 'POST']) {
        const { headers } = await client.send({
          method,
          target: '/auth/me',
          headers: [
            ['origin', origin],
            ['access-control-request-method', 'GET'],
            ['access-control-request-headers', 'x-evil'],
          ],
        })
        expect([
          headers['access-control-allow-origin'],
          headers['access-control-allow-credentials'],
          headers['access-control-allow-headers']?.includes('evil') ?? false,
        ]).toEqual([undefined, undefined, false])
      }
      client.close()
    })
  }
})

describe('500: an internal error reveals nothing', () => {
  const SECRET = 'select * from users where password = hunter2 at /srv/kiraya/server/index.ts:1'
  const lines: string[] = []
  const broken = testServer({
    overrides: {
      log: createLog('trace', false, { write: line => void lines.push(line) }),
      sendOtp: () => Promise.reject(new TypeError(SECRET)),
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

  test('a missing table', async () => {
    const person = await signInUser(plain.url)
    await getKysely(plain.em()).schema.alterTable('tenant_contacts').renameTo('elsewhere').execute()
    const responses = [
      await person.call('GET', '/tenants'),
      await person.call('POST', '/tenants', { phone_number: '9876501234' }),
    ]
    await getKysely(plain.em()).schema.alterTable('elsewhere').renameTo('tenant_contacts').execute()
    for (const response of responses) expectInternalError(response)
  })

  test('a response that breaks its own schema', async () => {
    const person = await signInUser(plain.url)
    await getKysely(plain.em())
      .schema.alterTable('users')
      .dropConstraint('users_role_check')
      .ifExists()
      .execute()
    await getKysely(plain.em())
      .updateTable('users')
      .set({ role: 'KING' as 'ADMIN' })
      .where('id', '=', person.id)
      .execute()
    expectInternalError(await person.call('GET', '/auth/me'))
  })
})
