import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { operations as rows } from '../../operations'
import { PASSWORD_HASH } from '../../operations/account'
import { createFixture, fillBody, toPath, usesFixture, type Fixture } from '../../operations/fixture'
import { raiseRequest } from '../../support/maintenance-fixture'
import { listOperations, type Operation, type Schema } from '../../support/operations'
import { clock, testServer } from '../../support/server'
import { PROFILE } from '../../support/sign-ins'
import {
  agreementTerms,
  completeProfile,
  createUnit,
  requireSuccess,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'

// Every column of every table and every field of every response is sent to operations that do not declare it. That a
// schema drops such fields is tested for all (http/one-violation); here is that nothing reads a body beside its schema.

const OPS_TOKEN = 'a token for those who run it'
/** Before the month in which the leases begin, so that no rent is posted. */
const { now } = clock(new Date('2026-11-02T06:30:00Z'))
const server = testServer({ env: { OPS_TOKEN }, overrides: { now } })
let operations: Operation[]
let foreign: Record<string, unknown>
let manager: TestUser
let tenant: TestUser
let elsewhere: Fixture
beforeAll(async () => {
  // The sandbox's control has records of its own, and webhooks are the providers'.
  operations = (await listOperations(server.url)).filter(
    ({ bodies, path }) => bodies.length > 0 && !/^\/(sandbox|webhooks)/.test(path),
  )
  foreign = Object.fromEntries([...listResponseFields(), ...listColumns()])
  const [owner, ...others] = await Promise.all([1, 2, 3].map(() => signInUser(server)))
  ;[manager, tenant] = others as [TestUser, TestUser]
  elsewhere = await createFixture(server, { owner: owner!, manager, tenant })
})

// Values that are nowhere else.
const UUID = 'dec0de00-0000-4000-8000-00000000cafe'
const DAY = '2001-02-03'
const NUMBER = 77_777_777
const TEXT = 'assigned-by-the-client'
const MARKS = [UUID, DAY, String(NUMBER), TEXT]

/** The metadata of an entity's property, as far as it is used here. */
type Property = { name: string; type: string; items?: unknown[]; fieldNames?: string[] }

function toForeignValue({ type, items }: Property): unknown {
  if (items) return items.at(-1)
  if (/bool/i.test(type)) return true
  if (/int|number|decimal|^[A-Z]/.test(type)) return NUMBER
  if (/uuid/i.test(type)) return UUID
  if (/time/i.test(type)) return `${DAY}T04:05:06.789Z`
  if (/date$/i.test(type)) return DAY
  return /json/i.test(type) ? { [TEXT]: 1 } : TEXT
}

function listColumns() {
  const entities = [...server.deps.db.orm.getMetadata().getAll().values()] as {
    properties: Record<string, Property>
  }[]
  return entities.flatMap(({ properties }) =>
    Object.values(properties).flatMap(property =>
      (property.fieldNames ?? [property.name]).map(name => [name, toForeignValue(property)] as const),
    ),
  )
}

function listFieldNames(schema: Schema | undefined): string[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, inner]) => [
    name,
    ...listFieldNames(inner),
    ...listFieldNames(inner.items),
  ])
}

const listResponseFields = () =>
  operations
    .flatMap(({ responses }) => Object.values(responses).flat().flatMap(listFieldNames))
    .map(name => [name, TEXT] as const)

const isJson = (body: unknown) => body !== undefined && !(body instanceof Uint8Array)
const withBodies = Object.keys(rows).filter(
  route => !route.includes(' /sandbox') && isJson(rows[route]!.body),
)

test('every operation with a body has a valid one, and so is what belongs to the server', () => {
  expect(operations.map(({ route }) => route).toSorted()).toEqual(withBodies.toSorted())
  const owned =
    'id user_id landlord_id sid auth_token password otp role kyc_verified is_active property_approved ' +
    'property_approved_by status signed_date termination_date agreement_end_date revision timeline_hash ' +
    'created_at updated_at has_verified_profile revises_agreement_id raised_by_id charge_id resolved_at'
  expect(owned.split(' ').filter(name => !(name in foreign))).toEqual([])
})

const toCamelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
/** They tell which variant a body is of. */
const VARIANT_NAMES = ['phone_number', 'first_name', 'last_name', 'verification_id']
const DECIDING_NAMES = [...VARIANT_NAMES, ...VARIANT_NAMES.map(toCamelCase)]

/** Adds every field that the schema does not declare, at every level. */
function injectFields(form: Schema, value: unknown, hasVariants: boolean): unknown {
  const schema = form.anyOf?.[0] ?? form
  if (Array.isArray(value)) return value.map(item => injectFields(schema.items ?? {}, item, hasVariants))
  if (typeof value !== 'object' || value === null) return value
  const declared = schema.properties ?? {}
  const isInjected = (name: string) =>
    !(name in declared) && !(toCamelCase(name) in declared) && !(hasVariants && DECIDING_NAMES.includes(name))
  const injected = Object.entries(foreign).flatMap(([name, sent]) =>
    [name, toCamelCase(name)].filter(isInjected).map(each => [each, sent] as const),
  )
  const own = Object.entries(value).map(
    ([name, inner]) => [name, injectFields(declared[name] ?? {}, inner, hasVariants)] as const,
  )
  return Object.fromEntries([...injected, ...own])
}

/** The tables in which some row has one of the values. */
async function findTraces() {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(server.db)
  const selections = tables.map(
    ({ name }) => sql`select ${name}::text as name from ${sql.table(name)} t
      where to_jsonb(t)::text ~ ${MARKS.join('|')} limit 1`,
  )
  const union = sql<{ name: string }>`${sql.join(
    selections.map(selection => sql`(${selection})`),
    sql` union all `,
  )}`
  return (await union.execute(server.db)).rows.map(({ name }) => name)
}

/** Prepares the records and the owner that an operation needs. */
async function prepareRecords({ route, path }: Operation): Promise<Fixture> {
  const { body, ...needs } = rows[route]!
  const owner = await signInUser(server)
  if (path.endsWith('/ekyc')) await completeProfile(owner)
  if (path === '/auth/verify' || route === 'DELETE /auth/me')
    await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: owner.phone } })
  if (path === '/auth/login') await completeProfile(owner, { password: PASSWORD_HASH })
  if (usesFixture(path, body)) return createFixture(server, { owner, manager, tenant }, needs)
  return { ...elsewhere, owner }
}

test.each(withBodies)('%s: an undeclared field leaves no trace', async route => {
  const operation = operations.find(each => each.route === route)!
  const { body, sender = 'owner' } = rows[route]!
  for (const [index, form] of operation.bodies.entries()) {
    const fixture = await prepareRecords(operation)
    const fields = Object.entries(fillBody(body, fixture))
    const named = index > 0 ? fields.map(([name, value]) => [toCamelCase(name), value] as const) : fields

    const response = await sendRequest(server, operation.method, toPath(operation.path, fixture), {
      token: operation.path.startsWith('/operations') ? OPS_TOKEN : fixture[sender].token,
      body: injectFields(form, Object.fromEntries(named), operation.bodies.length > 1),
    })

    // The check that is completed here is unknown.
    if (route !== 'POST /profile/ekyc/complete') requireSuccess(response, route)
    expect(MARKS.filter(mark => JSON.stringify(response.body).includes(mark))).toEqual([])
    expect(await findTraces()).toEqual([])
  }
})

test('words and flags of the server stay as they are', async () => {
  const [owner, other] = [await signInUser(server), await signInUser(server)]
  const { property, unit, path } = await createUnit(owner)
  const { data: draft } = await owner.post('/agreements', {
    ...agreementTerms(unit.id, [tenant.id]),
    status: 'ACTIVE',
    signed_date: DAY,
    landlord_id: other.id,
  })
  expect(draft).toMatchObject({ status: 'DRAFT', signed_date: null, landlord_id: owner.id })
  const { request } = await raiseRequest(owner, { unit })
  const owned = { landlord_id: other.id, is_active: false, status: 'ACTIVE', property_approved: false }
  const ofRequest = {
    agreement_id: draft.id,
    category: 'pest',
    charge_id: NUMBER,
    raised_by_id: other.id,
    resolved_at: `${DAY}T00:00:00Z`,
    status: 'resolved',
  }
  const changes: [
    path: string,
    body: object,
    table: 'users' | 'properties' | 'property_units' | 'agreements' | 'maintenance_requests',
  ][] = [
    ['/profile/complete', { ...PROFILE, role: 'ADMIN', kyc_verified: true, is_active: false }, 'users'],
    [`/properties/${property.id}`, owned, 'properties'],
    [path, owned, 'property_units'],
    [`/agreements/${draft.id}`, owned, 'agreements'],
    [`/maintenance-requests/${request.id}`, { ...ofRequest, priority: 'urgent' }, 'maintenance_requests'],
  ]
  for (const [target, body, table] of changes) {
    const id = {
      users: owner.id,
      properties: property.id,
      property_units: unit.id,
      agreements: draft.id,
      maintenance_requests: request.id,
    }[table]
    const load = () => server.db.selectFrom(table).where('id', '=', id).selectAll().executeTakeFirstOrThrow()
    const before = await load()
    expect((await owner.call(table === 'users' ? 'PUT' : 'PATCH', target, body)).status).toBe(200)
    const set = {
      users: PROFILE,
      maintenance_requests: { priority: 'urgent' },
      agreements: { revision: 1, timeline_length: 2, timeline_hash: expect.any(String) },
    }
    expect(await load()).toEqual({
      ...before,
      ...set[table as 'users'],
      updated_at: expect.any(String),
    } as never)
  }
})
