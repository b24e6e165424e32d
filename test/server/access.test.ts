import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../db/database'
import { createApp } from '../../server/app'
import { listOperations, type Operation } from '../support/operations'
import { sendRequest, createLandlord, signInUser } from '../support/users'
import { clock, testServer } from '../support/server'
import { createAgreementIn, toPath, type AgreementFixture } from '../support/agreement-fixture'
import { PROFILE } from '../support/sign-ins'
import { openBooksIn, type BooksFixture } from '../support/books/books-fixture'
import {
  callers,
  everyone,
  getStatus,
  userCallers,
  type Caller,
  type Row,
  type UserCaller,
  type Users,
} from './access-callers'
import { matrix } from './access-matrix'
import { settleDepositIn } from '../support/books/deposit-fixture'
import { COMMENT, raiseRequestIn, type RequestFixture } from '../support/maintenance-fixture'
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
  await getKysely(server.em()).updateTable('users').set(PROFILE).execute()
  await Promise.all([
    updateUser('a user with the role ADMIN', { role: 'ADMIN' }),
    updateUser('a user with the role MANAGER', { role: 'MANAGER' }),
    updateUser('the landlord', { role: 'TENANT' }),
    updateUser('an inactive user', { is_active: false }),
    users['a signed-out user'].post('/auth/logout'),
  ])
  const { 'the landlord': owner, 'another tenant': tenant } = users
  await createAgreementIn(server, { owner, manager: owner, tenant })
})

type UserChanges = { role?: 'ADMIN' | 'MANAGER' | 'TENANT'; is_active?: boolean }
const updateUser = (caller: UserCaller, changes: UserChanges) =>
  getKysely(server.em()).updateTable('users').set(changes).where('id', '=', users[caller].id).execute()

const getToken = (caller: Caller) => (caller === 'an anonymous client' ? undefined : users[caller].token)

type Fixture = AgreementFixture & BooksFixture & RequestFixture

/** A managed unit with an agreement, in a building where other landlords have or had units. */
async function createFixture({
  payment,
  deposit,
  request,
  state = payment || request ? 'ACTIVE' : undefined,
}: Partial<Row>): Promise<Fixture> {
  const { 'the landlord': owner, 'the tenant': tenant, 'a former manager': manager } = users
  const fixture = await createAgreementIn(server, { owner, manager, tenant }, state)
  const unitsPath = `/properties/${fixture.property.property_id}/units`
  const formerCoLandlord = users['a former landlord in the building']
  const [, formerUnit] = await Promise.all([
    users['another landlord in the building'].post(unitsPath, { unit_name: 'C' }),
    formerCoLandlord.post(unitsPath, { unit_name: 'D' }),
  ])
  await formerCoLandlord.delete(`${unitsPath}/${formerUnit.data.id}`)
  await owner.patch(`${unitsPath}/${fixture.unit.id}`, { managed_by_id: users['the manager'].id })
  const books = payment ? await openBooksIn(server, fixture, { owner, tenant }, payment) : undefined
  const settled = deposit && (await settleDepositIn(fixture, { owner, tenant }, deposit))
  const raised = request && (await raiseRequestIn(fixture, { owner, tenant }, request))
  return { ...fixture, ...books, ...settled, ...raised } as Fixture
}

const fixtures = new Map<string, Promise<Fixture>>()
/** Refused requests and reads change nothing, so all of them share a fixture for each state. */
function getSharedFixture(row: Row) {
  const { payment, deposit, request, state = payment ? 'ACTIVE' : 'DRAFT' } = row
  const key = [state, payment, deposit, request].join()
  const fixture = fixtures.get(key) ?? createFixture(row)
  fixtures.set(key, fixture)
  return fixture
}

const tablesOfAgreement = [
  'timeline_entries',
  'agreement_signatures',
  'agreement_tenants',
  'charges',
  'deposit_settlements',
  'journals',
  'payments',
  'rent_revisions',
] as const

/** Every row that belongs to a fixture, by its table. */
async function loadRows({ property, unit, agreement, request }: Fixture) {
  const owners = [
    ['properties', 'id', property.id],
    ['property_units', 'property_id', property.id],
    ['agreements', 'property_unit_id', unit.id],
    ['maintenance_requests', 'property_unit_id', unit.id],
    ['maintenance_entries', 'maintenance_request_id', request?.id],
    ['maintenance_attachments', 'maintenance_request_id', request?.id],
    ...tablesOfAgreement.map(table => [table, 'agreement_id', agreement.id] as const),
  ] as const
  const selections = owners.map(
    ([table, column, id]) =>
      sql`select ${table}::text as name, to_jsonb(t) as row from ${sql.table(table)} t where ${sql.ref(column)} = ${id}`,
  )
  const union = sql`${sql.join(selections, sql` union all `)} order by 1, 2`
  return (await union.execute(getKysely(server.em()))).rows
}

const placeholders: Record<string, string> = { phoneNumberId: 'sandbox', outcome: 'sign' }
const fillPath = (path: string) =>
  path.replace(/:(\w+)/g, (_, name: string) => placeholders[name] ?? crypto.randomUUID())

async function callAs(caller: Caller, route: string, row: Row, fixture: Fixture | undefined) {
  const [method = '', path = ''] = route.split(' ')
  const { body, byUuid, endsSession, query = '' } = row
  const filled = fixture ? toPath(path, fixture, byUuid && 'uuid') : fillPath(path)
  const needsNewSession = endsSession && caller !== 'an anonymous client'
  const token = needsNewSession ? (await signInUser(server)).token : getToken(caller)
  const response = await sendRequest(server, method, filled + query, { token, body: body?.(users, fixture!) })
  expect(response.body).toEqual(expect.anything())
  if (
    response.status > 400 &&
    /^\/(properties|tenants|agreements|charges|payments|maintenance-requests)/.test(path)
  )
    expect(response.body).toEqual(enveloped(response.status))
  return [caller, response.status]
}

/** Finds the fixture that each caller's request is about. */
function chooseFixtures(route: string, row: Row) {
  const isAboutRecord = route.includes(':') && !/ \/(sandbox|operations|docs|assets)/.test(route)
  const needsFixture = isAboutRecord || /^POST \/(agreements|maintenance-requests)$/.test(route)
  const isChange = (caller: Caller) => !route.startsWith('GET') && getStatus(caller, row) < 400
  let changed: Promise<Fixture> | undefined
  return async (caller: Caller) => {
    if (!needsFixture) return undefined
    if (!isChange(caller)) return getSharedFixture(row)
    if (!row.isRepeatable) return createFixture(row)
    return (changed ??= createFixture(row))
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

function toSuffix({ byUuid }: Row, index: number) {
  if (byUuid) return ', by UUID'
  return index ? `, row ${index + 1}` : ''
}

describe('the matrix', () => {
  test('has a row for every route, and no other rows', () => {
    const routes = createApp(server.deps).routes.map(({ method, path }) => `${method} ${path}`)
    expect(routes.toSorted()).toEqual(Object.keys(matrix).toSorted())
  })

  test('has a row for every documented operation, which documents every status in it', async () => {
    const undocumented = (await listOperations(server.url)).flatMap(({ route, responses }) =>
      (matrix[route] ?? [everyone(0)])
        .flatMap(row => callers.map(caller => getStatus(caller, row)))
        .filter(status => !(status in responses))
        .map(status => `${route} ${status}`),
    )
    expect([...new Set(undocumented)]).toEqual([])
  })
})

const rows = Object.entries(matrix).flatMap(([route, each]) =>
  each.map((row, index) => [`${route}${toSuffix(row, index)}`, route, row] as const),
)
test.each(rows)(
  'each caller of %s has the status of the matrix, and a refusal changes nothing',
  (_, route, row) => testRow(route, row),
)

/**
 * Who sees a fixture's agreement, its building or its tenant in each list. The dashboard counts the same
 * records.
 */
type List = {
  /** Creates what the list shows, unless the fixture has it. */
  prepare?: (path: string) => Promise<unknown>
  getText: (fixture: Fixture) => string
  visibleTo: UserCaller[]
}
const lists: Record<string, List> = {
  'GET /properties': {
    getText: ({ property }) => property.property_id,
    visibleTo: ['the landlord', 'another landlord in the building'],
  },
  'GET /properties/:id/units': {
    getText: ({ unit }) => unit.property_unit_id,
    visibleTo: ['the landlord', 'the manager'],
  },
  'GET /agreements': {
    getText: ({ agreement }) => agreement.agreement_id,
    visibleTo: ['the landlord', 'the manager', 'the tenant'],
  },
  'GET /charges': {
    getText: ({ charge }) => charge.charge_id,
    visibleTo: ['the landlord', 'the manager', 'the tenant'],
  },
  'GET /payments': {
    getText: ({ payment }) => payment.payment_id,
    visibleTo: ['the landlord', 'the manager', 'the tenant'],
  },
  'GET /agreements/:id/rent-revisions': {
    prepare: path => users['the landlord'].post(path, { rent_amount: 26_001.37, effective_on: '2027-04-01' }),
    getText: () => '26001.37',
    visibleTo: ['the landlord', 'the manager', 'the tenant'],
  },
  'GET /maintenance-requests': {
    getText: ({ request }) => request.request_id,
    visibleTo: ['the landlord', 'the manager', 'the tenant'],
  },
  'GET /maintenance-requests/:id/comments': {
    getText: () => COMMENT,
    visibleTo: ['the landlord', 'the manager', 'the tenant'],
  },
  'GET /tenants': {
    getText: () => users['the tenant'].user_id,
    visibleTo: ['the landlord', 'the manager'],
  },
  'GET /properties/search': {
    getText: ({ property }) => property.society_building,
    visibleTo: userCallers.filter(caller => caller !== 'an inactive user' && caller !== 'a signed-out user'),
  },
}

const isList = ({ method, responses }: Operation) =>
  method === 'GET' && !!responses['401'] && responses['200']?.some(({ properties }) => properties?.metadata)

describe('visibility in lists', () => {
  test('is tested for every list', async () => {
    const found = (await listOperations(server.url))
      .filter(operation => isList(operation) && !operation.path.startsWith('/operations'))
      .map(({ route }) => route)
    expect(found.toSorted()).toEqual(Object.keys(lists).toSorted())
  })

  let fixture: Fixture
  beforeAll(async () => void (fixture = await createFixture({ payment: 'posted', request: 'current' })))

  test.each(Object.entries(lists))('%s shows a record only to related users', async (route, list) => {
    const query = matrix[route]![0]!.query ?? '?limit=100'
    const path = toPath(route.split(' ')[1]!, fixture)
    const text = list.getText(fixture)
    await list.prepare?.(path)

    const isVisibleTo = async (caller: Caller) => {
      const { body } = await sendRequest(server, 'GET', path + query, { token: getToken(caller) })
      return JSON.stringify(body).includes(text)
    }
    const isVisible = await Promise.all(callers.map(isVisibleTo))

    const found = callers.filter((_, index) => isVisible[index])
    expect<string[]>(found.toSorted()).toEqual(list.visibleTo.toSorted())
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
