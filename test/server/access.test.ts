import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { createApp } from '../../server/app'
import {
  callers,
  getStatus,
  userCallers,
  type Caller,
  type UserCaller,
  type Users,
} from '../operations/callers'
import { operations } from '../operations'
import {
  createFixture,
  fillBody,
  namesRecord,
  toPath,
  toQuery,
  usesFixture,
  type Fixture,
} from '../operations/fixture'
import type { Access, Needs } from '../operations/row'
import { createAgreementIn } from '../support/agreement-fixture'
import { listOperations, type Operation } from '../support/operations'
import { clock, testServer } from '../support/server'
import { PROFILE } from '../support/sign-ins'
import { createLandlord, sendRequest, signInUser } from '../support/users'
import { enveloped } from './http/forms'

const { now } = clock(new Date('2026-11-22T06:30:00Z'))
const server = testServer({ overrides: { now } })
let users: Users
beforeAll(async () => {
  const created = userCallers.map(async caller => {
    const user = await (caller === 'the landlord' ? createLandlord(server) : signInUser(server))
    return [caller, user] as const
  })
  users = Object.fromEntries(await Promise.all(created)) as Users
  await server.db.updateTable('users').set(PROFILE).execute()
  await Promise.all([
    updateUser('a user with the role ADMIN', { role: 'ADMIN' }),
    updateUser('a user with the role MANAGER', { role: 'MANAGER' }),
    updateUser('the landlord', { role: 'TENANT' }),
    updateUser('an inactive user', { is_active: false }),
    users['a signed-out user'].post('/auth/logout'),
  ])
  // Managers may import if they have properties too, as other rows of the matrix give them.
  for (const caller of ['the manager', 'a former manager'] as const)
    await users[caller].post('/properties', { pin_code: 560001, property_type: 'pg' })
  const { 'the landlord': owner, 'another tenant': tenant } = users
  await createAgreementIn(server, { owner, manager: owner, tenant })
})

type UserChanges = { role?: 'ADMIN' | 'MANAGER' | 'TENANT'; is_active?: boolean }
const updateUser = (caller: UserCaller, changes: UserChanges) =>
  server.db.updateTable('users').set(changes).where('id', '=', users[caller].id).execute()

const getToken = (caller: Caller) => (caller === 'an anonymous client' ? undefined : users[caller].token)

/** The row of a request with all that it takes over from its operation. */
type Row = Needs & Access & { isRepeatable?: boolean; query?: Record<string, unknown> }

/** In a building where other landlords have or had units; the manager has changed. */
async function createManagedFixture(needs: Needs): Promise<Fixture> {
  const { 'the landlord': owner, 'the manager': manager, 'the tenant': tenant } = users
  const fixture = await createFixture(server, { owner, manager: users['a former manager'], tenant }, needs)
  const unitsPath = `/properties/${fixture.property.property_id}/units`
  const formerCoLandlord = users['a former landlord in the building']
  const [, formerUnit] = await Promise.all([
    users['another landlord in the building'].post(unitsPath, { unit_name: 'C' }),
    formerCoLandlord.post(unitsPath, { unit_name: 'D' }),
  ])
  await formerCoLandlord.delete(`${unitsPath}/${formerUnit.data.id}`)
  await owner.patch(`${unitsPath}/${fixture.unit.id}`, { managed_by_id: manager.id })
  return { ...fixture, manager, otherTenant: users['another tenant'] }
}

const shared: { needs: Needs; fixture: Promise<Fixture> }[] = []
/** Refused requests and reads change nothing, so all of them share a fixture for what they need. */
function getSharedFixture({ state, payment, deposit, prepare }: Row) {
  const needs = { state, payment, deposit, prepare }
  const known = shared.find(each => Bun.deepEquals(each.needs, needs))
  if (known) return known.fixture
  const fixture = createManagedFixture(needs)
  shared.push({ needs, fixture })
  return fixture
}

type Reference = { table: string; column: string; owner: string }
/** The columns by which rows belong to a record of a fixture; to read a certificate may store it. */
const references = sql<Reference>`
  select conrelid::regclass::text as table, attname as column, confrelid::regclass::text as owner
  from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
  where contype = 'f' and conrelid <> 'agreement_certificates'::regclass
    and confrelid::regclass::text in ('properties', 'property_units', 'agreements', 'maintenance_requests')`

/** Every row that belongs to a fixture, by its table. */
async function loadRows({ property, unit, agreement, request }: Fixture) {
  const db = server.db
  const owners = { properties: property, property_units: unit, agreements: agreement }
  const ids: Record<string, any> = { ...owners, maintenance_requests: request }
  const own = { table: 'properties', column: 'id', owner: 'properties' }
  const selections = [own, ...(await references.execute(db)).rows].map(
    ({ table, column, owner }) =>
      sql`select ${table}::text as name, to_jsonb(t) as row from ${sql.table(table)} t
        where ${sql.ref(column)} = ${ids[owner]?.id}`,
  )
  const union = sql`${sql.join(selections, sql` union all `)} order by 1, 2`
  return (await union.execute(db)).rows
}

const placeholders: Record<string, string> = { phoneNumberId: 'sandbox', outcome: 'sign' }
const fillPath = (path: string) =>
  path.replace(/:(\w+)/g, (_, name: string) => placeholders[name] ?? crypto.randomUUID())

async function callAs(caller: Caller, route: string, row: Row, fixture: Fixture | undefined) {
  const [method = '', path = ''] = route.split(' ')
  const { body, byUuid, endsSession, query } = row
  const filled = namesRecord(path) ? toPath(path, fixture!, byUuid && 'uuid') : fillPath(path)
  const needsNewSession = endsSession && caller !== 'an anonymous client'
  const token = needsNewSession ? (await signInUser(server)).token : getToken(caller)
  const response = await sendRequest(server, method, filled + toQuery(query), {
    token,
    body: body === undefined && /POST|PUT|PATCH/.test(method) ? {} : fillBody(body, fixture ?? {}),
  })
  expect(response.body).toEqual(expect.anything())
  const isOfVariantB = operations[route]!.sdk.length > 0 && !/^\/(auth|profile|dashboard|sandbox)/.test(path)
  if (response.status > 400 && isOfVariantB) expect(response.body).toEqual(enveloped(response.status))
  return [caller, response.status]
}

/** Finds the fixture that each caller's request is about. */
function chooseFixtures(route: string, row: Row) {
  const isChange = (caller: Caller) => !route.startsWith('GET') && getStatus(caller, row) < 400
  const isRepeatable = row.isRepeatable || route.startsWith('PATCH')
  let changed: Promise<Fixture> | undefined
  return async (caller: Caller) => {
    if (!usesFixture(route.split(' ')[1]!, row.body)) return undefined
    if (!isChange(caller)) return getSharedFixture(row)
    if (!isRepeatable) return createManagedFixture(row)
    return (changed ??= createManagedFixture(row))
  }
}

/** All callers at once. */
async function testRow(route: string, row: Row) {
  const findFixture = chooseFixtures(route, row)
  const still = await findFixture('an anonymous client')
  const before = still && (await loadRows(still))

  const found = await Promise.all(
    callers.map(async caller => callAs(caller, route, row, await findFixture(caller))),
  )

  expect(found).toEqual(callers.map(caller => [caller, getStatus(caller, row)]))
  expect(still && (await loadRows(still))).toEqual(before)
  if (before) expect(before.length).toBeGreaterThan(5)
}

/** The rows of an operation, each of them also by UUID if a record is read. */
function listRows(route: string) {
  const { access, ...operation } = operations[route]!
  const rows = access.map((each): Row => ({ ...operation, ...each }))
  const isRead = route.startsWith('GET') && namesRecord(route.split(' ')[1]!)
  return isRead ? rows.flatMap(each => [each, { ...each, byUuid: true } as const]) : rows
}
const rows = Object.keys(operations).flatMap(route =>
  listRows(route).map((row, index) => {
    const suffix = row.byUuid ? ', by UUID' : index ? `, row ${index + 1}` : ''
    return [`${route}${suffix}`, route, row] as const
  }),
)

describe('the matrix', () => {
  test('has a row for every route, and no other rows', () => {
    const routes = createApp(server.deps).routes.map(({ method, path }) => `${method} ${path}`)
    expect(routes.toSorted()).toEqual(Object.keys(operations).toSorted())
  })

  test('has a row for every documented operation, which documents every status in it', async () => {
    const undocumented = (await listOperations(server.url)).flatMap(({ route, responses }) =>
      operations[route]!.access.flatMap(row => callers.map(caller => getStatus(caller, row)))
        .filter(status => !(status in responses))
        .map(status => `${route} ${status}`),
    )
    expect([...new Set(undocumented)]).toEqual([])
  })
})

test.each(rows)(
  'each caller of %s has the status of the matrix, and a refusal changes nothing',
  (_, route, row) => testRow(route, row),
)

const isList = ({ method, responses }: Operation) =>
  method === 'GET' && !!responses['401'] && responses['200']?.some(({ properties }) => properties?.metadata)

const agreementParties = ['the landlord', 'the manager', 'the tenant']
const lists = Object.entries(operations).filter(([, { shows }]) => shows)

describe('visibility in lists', () => {
  test('is tested for every list', async () => {
    const found = (await listOperations(server.url))
      .filter(operation => isList(operation) && !operation.path.startsWith('/operations'))
      .map(({ route }) => route)
    expect(found.toSorted()).toEqual(lists.map(([route]) => route).toSorted())
  })

  let fixture: Fixture
  beforeAll(async () => {
    fixture = await createManagedFixture({ payment: 'posted' })
    for (const prepare of new Set(lists.map(([, { prepare }]) => prepare)))
      Object.assign(fixture, await prepare?.(fixture))
  })

  test.each(lists)('%s shows a record only to related users', async (route, { query, shows, visibleTo }) => {
    const path = toPath(route.split(' ')[1]!, fixture) + toQuery(query ?? { limit: 100 })
    const text = await shows!(fixture)

    const isVisibleTo = async (caller: Caller) => {
      const { body } = await sendRequest(server, 'GET', path, { token: getToken(caller) })
      return JSON.stringify(body).includes(text)
    }
    const isVisible = await Promise.all(callers.map(isVisibleTo))

    const found = callers.filter((_, index) => isVisible[index])
    expect<string[]>(found.toSorted()).toEqual((visibleTo ?? agreementParties).toSorted())
  })
})

test('401: every protected route rejects a token whose claims or signature were changed', async () => {
  const [header, claims, signature] = users['the landlord'].token.split('.')
  const otherClaims = Buffer.from(JSON.stringify({ sub: '1' })).toString('base64url')
  const tokens = [
    `${header}.${otherClaims}.${signature}`,
    `${header}.${claims}.${signature!.slice(0, -5)}AAAAA`,
  ]
  const isProtected = ([, path, row]: (typeof rows)[number]) =>
    row.statuses[0] === 401 && !/sandbox|webhooks/.test(path)
  const routes = [...new Set(rows.filter(isProtected).map(([, route]) => route))]
  expect(routes.length).toBeGreaterThan(60)
  const found = routes.map(async route => {
    const [method = '', path = ''] = route.split(' ')
    const body = method === 'GET' ? undefined : {}
    const send = (token: string) => sendRequest(server, method, path.replace(/:\w+/g, '1'), { token, body })
    return [route, ...(await Promise.all(tokens.map(send))).map(({ status }) => status)]
  })
  expect(await Promise.all(found)).toEqual(routes.map(route => [route, 401, 401]))
})
