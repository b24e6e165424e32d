import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { getKysely } from '../../db/database'
import { createApp } from '../../server/app'
import { listOperations, type Operation } from '../support/operations'
import { sendRequest, createLandlord, signInUser } from '../support/users'
import { clock, testServer } from '../support/server'
import { createAgreementIn, toPath, type AgreementFixture } from '../support/agreement-fixture'
import { openBooksIn, type BooksFixture } from '../support/books/books-fixture'
import {
  callers,
  everyone,
  getStatus,
  matrix,
  userCallers,
  type Caller,
  type Row,
  type UserCaller,
  type Users,
} from './access-matrix'
import { settleDepositIn } from '../support/books/deposit-fixture'
import { enveloped } from './http/forms'

// Each fixture names the same tenants, who never sign.
const { now } = clock(new Date('2026-11-22T06:30:00Z'))
const server = testServer({ env: { STRANGER_AGREEMENT_LIMIT: '1000' }, overrides: { now } })
let users: Users
beforeAll(async () => {
  const created = userCallers.map(async caller => {
    const user = await (caller === 'the landlord' ? createLandlord(server) : signInUser(server))
    return [caller, user] as const
  })
  users = Object.fromEntries(await Promise.all(created)) as Users
  await Promise.all([
    updateUser('a user with the role ADMIN', { role: 'ADMIN' }),
    updateUser('a user with the role MANAGER', { role: 'MANAGER' }),
    updateUser('the landlord', { role: 'TENANT' }),
    updateUser('an inactive user', { is_active: false }),
    users['a signed-out user'].post('/auth/logout'),
  ])
})

type UserChanges = { role?: 'ADMIN' | 'MANAGER' | 'TENANT'; is_active?: boolean }
const updateUser = (caller: UserCaller, changes: UserChanges) =>
  getKysely(server.em()).updateTable('users').set(changes).where('id', '=', users[caller].id).execute()

const getToken = (caller: Caller) => (caller === 'an anonymous client' ? undefined : users[caller].token)

/**
 * A managed unit with an agreement, next to a unit of the same landlord with another tenant's agreement,
 * in a building where other landlords have or had units.
 */
type Fixture = AgreementFixture & BooksFixture
type Wanted = Pick<Row, 'state' | 'payment' | 'deposit'>

async function createFixture(wanted: Wanted = {}): Promise<Fixture> {
  const { payment, deposit, state = payment && 'ACTIVE' } = wanted
  const owner = users['the landlord']
  const coLandlord = users['another landlord in the building']
  const formerCoLandlord = users['a former landlord in the building']
  const [{ unit: elsewhere }, fixture] = await Promise.all([
    createAgreementIn(server, { owner, manager: owner, tenant: users['another tenant'] }),
    createAgreementIn(
      server,
      { owner, manager: users['a former manager'], tenant: users['the tenant'] },
      state,
    ),
  ])
  const unitsPath = `/properties/${fixture.property.property_id}/units`
  const [, formerUnit] = await Promise.all([
    coLandlord.post(unitsPath, { unit_name: 'C' }),
    formerCoLandlord.post(unitsPath, { unit_name: 'D' }),
  ])
  await formerCoLandlord.delete(`${unitsPath}/${formerUnit.data.id}`)
  await owner.patch(`${unitsPath}/${fixture.unit.id}`, { managed_by_id: users['the manager'].id })
  const people = { owner, tenant: users['the tenant'] }
  const books = payment ? await openBooksIn(server, fixture, people, payment) : ({} as BooksFixture)
  if (deposit) await settleDepositIn(fixture, people, deposit)
  return { ...fixture, ...books, elsewhere } as Fixture
}

async function loadRows({ property, unit, agreement, signature_id }: AgreementFixture) {
  const db = getKysely(server.em())
  const properties = db.selectFrom('properties').where('id', '=', property.id)
  const units = db.selectFrom('property_units').where('property_id', '=', property.id).orderBy('id')
  const agreements = db.selectFrom('agreements').where('property_unit_id', '=', unit.id).orderBy('id')
  const signatures = db
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreement.id)
    .orderBy('id')
  const ofAgreement = (table: 'charges' | 'payments' | 'journals' | 'deposit_settlements') =>
    db.selectFrom(table).where('agreement_id', '=', agreement.id).orderBy('id').selectAll().execute()
  return [
    signature_id,
    await ofAgreement('charges'),
    await ofAgreement('payments'),
    await ofAgreement('journals'),
    await ofAgreement('deposit_settlements'),
    await properties.selectAll().execute(),
    await units.selectAll().execute(),
    await agreements.selectAll().execute(),
    await signatures.selectAll().execute(),
  ]
}

/** Rejected requests change nothing, so they share one fixture. Its rows are compared after all of them. */
function shareFixture(route: string, wanted: Wanted) {
  let shared: Promise<{ fixture: Fixture; before: unknown }> | undefined
  const create = async () => {
    const fixture = await createFixture(wanted)
    return { fixture, before: await loadRows(fixture) }
  }
  afterAll(async () => {
    if (!shared) return
    const { fixture, before } = await shared
    expect<unknown>([route, await loadRows(fixture)]).toEqual([route, before])
  })
  return async () => {
    shared ??= create()
    return (await shared).fixture
  }
}

const placeholders: Record<string, string> = { phoneNumberId: 'sandbox', outcome: 'sign' }
const fillPath = (path: string) =>
  path.replace(/:(\w+)/g, (_, name: string) => placeholders[name] ?? crypto.randomUUID())

function testRow(route: string, row: Row, suffix: string) {
  const [method = '', path = ''] = route.split(' ')
  const { body, byUuid, endsSession, query = '' } = row
  const isAboutRecord = path.includes(':') && !/^\/(sandbox|operations|docs|assets)/.test(path)
  const needsFixture = isAboutRecord || route === 'POST /agreements'
  const getSharedFixture = shareFixture(route, row)

  async function findFixture(expected: number) {
    if (!needsFixture) return undefined
    const isChange = method !== 'GET' && expected < 400
    return isChange ? createFixture(row) : getSharedFixture()
  }

  async function findToken(caller: Caller) {
    const needsNewSession = endsSession && caller !== 'an anonymous client'
    return needsNewSession ? (await signInUser(server)).token : getToken(caller)
  }

  for (const caller of callers) {
    const expected = getStatus(caller, row)
    test(`${expected}: ${caller}${suffix}`, async () => {
      const fixture = await findFixture(expected)
      const filled = fixture ? toPath(path, fixture, byUuid && 'uuid') : fillPath(path)
      const response = await sendRequest(server, method, filled + query, {
        token: await findToken(caller),
        body: body?.(users, fixture!),
      })
      expect([response.status, response.body]).toEqual([expected, expect.anything()])
      if (response.status > 400 && /^\/(properties|tenants|agreements|charges|payments)/.test(path))
        expect(response.body).toEqual(enveloped(response.status))
    })
  }
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

for (const [route, rows] of Object.entries(matrix)) {
  describe(route, () => {
    for (const [index, row] of rows.entries()) testRow(route, row, toSuffix(row, index))
  })
}

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

  test.each(Object.entries(lists))('%s shows a record only to related users', async (route, list) => {
    const fixture = await createFixture({ payment: 'posted' })
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

const invalidTokens: Record<string, (token: string) => string> = {
  'that is not a JWT': () => 'x',
  'with the signature of another server': token => `${token.slice(0, -5)}AAAAA`,
  'without a signature': token => `${token.split('.').slice(0, 2).join('.')}.`,
  'with changed claims': token => {
    const [header, , signature] = token.split('.')
    const claims = Buffer.from(JSON.stringify({ sub: '1' })).toString('base64url')
    return [header, claims, signature].join('.')
  },
}

test.each(Object.entries(invalidTokens))(
  '401: every protected route rejects a token %s',
  async (_, toInvalid) => {
    const token = toInvalid(users['the landlord'].token)
    for (const [route, rows] of Object.entries(matrix)) {
      const [method = '', path = ''] = route.split(' ')
      if (rows[0]!.statuses[0] !== 401 || /sandbox|webhooks/.test(path)) continue
      const { status } = await sendRequest(server, method, path.replace(/:\w+/g, '1'), {
        token,
        body: method === 'GET' ? undefined : {},
      })
      expect([route, status]).toEqual([route, 401])
    }
  },
)
