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
const it = testServer({ env: { PUBLIC_URL: 'https://api.example.com', FRONTEND_ORIGIN: ORIGIN } })
const plain = testServer()
let owner: TestUser
let documents: string[]
beforeAll(async () => {
  const [manager, tenant] = await Promise.all([signInUser(it.url), signInUser(it.url)])
  owner = await createLandlord(it.url)
  const { agreement } = await createAgreementIn(it, { owner, manager, tenant }, 'ACTIVE')
  documents = ['document', 'certificate'].map(name => `/agreements/${agreement.id}/${name}`)
})

describe('every answer is kept by no cache, sniffed by nobody, and stays with https where the server is reached so', () => {
  const body = (length: number) => 'x'.repeat(length)
  const json: [string, string] = ['content-type', 'application/json']
  const table: [
    name: string,
    ask: () => { method: string; target: string; headers?: [string, string][]; body?: string },
    status: number,
  ][] = [
    ['JSON', () => ({ method: 'GET', target: '/health/live' }), 200],
    [
      'a signed document',
      () => ({ method: 'GET', target: documents[0]!, headers: [['authorization', `Bearer ${owner.token}`]] }),
      200,
    ],
    [
      'a certificate',
      () => ({ method: 'GET', target: documents[1]!, headers: [['authorization', `Bearer ${owner.token}`]] }),
      200,
    ],
    ['a page', () => ({ method: 'GET', target: '/signed' }), 200],
    ['the documentation', () => ({ method: 'GET', target: '/docs' }), 200],
    ['its script', () => ({ method: 'GET', target: '/docs/swagger-ui-bundle.js' }), 200],
    ['a file', () => ({ method: 'GET', target: '/sandbox/files/sample-lease.pdf' }), 200],
    ['HEAD', () => ({ method: 'HEAD', target: '/health/live' }), 200],
    ['a redirect', () => ({ method: 'POST', target: '/sandbox/faults/clear' }), 303],
    [
      'a preflight',
      () => ({
        method: 'OPTIONS',
        target: '/agreements',
        headers: [
          ['origin', ORIGIN],
          ['access-control-request-method', 'POST'],
        ],
      }),
      204,
    ],
    [
      'a preflight from elsewhere',
      () => ({
        method: 'OPTIONS',
        target: '/agreements',
        headers: [
          ['origin', 'https://evil.example.com'],
          ['access-control-request-method', 'POST'],
        ],
      }),
      204,
    ],
    ['400', () => ({ method: 'POST', target: '/auth', headers: [json], body: '{' }), 400],
    [
      '400, of a Host that names none',
      () => ({ method: 'GET', target: '/auth/me', headers: [['host', 'a b']] }),
      400,
    ],
    ['401', () => ({ method: 'GET', target: '/auth/me' }), 401],
    ['404', () => ({ method: 'GET', target: '/nothing' }), 404],
    ['TRACE', () => ({ method: 'TRACE', target: '/auth/me' }), 404],
    ['413', () => ({ method: 'POST', target: '/auth', headers: [json], body: body(66_000) }), 413],
    [
      '413, far beyond',
      () => ({ method: 'POST', target: '/properties', headers: [json], body: body(5_000_000) }),
      413,
    ],
  ]
  for (const [name, ask, status] of table) {
    test(`${status}: ${name}`, async () => {
      for (const [url, transport] of [
        [it.url, YEAR],
        [plain.url, undefined],
      ] as const) {
        if (url === plain.url && (documents.includes(ask().target) || ask().method === 'OPTIONS')) continue
        const client = createRawClient(url)
        const answer = await client.send(ask())
        client.close()
        expect([
          answer.status,
          answer.headers['x-content-type-options'],
          /(^|, ?)no-store$/.test(answer.headers['cache-control'] ?? ''),
          answer.headers['strict-transport-security'],
        ]).toEqual([status, 'nosniff', true, transport])
        if (status >= 400)
          expect(JSON.parse(answer.text)).toEqual(
            expect.objectContaining(
              target(ask().target) ? { statusCode: status } : { success: false, data: null },
            ),
          )
      }
    })
  }
  const target = (path: string) => path === '/auth'
})

describe('only pages of the configured origins may read an answer', () => {
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
    test(`not ${origin || 'an empty one'}`, async () => {
      const client = createRawClient(it.url)
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

describe('500: a failure of ours says nothing of the inside', () => {
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
  const wrong = (answer: { status: number; body: unknown }) => {
    expect([answer.status, answer.body]).toEqual([500, enveloped(500, 'Something went wrong on our side')])
    expect(JSON.stringify(answer.body)).not.toContain('select')
  }

  test('whatever was thrown, in either form', async () => {
    const ask = (body: unknown) => sendRequest(broken.url, 'POST', '/auth', { body })
    wrong(await ask({ phone_number: '9876543210' }))
    const inA = await ask({ phoneNumber: '9876543210' })
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

  test('a table that is not there', async () => {
    const person = await signInUser(plain.url)
    await getKysely(plain.em()).schema.alterTable('tenant_contacts').renameTo('elsewhere').execute()
    const answers = [
      await person.call('GET', '/tenants'),
      await person.call('POST', '/tenants', { phone_number: '9876501234' }),
    ]
    await getKysely(plain.em()).schema.alterTable('elsewhere').renameTo('tenant_contacts').execute()
    for (const answer of answers) wrong(answer)
  })

  test('an answer that breaks its own schema', async () => {
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
    wrong(await person.call('GET', '/auth/me'))
  })
})
