import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { listOperations, type Operation, type Schema } from '../../support/operations'
import { createLandlord, createUnit, signInUser, agreementTerms, type TestUser } from '../../support/users'
import { testServer } from '../../support/server'
import {
  createAgreementIn,
  toPath,
  type Parties,
  type AgreementFixture,
} from '../../support/agreement-fixture'
import { openBooksIn } from '../../support/books/books-fixture'
import { raiseRequest } from '../../support/maintenance-fixture'
import { enveloped } from '../http/forms'
import { time, validBodies, type Fixture } from './valid-bodies'

const settlement_id = crypto.randomUUID()

// The API treats deleted records as if they had never existed; only `recent_activity` mentions them.
const server = testServer({ overrides: { now: time.now } })
let operations: Operation[]
let people: Parties & { stranger: TestUser }
beforeAll(async () => {
  operations = (await listOperations(server.url)).filter(
    ({ path }) => !/^\/(operations|sandbox|metrics|webhooks)/.test(path),
  )
})
// Existing records would hide a wrong count, so every test has new users.
beforeEach(async () => {
  const [owner, manager, tenant, stranger] = await Promise.all([
    createLandlord(server.url),
    createLandlord(server.url),
    signInUser(server.url),
    signInUser(server.url),
  ])
  people = { owner, manager, tenant, stranger }
})

/** The records that can be deleted, and the operations that have them in their path. */
const deletions: Record<
  string,
  { path: (fixture: AgreementFixture) => string; hasRecord: (path: string) => boolean }
> = {
  'a property': {
    path: ({ property }) => `/properties/${property.id}`,
    // This property has a draft alone, which has neither charges nor payments.
    hasRecord: path => path.includes('{') && !/^\/(charges|payments)\//.test(path),
  },
  'a unit': {
    path: ({ property, unit }) => `/properties/${property.id}/units/${unit.id}`,
    hasRecord: path => path.includes('{unitId}') || /^\/(agreements|maintenance-requests)\/\{/.test(path),
  },
  'a draft': {
    path: ({ agreement }) => `/agreements/${agreement.id}`,
    hasRecord: path => path.startsWith('/agreements/{'),
  },
}
/** Adds a maintenance request for its unit. */
const withRequest = async (fixture: AgreementFixture) => ({
  ...fixture,
  ...(await raiseRequest(people.owner, fixture)),
})
const withPeople = (fixture: AgreementFixture) =>
  ({ settlement_id, ...fixture, ...people }) as Partial<Fixture> as Fixture

function deactivateUser({ id }: TestUser) {
  return getKysely(server.em()).updateTable('users').set({ is_active: false }).where('id', '=', id).execute()
}

/** Calls an operation as every user, by number and by UUID, at once. */
async function findStatuses(operation: Operation, fixture: AgreementFixture) {
  const { route, method } = operation
  // Only the record is missing.
  const body = operation.bodies.length ? validBodies[route]!.body(withPeople(fixture)) : undefined
  const calls = Object.entries(people).flatMap(([name, person]) =>
    (['id', 'uuid'] as const).map(async by => {
      const response = await person.call(method, toPath(operation.path, fixture, by), body)
      return [route, name, by, response.status, response.body]
    }),
  )
  return Promise.all(calls)
}

test.each(Object.entries(deletions))(
  '404: every operation on a deleted record, for every user, after %s was deleted',
  async (_, { path, hasRecord }) => {
    const fixture = await withRequest(await createAgreementIn(server, people))
    expect((await people.owner.delete(path(fixture))).status).toBe(200)
    const affected = operations.filter(operation => operation.params.length && hasRecord(operation.path))
    expect(affected.length).toBeGreaterThan(10)
    for (const operation of affected) {
      const found = await findStatuses(operation, fixture)
      expect(found).toHaveLength(8)
      expect(found).toEqual(found.map(([route, name, by]) => [route, name, by, 404, enveloped(404)]))
    }
  },
)

/** Queries that find the record until it is deleted; every list has some. */
const queries: Record<string, string[]> = {
  'GET /properties': ['', '?q=White%20House', '?property_type=apartment', '?sort=alias_name'],
  'GET /properties/search': ['?name=White%20House&pin_code=560048'],
  'GET /properties/:id/units': ['', '?limit=1', '?q=A-101', '?is_available=true', '?sort=unit_name'],
  'GET /properties/:id': [''],
  'GET /tenants': ['', '?limit=1', '?q=9', '?sort=first_name'],
  'GET /charges': ['', '?type=rent&pending=true'],
  'GET /payments': [''],
  'GET /books/summary': [''],
  'GET /books/rent-roll': [''],
  'GET /books/arrears': [''],
  'GET /books/annual': [''],
  'GET /agreements': ['', '?limit=1', '?q=AGR', '?status=DRAFT', '?sort=-rent_amount'],
  'GET /maintenance-requests': ['', '?limit=1', '?q=tap', '?open=true', '?status=open'],
  'GET /dashboard': [''],
  'GET /auth/me': [''],
}
/** An export includes deleted records, so it is no read in this sense. */
function isRead({ method, path, route, params }: Operation) {
  return (
    method === 'GET' &&
    !path.startsWith('/health') &&
    !path.endsWith('/export') &&
    (!params.length || route in queries || path.endsWith('/units'))
  )
}
type Read = { route: string; path: string }
function listReads(property: { id: number }): Read[] {
  return operations
    .filter(isRead)
    .map(({ route, path }) => ({ route, path: path.replace('{id}', String(property.id)) }))
}

async function loadRead(role: 'landlord' | 'manager', { route, path }: Read, query: string) {
  const person = role === 'landlord' ? people.owner : people.manager
  const { status, body } = await person.call('GET', path + query)
  const isOfLandlord = path.includes('/properties/') && !path.includes('search')
  const expected = role === 'manager' && isOfLandlord ? expect.any(Number) : 200
  expect([route, query, status]).toEqual([route, query, expected])
  if (body.data?.recent_activity) body.data.recent_activity = []
  return [`${role}: ${route}${query}`, body] as const
}
/** Loads everything that the landlord and the manager can read. */
async function loadReads(reads: Read[]) {
  const responses = (['landlord', 'manager'] as const).flatMap(role =>
    reads.flatMap(read => queries[read.route]!.map(query => loadRead(role, read, query))),
  )
  return Object.fromEntries(await Promise.all(responses))
}

async function createDraftOfUnit(
  property: AgreementFixture['property'],
  unit: AgreementFixture['unit'],
): Promise<AgreementFixture> {
  const terms = agreementTerms(unit.id, [people.tenant.id])
  const { data: agreement } = (await people.owner.call('POST', '/agreements', terms)).body
  return { property, unit, agreement, signature_id: '' }
}

describe('lists, totals, searches and statistics do not include a deleted record', () => {
  test('every list has its queries', () => {
    const routes = operations.filter(isRead).map(({ route }) => route)
    expect(routes.toSorted()).toEqual(Object.keys(queries).toSorted())
  })

  test.each(Object.entries(deletions))('after %s was deleted', async (title, { path }) => {
    // The unit and the draft are created in this property, which stays.
    const { property } = await createUnit(people.owner)
    const before = await loadReads(listReads(property))
    const units = `/properties/${property.id}/units`
    const managed = { unit_name: 'A-101', managed_by_id: people.manager.id }
    const { data: unit } = await people.owner.post(units, managed)
    const deleteUnit = () => people.owner.delete(`${units}/${unit.id}`)
    const isProperty = title === 'a property'
    const fixture = await withRequest(
      isProperty ? await createAgreementIn(server, people) : await createDraftOfUnit(property, unit),
    )
    if (isProperty) await deleteUnit()
    const during = await loadReads(listReads(property))
    const changed = Object.keys(before).filter(name => !Bun.deepEquals(before[name], during[name]))
    expect(changed.length).toBeGreaterThan(30)
    expect((await people.owner.delete(path(fixture))).status).toBe(200)
    if (title === 'a draft') await deleteUnit()
    expect(await loadReads(listReads(property))).toEqual(before)
  })
})

type Gone = { deleted: AgreementFixture; inactive: TestUser }
/** Body fields that name another record, with the status of a deleted one. */
const references: Record<string, { value: (gone: Gone) => unknown; status: number }> = {
  property_unit_id: { value: ({ deleted }) => deleted.unit.id, status: 404 },
  tenant_ids: { value: ({ inactive }) => [inactive.id], status: 400 },
  signing_order: { value: ({ inactive }) => [inactive.id], status: 400 },
  managed_by_id: { value: ({ inactive }) => inactive.id, status: 400 },
  signer_id: { value: ({ inactive }) => inactive.id, status: 404 },
  payer_id: { value: ({ inactive }) => inactive.id, status: 400 },
  charge_id: { value: ({ deleted }) => deleted.agreement.id, status: 400 },
}
/** Ids of the providers, and of the proposal that the lease of the path has: they name no other record. */
const ownIds = ['template_id', 'verification_id', 'settlement_id']

function findReferences(schema: Schema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    /_ids?$|_order$|^id$/.test(name)
      ? [name]
      : [inner, ...(inner.anyOf ?? [])].flatMap(part => findReferences(part.items ?? part)),
  )
}

describe('a body cannot name a deleted record', () => {
  test('every field that names a record is in the table', () => {
    const found = new Set(operations.flatMap(({ bodies }) => bodies.slice(0, 1).flatMap(findReferences)))
    expect([...found].filter(name => !ownIds.includes(name)).toSorted()).toEqual(
      Object.keys(references).toSorted(),
    )
  })

  test('404: a deleted unit or an inactive signer; 400: another inactive user', async () => {
    const deleted = await createAgreementIn(server, people)
    const inactive = await signInUser(server.url)
    const existing = await createAgreementIn(server, people)
    await people.owner.call('DELETE', `/properties/${deleted.property.id}`)
    await deactivateUser(inactive)
    const lease = await createAgreementIn(server, people, 'ACTIVE')
    const books = await openBooksIn(server, lease, people)
    const findFixture = async (path: string) => {
      if (path.endsWith('/revise')) return createAgreementIn(server, people, 'PENDING')
      if (path.endsWith('/renew')) return createAgreementIn(server, people, 'ACTIVE')
      return path.includes('payments') ? { ...lease, ...books } : existing
    }
    const tried: string[] = []
    for (const { route, method, path, bodies } of operations)
      for (const name of findReferences(bodies[0] ?? {}).filter(each => each in references)) {
        const { value, status } = references[name]!
        const field = { [name]: value({ deleted, inactive }) }
        const isNested = !bodies[0]!.properties![name]
        const nested =
          name === 'charge_id'
            ? { allocations: [{ ...field, amount: 1 }] }
            : { property_units: [{ unit_name: 'B', ...field }] }
        const fixture = await findFixture(path)
        const body = { ...validBodies[route]!.body(withPeople(fixture)), ...(isNested ? nested : field) }
        const response = await people.owner.call(method, toPath(path, fixture), body)
        expect([route, name, response.status]).toEqual([route, name, status])
        tried.push(name)
      }
    expect(tried.length).toBeGreaterThan(9)
  })
})
