import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { listOperations, type Operation, type Schema } from '../../support/operations'
import { sendRequest, signInUser, type TestUser } from '../../support/users'
import { testServer } from '../../support/server'
import { openBooksIn } from '../../support/books/books-fixture'
import { settleDepositIn } from '../../support/books/deposit-fixture'
import { createAgreementIn, toPath, type AgreementFixture } from '../../support/agreement-fixture'
import { profile, time, validBodies, type Fixture } from './valid-bodies'

const FULL = process.env.TIER === 'full'

// Sends every column of every table and every field of every response to operations that do not declare it.
const OPS_TOKEN = 'a token for those who run it'
const server = testServer({ env: { OPS_TOKEN }, overrides: { now: time.now } })
let operations: Operation[]
let columns: Column[]
let tables: string[]
let mallory: TestUser
let manager: TestUser
let tenant: TestUser
let elsewhere: AgreementFixture
/** The times of the server, of this process and of the database. */
let clocks: Date[]
beforeAll(async () => {
  // The sandbox's control has records of its own, and webhooks are the providers'.
  operations = (await listOperations(server.url)).filter(
    ({ bodies, path }) => bodies.length > 0 && !/^\/(sandbox|webhooks)/.test(path),
  )
  columns = listColumns()
  tables = await listTables()
  const { rows } = await sql<{ now: string }>`select now()`.execute(getKysely(server.em()))
  clocks = [time.now(), new Date(), new Date(rows[0]!.now)]
  ;[mallory, manager, tenant] = await Promise.all([
    signInUser(server.url),
    signInUser(server.url),
    signInUser(server.url),
  ])
  elsewhere = await createAgreementIn(server, { owner: mallory, manager, tenant })
})

type Column = { name: string; values: unknown[] }
/** The metadata of an entity's property, as far as it is used here. */
type Property = { name: string; type: string; items?: unknown[]; fieldNames?: string[] }
const UUID = 'dec0de00-0000-4000-8000-00000000cafe'
const TIME = '2001-02-03T04:05:06.789Z'
const DAY = '2001-02-03'
const NUMBER = 77_777_777
const TEXT = 'assigned-by-the-client'
/** Returns the values to send for a column: recognizable ones, or each possible value. */
function getValues({ type, items }: Property): unknown[] {
  if (type === 'User') return ['mallory']
  if (items) return [...items, ...items.map(item => String(item).toLowerCase())]
  if (/bool/i.test(type)) return [true, false]
  if (/int|number|decimal|^[A-Z]/.test(type)) return [NUMBER]
  if (/uuid/i.test(type)) return [UUID]
  if (/time/i.test(type)) return [TIME]
  if (/date$/i.test(type)) return [DAY, TIME]
  if (/json/i.test(type)) return [{ [TEXT]: 1 }]
  return [TEXT]
}
function listFields(schema: Schema | undefined): [string, Schema][] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, inner]) => [
    [name, inner] as [string, Schema],
    ...listFields(inner),
    ...listFields(inner.items),
  ])
}
function listColumns(): Column[] {
  const found = new Map<string, unknown[]>()
  const add = (name: string, values: unknown[]) =>
    void found.set(name, [...(found.get(name) ?? []), ...values])
  const entities = server.deps.db.orm.getMetadata().getAll().values() as Iterable<{
    properties: Record<string, Property>
  }>
  for (const { properties } of entities)
    for (const property of Object.values(properties))
      for (const column of property.fieldNames ?? [property.name]) add(column, getValues(property))
  for (const { responses } of operations)
    for (const [name, schema] of Object.values(responses).flat().flatMap(listFields)) {
      if (found.has(name) || ['data', 'success', 'metadata'].includes(name)) continue
      const isBoolean = [schema.type].flat().includes('boolean')
      add(name, schema.enum ?? (isBoolean ? [true, false] : [TEXT]))
    }
  return [...found].map(([name, values]) => ({ name, values: [...new Set(values)] }))
}

const toCamelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
/** Names that determine the variant, in snake_case or camelCase. */
const variantNames = ['phone_number', 'first_name', 'last_name', 'verification_id']
const userIds = [
  'landlord_id',
  'user_id',
  'signer_id',
  'tenant_id',
  'managed_by_id',
  'manager_id',
  'actor_id',
  'property_approved_by',
  'tenant_ids',
  'payer_id',
]

test('every operation with a body is in the table', () => {
  expect(operations.map(({ route }) => route).toSorted()).toEqual(Object.keys(validBodies).toSorted())
})

function isVariantName(name: string) {
  return variantNames.some(each => name === each || name === toCamelCase(each))
}
/** Adds every field that the schema does not declare, at every level. */
function injectFields(form: Schema, value: unknown, round: number, hasVariants: boolean): unknown {
  const schema = form.anyOf?.[0] ?? form
  if (Array.isArray(value))
    return value.map(item => injectFields(schema.items ?? {}, item, round, hasVariants))
  if (typeof value !== 'object' || value === null) return value
  const declared = schema.properties ?? {}
  const isInjected = (name: string) =>
    !(name in declared) && !(toCamelCase(name) in declared) && !(hasVariants && isVariantName(name))
  const injected = columns.flatMap(({ name, values }) => {
    const sent = values[round % values.length]
    const names = [...new Set([name, toCamelCase(name)])].filter(isInjected)
    return names.map(each => [each, sent === 'mallory' ? mallory.id : sent] as const)
  })
  const own = Object.entries(value).map(
    ([name, inner]) => [name, injectFields(declared[name] ?? {}, inner, round, hasVariants)] as const,
  )
  return Object.fromEntries([...injected, ...own])
}

/** All tables, except those of rate limits and of the sandbox's own records. */
async function listTables() {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public'
    and tablename not in ('rate_limits', 'sandbox_records', 'mikro_orm_migrations')
    order by 1`.execute(getKysely(server.em()))
  return rows.map(({ name }) => name)
}

/** The present moment, and how many rows each table has. */
async function countRows() {
  const db = getKysely(server.em())
  const { rows: times } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(db)
  const { xid } = times[0]!
  return { xid, counts: await countUntil(xid) }
}

/** Counts rows that are as they were at a moment. */
async function countUntil(xid: string) {
  const selections = tables.map(
    name => sql`select ${name}::text as name, count(*)::int as count from ${sql.table(name)}
      where xmin::text::bigint <= ${xid}::bigint`,
  )
  const union = sql<{ name: string; count: number }>`${sql.join(selections, sql` union all `)}`
  const { rows } = await union.execute(getKysely(server.em()))
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** Returns the rows that were inserted or changed since, and the tables that have lost earlier ones. */
async function findChanges({ xid, counts }: Awaited<ReturnType<typeof countRows>>) {
  const selections = tables.map(
    name => sql`select ${name}::text as name, to_jsonb(t) as row from ${sql.table(name)} t
      where xmin::text::bigint > ${xid}::bigint`,
  )
  const union = sql<{ name: string; row: unknown }>`${sql.join(selections, sql` union all `)}`
  const { rows } = await union.execute(getKysely(server.em()))
  const left = await countUntil(xid)
  const gone = tables.map(name => [name, counts.get(name)! - left.get(name)!] as const)
  return { rows, gone: gone.filter(([, count]) => count > 0) }
}

/** Replaces what differs between two equal runs: ids, users, times and secrets. */
function normalize(value: unknown, fixture: Fixture): unknown {
  const users = new Map<unknown, string>([
    [fixture.owner.id, 'owner'],
    [fixture.tenant.id, 'tenant'],
    [fixture.manager.id, 'manager'],
    [mallory.id, 'mallory'],
    [fixture.owner.phone, 'owner'],
  ])
  const normalizeUser = (id: unknown) =>
    users.get(id) ?? (typeof id === 'number' ? 'another user' : normalize(id, fixture))
  const normalizeField = (name: string, inner: unknown) => {
    if (userIds.includes(name)) return [inner].flat().map(normalizeUser)
    const isId = /_id$|^id$/.test(name) && typeof inner === 'number' && inner !== NUMBER
    return isId ? 'number' : normalize(inner, fixture)
  }
  if (Array.isArray(value)) return value.map(item => normalize(item, fixture))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, normalizeField(name, inner)]),
    )
  if (typeof value !== 'string') return value
  if (users.has(value)) return users.get(value)
  return isAboutNow(value) ? 'about now' : normalizeText(value)
}
/** An invitation expires in fourteen days. */
function isAboutNow(text: string) {
  return clocks.some(now => Math.abs(Date.parse(text) - now.getTime()) < 15 * 86_400_000)
}
function normalizeText(text: string) {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, uuid => (uuid === UUID ? UUID : 'uuid'))
    .replace(/[0-9a-f]{64}/g, 'hash')
    .replace(/[6-9]\d{9}/g, 'phone')
    .replace(/ey[\w-]+\.[\w-]+\.[\w-]+/g, 'token')
    .replace(/AGR-\d{4}-\d{6}/g, 'AGR')
    .replace(/erased-\d+/g, 'erased')
    .replace(/\$argon2id\S+/g, 'argon2id')
    .replace(/"names":\{"\d+"/g, '"names":{"user"')
    .replace(/127\.0\.0\.1:\d+|localhost:\d+/g, 'host')
}

/** Prepares the records and the owner that an operation needs. */
async function createFixture({ route, path, params }: Operation): Promise<Fixture> {
  const { payment, deposit, state = payment && 'ACTIVE' } = validBodies[route]!
  const owner = await signInUser(server.url)
  if (path.endsWith('/ekyc')) await owner.call('PUT', '/profile/complete', profile)
  const needsAgreement = params.length > 0 || path === '/agreements'
  const records = needsAgreement
    ? await createAgreementIn(server, { owner, manager, tenant }, state)
    : elsewhere
  if (path === '/auth/verify' || route === 'DELETE /auth/me')
    await sendRequest(server.url, 'POST', '/auth/send-otp', { body: { phone_number: owner.phone } })
  if (path === '/auth/login')
    await owner.call('PUT', '/profile/complete', { ...profile, password: 'a password of hers' })
  const books = payment && (await openBooksIn(server, records, { owner, tenant }, payment))
  const settled = deposit && (await settleDepositIn(records, { owner, tenant }, deposit))
  return { ...records, ...books, ...settled, owner, manager, tenant } as Fixture
}

/** Calls an operation; returns its response and the rows that it changed. */
async function callAndCompare(
  operation: Operation,
  isInA: boolean,
  change: (body: Record<string, unknown>) => unknown,
) {
  const { body, sender = 'owner' } = validBodies[operation.route]!
  const fixture = await createFixture(operation)
  const fields = Object.entries(body(fixture))
  const sent = Object.fromEntries(fields.map(([name, value]) => [isInA ? toCamelCase(name) : name, value]))
  const before = await countRows()
  const response = await sendRequest(server, operation.method, toPath(operation.path, fixture), {
    token: operation.path.startsWith('/operations') ? OPS_TOKEN : fixture[sender].token,
    body: change(sent),
  })
  const { rows, gone } = await findChanges(before)
  return {
    status: response.status,
    body: normalize(response.body, fixture),
    gone,
    rows: rows.map(({ name, row }) => JSON.stringify([name, normalize(row, fixture)])).toSorted(),
  }
}

describe('an undeclared field has no effect and is not returned', () => {
  test.each(Object.keys(validBodies))('%s', async route => {
    const operation = operations.find(each => each.route === route)!
    const first = operations.indexOf(operation)
    const rounds = FULL ? Math.max(...columns.map(({ values }) => values.length)) : 2
    for (const [index, form] of operation.bodies.entries()) {
      const isInA = index > 0
      const expected = await callAndCompare(operation, isInA, body => body)
      if (route !== 'POST /profile/ekyc/complete')
        expect([route, expected.status < 300, expected.body]).toEqual([route, true, expected.body])
      for (let round = first; round < first + rounds; round++) {
        const found = await callAndCompare(operation, isInA, body =>
          injectFields(form, body, round, operation.bodies.length > 1),
        )
        expect([route, round, found]).toEqual([route, round, expected])
        for (const trace of [UUID, TIME, TEXT, String(NUMBER)])
          expect([trace, JSON.stringify(found).includes(trace)]).toEqual([trace, false])
      }
    }
  })
})

test('the injected fields include those of the tables and the responses', () => {
  const expected =
    'id user_id landlord_id sid auth_token password otp role kyc_verified is_active property_approved ' +
    'property_approved_by status signed_date termination_date agreement_end_date revision timeline_hash ' +
    'created_at updated_at has_verified_profile revises_agreement_id'
  const names = columns.map(({ name }) => name)
  expect(expected.split(' ').filter(name => !names.includes(name))).toEqual([])
  expect(names.length).toBeGreaterThan(100)
})
