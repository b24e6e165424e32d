import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { operations as rows } from '../../operations'
import { createFixture, fillBody, toPath, toQuery, type Fixture } from '../../operations/fixture'
import type { Parties } from '../../support/agreement-fixture'
import { raiseRequest } from '../../support/maintenance-fixture'
import { listOperations, type Operation, type Schema } from '../../support/operations'
import { clock, testServer } from '../../support/server'
import { createLandlord, createUnit, signInUser, agreementTerms, type TestUser } from '../../support/users'
import { enveloped } from '../http/forms'

// The API treats deleted records as if they had never existed; only `recent_activity` mentions them.
const { now } = clock(new Date('2026-11-02T06:30:00Z'))
const server = testServer({ overrides: { now } })
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
    createLandlord(server),
    createLandlord(server),
    signInUser(server),
    signInUser(server),
  ])
  people = { owner, manager, tenant, stranger }
})

/** The records that can be deleted, and the operations that have them in their path. */
const deletions: Record<
  string,
  {
    path: (fixture: Pick<Fixture, 'property' | 'unit' | 'agreement'>) => string
    hasRecord: (path: string) => boolean
  }
> = {
  'a property': {
    path: ({ property }) => `/properties/${property.id}`,
    // This property has a draft alone, which has neither charges nor payments.
    hasRecord: path => path.includes('{') && !/^\/(charges|payments)\//.test(path),
  },
  'a unit': {
    path: ({ property, unit }) => `/properties/${property.id}/units/${unit.id}`,
    hasRecord: path => path.includes('{unitId}') || !/^\/(properties|charges|payments)\//.test(path),
  },
  'a draft': {
    path: ({ agreement }) => `/agreements/${agreement.id}`,
    hasRecord: path => path.startsWith('/agreements/{'),
  },
}
const prepare = (fixture: Pick<Fixture, 'unit'>) => raiseRequest(people.owner, fixture)

function deactivateUser({ id }: TestUser) {
  return server.db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute()
}

/** Calls an operation as every user, by number and by UUID, at once. */
async function findStatuses(operation: Operation, fixture: Fixture) {
  const { route, method } = operation
  // Only the record is missing.
  const body = operation.bodies.length ? fillBody(rows[route]!.body, fixture) : undefined
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
    const fixture = await createFixture(server, people, { prepare })
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

type Read = { route: string; path: string }

/** Every read with its queries; an export includes deleted records, so it is no read in this sense. */
function listReads(property: { id: number }): Read[] {
  return operations
    .filter(({ method, path }) => method === 'GET' && !/^\/health|\/export$/.test(path))
    .flatMap(({ route, path, params }) => {
      const { query, reads = params.length ? [] : [toQuery(query)] } = rows[route]!
      return reads.map(each => ({
        route: route + each,
        path: path.replace('{id}', String(property.id)) + each,
      }))
    })
}

async function loadRead(role: 'landlord' | 'manager', { route, path }: Read) {
  const person = role === 'landlord' ? people.owner : people.manager
  const { status, body } = await person.get(path)
  const isOfLandlord = path.includes('/properties/') && !path.includes('search')
  const expected = role === 'manager' && isOfLandlord ? expect.any(Number) : 200
  expect([route, status]).toEqual([route, expected])
  if (body.data?.recent_activity) body.data.recent_activity = []
  return [`${role}: ${route}`, body] as const
}
/** Loads everything that the landlord and the manager can read. */
async function loadReads(reads: Read[]) {
  const responses = (['landlord', 'manager'] as const).flatMap(role =>
    reads.map(read => loadRead(role, read)),
  )
  return Object.fromEntries(await Promise.all(responses))
}

/** A draft and a maintenance request for a unit. */
async function createRecordsOf({ property, unit }: Pick<Fixture, 'property' | 'unit'>) {
  const terms = agreementTerms(unit.id, [people.tenant.id])
  const { data: agreement } = await people.owner.post('/agreements', terms)
  await prepare({ unit })
  return { property, unit, agreement }
}

describe('lists, totals, searches and statistics do not include a deleted record', () => {
  test('every read of a property has its queries', () => {
    const ofProperty = operations.filter(({ method, path }) =>
      /^GET .properties.{id}(\/[a-z-]+)?$/.test(`${method} ${path}`),
    )
    expect(ofProperty.length).toBeGreaterThan(1)
    expect(ofProperty.filter(({ route }) => !rows[route]!.reads)).toEqual([])
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
    const fixture = isProperty
      ? await createFixture(server, people, { prepare })
      : await createRecordsOf({ property, unit })
    if (isProperty) await deleteUnit()
    const during = await loadReads(listReads(property))
    const changed = Object.keys(before).filter(name => !Bun.deepEquals(before[name], during[name]))
    expect(changed.length).toBeGreaterThan(30)
    expect((await people.owner.delete(path(fixture))).status).toBe(200)
    if (title === 'a draft') await deleteUnit()
    expect(await loadReads(listReads(property))).toEqual(before)
  })
})

type Gone = { deleted: Fixture; inactive: TestUser }
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
    const deleted = await createFixture(server, people)
    const inactive = await signInUser(server)
    await people.owner.delete(`/properties/${deleted.property.id}`)
    await deactivateUser(inactive)
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
        const fixture = await createFixture(server, people, rows[route]!)
        const body = { ...fillBody(rows[route]!.body, fixture), ...(isNested ? nested : field) }
        const response = await people.owner.call(method, toPath(path, fixture), body)
        expect([route, name, response.status]).toEqual([route, name, status])
        tried.push(name)
      }
    expect(tried.length).toBeGreaterThan(9)
  })
})
