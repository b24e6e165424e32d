import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { listOperations, type Operation, type Schema } from '../../support/operations'
import { sendRequest, freshPhone, signInUser, agreementTerms, type TestUser } from '../../support/users'
import { testServer } from '../../support/server'
import { createAgreementIn, toPath, type State, type AgreementFixture } from '../../support/agreement-fixture'

const FULL = process.env.FAULTS === 'full'

// Every column of every table and every field of every answer is sent where the operation does not ask for it.
const it = testServer()
/** Of the sandbox's control the records are its own. */
const isOurs = ({ bodies, path }: Operation) => bodies.length > 0 && !path.startsWith('/sandbox')
let operations: Operation[]
let columns: Column[]
let mallory: TestUser
let manager: TestUser
let tenant: TestUser
let elsewhere: AgreementFixture
beforeAll(async () => {
  operations = (await listOperations(it.url)).filter(isOurs)
  columns = columnsOf()
  ;[mallory, manager, tenant] = await Promise.all([
    signInUser(it.url),
    signInUser(it.url),
    signInUser(it.url),
  ])
  elsewhere = await createAgreementIn(it, { owner: mallory, manager, tenant })
})

type Column = { name: string; values: unknown[] }
/** What of the entities' metadata is used here. */
type Property = { name: string; type: string; items?: unknown[]; fieldNames?: string[] }
const UUID = 'dec0de00-0000-4000-8000-00000000cafe'
const TIME = '2001-02-03T04:05:06.789Z'
const DAY = '2001-02-03'
const NUMBER = 77_777_777
const TEXT = 'assigned-by-the-client'
/** What a column is sent: something to be known again, or each value that it can have. */
function columnsOf(): Column[] {
  const found = new Map<string, unknown[]>()
  const add = (name: string, values: unknown[]) =>
    void found.set(name, [...(found.get(name) ?? []), ...values])
  for (const { properties } of it.deps.db.orm.getMetadata().getAll().values() as Iterable<{
    properties: Record<string, Property>
  }>) {
    for (const { name, type, items, fieldNames = [name] } of Object.values(properties)) {
      for (const column of fieldNames)
        add(
          column,
          type === 'User'
            ? ['mallory']
            : items
              ? [...items, ...items.map(item => String(item).toLowerCase())]
              : /bool/i.test(type)
                ? [true, false]
                : /int|number|decimal|^[A-Z]/.test(type)
                  ? [NUMBER]
                  : /uuid/i.test(type)
                    ? [UUID]
                    : /date$/i.test(type) && !/time/i.test(type)
                      ? [DAY, TIME]
                      : /time/i.test(type)
                        ? [TIME]
                        : /json/i.test(type)
                          ? [{ [TEXT]: 1 }]
                          : [TEXT],
        )
    }
  }
  const fields = (schema: Schema | undefined): [string, Schema][] =>
    Object.entries(schema?.properties ?? {}).flatMap(([name, inner]) => [
      [name, inner] as [string, Schema],
      ...fields(inner),
      ...fields(inner.items),
    ])
  for (const { responses } of operations)
    for (const [name, schema] of Object.values(responses).flat().flatMap(fields))
      if (!found.has(name) && !['data', 'success', 'metadata'].includes(name))
        add(name, schema.enum ?? ([schema.type].flat().includes('boolean') ? [true, false] : [TEXT]))
  return [...found].map(([name, values]) => ({ name, values: [...new Set(values)] }))
}

type Made = AgreementFixture & Record<'owner' | 'manager' | 'tenant', TestUser>
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
/** A body that each operation accepts; one without a row fails. */
const accepted: Record<string, { body: (made: Made) => Record<string, unknown>; state?: State }> = {
  'POST /auth': { body: () => ({ phone_number: freshPhone() }) },
  'POST /auth/send-otp': { body: () => ({ phone_number: freshPhone() }) },
  'POST /auth/verify': { body: ({ owner }) => ({ phone_number: owner.phone, otp: '123456' }) },
  'POST /auth/login': {
    body: ({ owner }) => ({ phone_number: owner.phone, password: 'a password of hers' }),
  },
  'POST /auth/logout': { body: () => ({ all: true }) },
  'DELETE /auth/me': { body: () => ({ otp: '123456' }) },
  'PUT /profile/complete': { body: () => ({ ...profile, password: 'another password' }) },
  'POST /profile/ekyc': { body: () => ({}) },
  'POST /profile/ekyc/complete': { body: ({ signature_id }) => ({ verification_id: signature_id }) },
  'POST /properties': {
    body: () => ({
      pin_code: 560048,
      property_type: 'pg',
      property_units: [{ unit_name: 'A' }, { unit_name: 'B' }],
    }),
  },
  'PATCH /properties/:id': { body: () => ({ locality: 'Whitefield' }) },
  'POST /properties/:id/units': { body: () => ({ unit_name: 'B' }) },
  'PATCH /properties/:id/units/:unitId': { body: () => ({ unit_notes: 'painted' }) },
  'POST /tenants': { body: () => ({ phone_number: freshPhone() }) },
  'POST /agreements': { body: ({ unit, tenant }) => agreementTerms(unit.id, [tenant.id]) },
  'PATCH /agreements/:id': { body: () => ({ rent_amount: 12_345 }) },
  'POST /agreements/:id/sign': {
    body: ({ owner }) => ({
      signer_id: owner.id,
      flexi_options: {
        template_id: 't',
        signature_position: { page_number: 1, x: 1, y: 1, width: 1, height: 1 },
      },
    }),
  },
  'POST /agreements/:id/revise': { state: 'PENDING', body: () => ({ rent_amount: 12_345 }) },
  'POST /agreements/:id/terminate': { state: 'PENDING', body: () => ({ reason: 'moved' }) },
}
const toA = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
/** These names, and theirs in camelCase, say which variant a client is of. */
const telling = ['phone_number', 'first_name', 'last_name', 'verification_id']
const people = [
  'landlord_id',
  'user_id',
  'signer_id',
  'tenant_id',
  'managed_by_id',
  'manager_id',
  'actor_id',
  'property_approved_by',
  'tenant_ids',
]

test('every operation with a body has an accepted one', () => {
  expect(operations.map(({ route }) => route).toSorted()).toEqual(Object.keys(accepted).toSorted())
})

/** The body with every field that its schema does not have, at the top and within. */
function injected(given: Schema, value: unknown, round: number, isBoth: boolean): unknown {
  const schema = given.anyOf?.[0] ?? given
  if (Array.isArray(value)) return value.map(item => injected(schema.items ?? {}, item, round, isBoth))
  if (typeof value !== 'object' || value === null) return value
  const own = schema.properties ?? {}
  const more = columns.flatMap(({ name, values }) =>
    [...new Set([name, toA(name)])]
      .filter(
        each =>
          !(each in own) &&
          !(toA(each) in own) &&
          !(isBoth && telling.some(word => each === word || each === toA(word))),
      )
      .map(each => {
        const sent = values[round % values.length]
        return [each, sent === 'mallory' ? mallory.id : sent] as const
      }),
  )
  return {
    ...Object.fromEntries(more),
    ...Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, injected(own[name] ?? {}, inner, round, isBoth)]),
    ),
  }
}

/** Everything that is kept, row by row, but for limits and what the sandbox's provider was sent. */
async function dump() {
  const db = getKysely(it.em())
  const { rows: tables } = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('rate_limits', 'sandbox_records', 'mikro_orm_migrations')`.execute(
    db,
  )
  const all = await Promise.all(
    tables.map(async ({ name }) =>
      (
        await sql<{
          row: Record<string, unknown>
        }>`select to_jsonb(t) as row from ${sql.table(name)} t`.execute(db)
      ).rows.map(({ row }) => [name, row] as const),
    ),
  )
  return new Map(
    all
      .flat()
      .map(([name, row]) => [
        `${name} ${row.id ?? JSON.stringify([row.key, row.user_id, row.landlord_id, row.tenant_id, row.year, row.provider_request_id])} ${JSON.stringify(row)}`,
        [name, row] as const,
      ]),
  )
}

/** A row without what differs between two runs of the same thing: numbers and people become their part in it. */
function alike(value: unknown, made: Made, began: number): unknown {
  const parts = new Map<unknown, string>([
    [made.owner.id, 'owner'],
    [made.tenant.id, 'tenant'],
    [made.manager.id, 'manager'],
    [mallory.id, 'mallory'],
    [made.owner.phone, 'owner'],
  ])
  if (Array.isArray(value)) return value.map(item => alike(item, made, began))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        people.includes(name)
          ? [inner]
              .flat()
              .map(
                each => parts.get(each) ?? (typeof each === 'number' ? 'somebody' : alike(each, made, began)),
              )
          : /_id$|^id$/.test(name) && typeof inner === 'number' && inner !== NUMBER
            ? 'number'
            : alike(inner, made, began),
      ]),
    )
  if (typeof value !== 'string') return value
  if (parts.has(value)) return parts.get(value)
  if (Math.abs(Date.parse(value) - began) < 8 * 86_400_000) return 'about now'
  return value
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, uuid => (uuid === UUID ? UUID : 'uuid'))
    .replace(/[0-9a-f]{64}/g, 'hash')
    .replace(/[6-9]\d{9}/g, 'phone')
    .replace(/ey[\w-]+\.[\w-]+\.[\w-]+/g, 'token')
    .replace(/AGR-\d{4}-\d{6}/g, 'AGR')
    .replace(/erased-\d+/g, 'erased')
    .replace(/\$argon2id\S+/g, 'argon2id')
    .replace(/127\.0\.0\.1:\d+|localhost:\d+/g, 'host')
}

/** What an operation answers, and which rows are new or other after it. */
async function effect(
  { route, method, path, params }: Operation,
  inA: boolean,
  change: (body: Record<string, unknown>) => unknown,
) {
  const { body, state } = accepted[route]!
  const owner = await signInUser(it.url)
  if (path.endsWith('/ekyc')) await owner.call('PUT', '/profile/complete', profile)
  const made = {
    ...(params.length || path === '/agreements'
      ? await createAgreementIn(it, { owner, manager, tenant }, state)
      : elsewhere),
    owner,
    manager,
    tenant,
  }
  if (path === '/auth/verify' || route === 'DELETE /auth/me')
    await sendRequest(it.url, 'POST', '/auth/send-otp', { body: { phone_number: owner.phone } })
  if (path === '/auth/login')
    await owner.call('PUT', '/profile/complete', { ...profile, password: 'a password of hers' })
  const sent = body(made)
  const plain = inA
    ? Object.fromEntries(Object.entries(sent).map(([name, value]) => [toA(name), value]))
    : sent
  const began = Date.now()
  const before = await dump()
  const answer = await owner.call(method, toPath(path, made), change(plain))
  const after = await dump()
  const rows = [...after]
    .filter(([key]) => !before.has(key))
    .map(([, [table, row]]) => [table, alike(row, made, began)] as const)
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, [table]]) => table)
  return {
    status: answer.status,
    body: alike(answer.body, made, began),
    gone: gone.toSorted(),
    rows: rows.map(row => JSON.stringify(row)).toSorted(),
  }
}

describe('no field that the client does not own has any effect, nor is it answered', () => {
  for (const route of Object.keys(accepted)) {
    test(route, async () => {
      const operation = operations.find(each => each.route === route)!
      const first = operations.indexOf(operation)
      const rounds = FULL ? Math.max(...columns.map(({ values }) => values.length)) : 2
      for (const [index, form] of operation.bodies.entries()) {
        const inA = index > 0
        const expected = await effect(operation, inA, body => body)
        if (route !== 'POST /profile/ekyc/complete')
          expect([route, expected.status < 300, expected.body]).toEqual([route, true, expected.body])
        for (let round = first; round < first + rounds; round++) {
          const found = await effect(operation, inA, body =>
            injected(form, body, round, operation.bodies.length > 1),
          )
          expect([route, round, found]).toEqual([route, round, expected])
          for (const trace of [UUID, TIME, TEXT, String(NUMBER)])
            expect([trace, JSON.stringify(found).includes(trace)]).toEqual([trace, false])
        }
      }
    })
  }
})

test('the fields are those of the tables and the answers', () => {
  const known = columns.map(({ name }) => name)
  for (const name of [
    'id',
    'user_id',
    'landlord_id',
    'sid',
    'auth_token',
    'password',
    'otp',
    'role',
    'kyc_verified',
    'is_active',
    'property_approved',
    'property_approved_by',
    'status',
    'signed_date',
    'termination_date',
    'agreement_end_date',
    'revision',
    'timeline_hash',
    'created_at',
    'updated_at',
    'has_verified_profile',
    'revises_agreement_id',
  ])
    expect(known).toContain(name)
  expect(known.length).toBeGreaterThan(100)
})
