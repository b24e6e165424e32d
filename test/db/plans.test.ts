import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Client, type QueryResult } from 'pg'
import { cases } from '../bench/cases'
import { fill } from '../bench/fill'
import { getLayout } from '../bench/layout'
import { createRequest, sendRaw, type RawResponse } from '../bench/load'
import { createWorld, type World } from '../bench/world'
import { jobs } from '../../server/jobs'
import { newRequest } from '../support/maintenance-fixture'
import { testServer } from '../support/server'
import { sendRequest, signInUser } from '../support/users'
import { DEFAULT_TIMES } from '../support/timestamps'
import { toTinyPdf } from '../support/pdf'

/** Enough rows for the planner to prefer indexes. */
const OWNED = 10_000
const ROWS = 20_000
/** An active lease whose open rent is late. */
const LATE_LEASE = 751
/** An open maintenance request of the first landlord, whose lease has books, and a file that is attached to it. */
const OPEN_REQUEST = 4501
const OWN_FILE = 10

type Statement = { text: string; values: unknown[] }
type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

const explainer = {} as { client: Client; world: World; sql: Bun.SQL }
afterAll(async () => {
  await explainer.client.end()
  await explainer.sql.end()
})
// Records every statement that the server sends to the database.
let heard: Statement[] | undefined
const server = testServer({
  observe: (text, _, values) => {
    heard?.push({ text, values: [...values] })
  },
})

beforeAll(async () => {
  const url = new URL(server.deps.config.DATABASE_URL!)
  const host = url.searchParams.get('host')!
  const database = url.pathname.slice(1)
  const { JWT_SECRET, ESIGN_WEBHOOK_SECRET, SANDBOX_OTP } = server.deps.config
  const sql = new Bun.SQL({ path: `${host}/.s.PGSQL.5432`, username: 'kiraya', database, max: 2 })
  const client = new Client({ host, user: 'kiraya', database })
  await sql.unsafe(DEFAULT_TIMES)
  await sql.unsafe(`insert into rate_limits (key, count, resets_at) select 'k' || g, 1, now() from generate_series(1, ${ROWS}) g;
    insert into otp_sessions (phone_number, otp, expire_at) select 'p' || g, '', now() from generate_series(1, ${ROWS}) g;
    insert into sandbox_records (id, kind, data) select gen_random_uuid(), 'message', '{}' from generate_series(1, ${ROWS}) g`)
  await fill(sql, OWNED)
  await sql.unsafe(`insert into idempotency_keys (user_id, key, digest, answer) select id, 'k', '', '{}' from users;
    insert into tenant_contacts (landlord_id, tenant_id) select a.landlord_id, t.tenant_id from agreements a join agreement_tenants t on t.agreement_id = a.id;
    insert into stored_files (landlord_id, sha256, name, size, content_type, content) select landlord_id, md5(id::text), 'l', 1, 'application/pdf', '' from agreements;
    insert into messages_out (user_id, landlord_id, kind, entity_type, entity_id, params, dedupe_key, language, state, due_at) select t.tenant_id, a.landlord_id, 'settlement', 'agreement', a.id, '{}', 'k' || t.id, 'en', 'sent', now() from agreements a join agreement_tenants t on t.agreement_id = a.id;
    insert into signing_cancellations (provider, provider_request_id, agreement_id, due_at) select 'sandbox', gen_random_uuid()::text, id, now() + interval '1 day' from agreements;
    insert into invitations (phone_number, first_name, last_name, email, expires_at) select phone, 'f', 'l', 'e', now() + interval '1 day' from users;
    insert into refunds (agreement_id, amount, method, refunded_on, created_at, updated_at) select agreement_id, 1, 'upi', starts_on, now(), now() from ledgers;
    insert into rent_revisions (agreement_id, rent_amount, effective_on, status) select agreement_id, 1, starts_on, 'accepted' from ledgers;
    insert into signed_documents (agreement_id, provider, provider_request_id, sha256, size, content)
      select id, 'sandbox', id, '', 0, '' from agreements;
    insert into deposit_settlements (agreement_id, proposed_on, deductions, held_amount, open_rent, refund_amount, status)
      select id, agreement_start_date, '[]', 0, 0, 0, 'proposed' from agreements;
    insert into agreement_certificates (agreement_id, sha256, content) select id, '', '' from agreements;
    insert into kyc_requests (user_id, provider, status, expires_at) select id, 'sandbox', 'SUCCESS', now() from users;
    update properties set is_active = false where id between ${OWNED / 2} and ${OWNED} and id % 2 = 0;
    update property_units set is_active = false where id between ${OWNED / 2} and ${OWNED} and id % 2 = 0;
    update agreements set is_active = false where id between ${OWNED / 2} and ${OWNED} and id % 2 = 0;
    update agreements set late_fee = 500, signed_date = '2026-06-01' where id = ${LATE_LEASE};
    update maintenance_attachments set maintenance_request_id = ${OPEN_REQUEST}, created_by_id = 1 where id = ${OWN_FILE};
    analyze idempotency_keys, invitations, tenant_contacts, signing_cancellations`)
  await sql.unsafe('analyze')
  await client.connect()
  await client.query('set random_page_cost = 1.1')
  Object.assign(explainer, {
    client,
    sql,
    world: await createWorld(sql, getLayout(OWNED), { JWT_SECRET, ESIGN_WEBHOOK_SECRET, SANDBOX_OTP }),
  })
}, 120_000)

/** Their rows live for days at most, or only where providers are simulated. */
const SHORT_TABLES = ['rate_limits', 'sandbox_records', 'signing_cancellations']

/** Those that run every few minutes. */
const FREQUENT_JOBS = Object.keys(jobs).filter(name => jobs[name]!.cron.startsWith('*'))

/** Indexes of few records, whose outcome can still change. */
const AWAITED_INDEXES = [
  'agreements_evidence',
  'agreements_pending',
  'agreement_signatures_due',
  'agreement_signatures_unsigned',
  'kyc_requests_one_open',
]

/** Parts of a plan that read a whole table, or a whole index in an order of no use. */
const readsAll = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ||
  (/^Index (Only )?Scan$/.test(plan['Node Type']) &&
    !plan['Index Cond'] &&
    !AWAITED_INDEXES.includes(plan['Index Name']!))
    ? [`${plan['Node Type']} on ${plan['Relation Name']}`]
    : []),
  ...(plan.Plans ?? []).flatMap(readsAll),
]

/** What the statements of a request read completely. */
async function wholesale(request: Buffer, status: number) {
  const statements: Statement[] = (heard = [])
  const answer: RawResponse = await sendRaw(Number(new URL(server.url).port), request)
  heard = undefined
  expect([answer.status, answer.status === status ? '' : answer.body]).toEqual([status, ''])
  return findWholesale(statements)
}

/** What statements read completely, in their specific and generic plans. */
async function findWholesale(statements: Statement[]) {
  const planned = statements.filter(
    ({ text }) => /^\s*(select|insert|update|delete|with)\b/i.test(text) && !/ from pg_/.test(text),
  )
  const found: string[] = []
  for (const { text, values } of planned)
    for (const isGeneric of values.length ? [false, true] : [false]) {
      const plan = isGeneric ? await planForAny(text, values.length) : await planFor(text, values)
      found.push(
        ...new Set(
          readsAll(plan).map(
            what =>
              `${what}, planned for ${isGeneric ? 'any values' : 'these values'}, in ${text.replace(/\s+/g, ' ').slice(0, 160)}`,
          ),
        ),
      )
    }
  expect(planned.length).toBeGreaterThan(0)
  return found
}

async function planFor(text: string, values: unknown[]): Promise<Plan> {
  const { rows } = await explainer.client.query(`explain (format json) ${text}`, values)
  return rows[0]['QUERY PLAN'][0].Plan
}

/** PostgreSQL 15 has no `explain (generic_plan)`. */
async function planForAny(text: string, count: number): Promise<Plan> {
  const results = await explainer.client.query(`
    set plan_cache_mode = force_generic_plan;
    prepare planned as ${text};
    explain (format json) execute planned (${Array(count).fill('null').join()});
    deallocate planned;
    reset plan_cache_mode`)
  return (results as unknown as QueryResult[])[2]!.rows[0]['QUERY PLAN'][0].Plan
}

const property = { pin_code: 560_048, property_type: 'apartment', property_units: [{ unit_name: 'A' }] }
type More = { status?: number; body?: unknown; headers?: Record<string, string> }
const REQUEST_PATH = `/maintenance-requests/${OPEN_REQUEST}`
const others: [method: string, path: string, more?: More][] = [
  ['GET', '/properties?q=Green&sort=-city'],
  ['GET', '/agreements?status=ACTIVE'],
  ['GET', '/agreements?q=AGR'],
  ['GET', '/tenants'],
  ['GET', '/charges?type=rent&pending=true'],
  ['GET', '/payments?status=posted&sort=-paid_on'],
  ['GET', '/maintenance-requests?open=true'],
  ['GET', REQUEST_PATH],
  ['GET', `${REQUEST_PATH}/comments`],
  ['GET', `${REQUEST_PATH}/attachments/${OWN_FILE}`],
  ['POST', '/maintenance-requests', { status: 201, body: newRequest(OPEN_REQUEST) }],
  ['PATCH', REQUEST_PATH, { body: { cost: 500, borne_by: 'tenant' } }],
  ['POST', `${REQUEST_PATH}/comments`, { status: 201, body: { text: 'On Tuesday' } }],
  ['POST', `${REQUEST_PATH}/attachments`, { status: 201, body: toTinyPdf('') }],
  ['DELETE', `${REQUEST_PATH}/attachments/${OWN_FILE}`],
  ['POST', `${REQUEST_PATH}/status`, { body: { status: 'resolved' } }],
  ['GET', '/agreements/1/schedule'],
  ['GET', '/agreements/1/timeline'],
  ['GET', '/properties/1/units?is_available=true'],
  ['POST', '/properties', { status: 201, body: property, headers: { 'idempotency-key': 'once' } }],
  ['PATCH', '/properties/1', { body: { locality: 'Whitefield' } }],
  ['PATCH', '/agreements/251', { body: { rent_amount: 26_000 } }],
  ['POST', '/agreements/1/terminate', { body: {} }],
  ['POST', `/agreements/${LATE_LEASE}/payments`, { status: 201, body: { amount: 25_000, method: 'upi' } }],
  ['DELETE', '/properties/1/units/2'],
  ['POST', '/tenants', { status: 201, body: { phone_number: '7000000000' } }],
  ['GET', '/properties/UUID'],
  ['GET', '/agreements/UUID'],
]
async function other(method: string, path: string, { status: _, ...more }: More) {
  const noun = path.split(/[/?]/)[1]!
  const { world, sql } = explainer
  const [row] = path.includes('UUID')
    ? await sql.unsafe(
        `select ${noun === 'properties' ? 'property_id' : 'agreement_id'} as uuid from ${noun} where id = 1`,
      )
    : []
  return [createRequest(method, path.replace('UUID', row?.uuid), { token: world.readers[0]!.token, ...more })]
}

const readsShortTable = (found: string) => SHORT_TABLES.some(table => found.includes(` on ${table},`))

const all: [name: string, status: number, requests: () => Buffer[] | Promise<Buffer[]>][] = [
  ...cases.map(({ what, status, createRequests }): (typeof all)[number] => [
    what,
    status,
    () => createRequests(explainer.world, 2),
  ]),
  ...others.map(([method, path, more = {}]): (typeof all)[number] => [
    `${method} ${path}`,
    more.status ?? 200,
    () => other(method, path, more),
  ]),
]

describe(`with ${OWNED} properties every query uses an index`, () => {
  for (const [name, status, requests] of all)
    test(name, async () => {
      for (const request of await requests()) expect(await wholesale(request, status)).toEqual([])
    })

  test('POST /auth/logout', async () => {
    const { token } = await signInUser(server)
    expect(await wholesale(createRequest('POST', '/auth/logout', { token, body: {} }), 200)).toEqual([])
  })

  test.each(FREQUENT_JOBS)('the job %s', async name => {
    const statements: Statement[] = (heard = [])
    await jobs[name]!.work(server.deps)
    heard = undefined
    const found = await findWholesale(statements)
    expect(found.filter(each => !readsShortTable(each))).toEqual([])
  })

  test('DELETE /auth/me reads only short tables completely', async () => {
    const { token, phone } = await signInUser(server)
    await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
    const body = { otp: server.deps.config.SANDBOX_OTP }
    const found = await wholesale(createRequest('DELETE', '/auth/me', { token, body }), 200)
    expect(found.filter(each => !readsShortTable(each))).toEqual([])
  })

  test('GET /auth/me/export reads only short tables completely', async () => {
    const { token } = explainer.world.readers[1]!
    const statements: Statement[] = (heard = [])
    const { status } = await sendRequest(server, 'GET', '/auth/me/export', { token })
    heard = undefined
    expect(status).toBe(200)
    const found = await findWholesale(statements)
    expect(found.filter(each => !readsShortTable(each))).toEqual([])
  })
})
