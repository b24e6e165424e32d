import { beforeAll, expect, test } from 'bun:test'
import { booksServer, exampleTerms } from '../../support/books/lease-fixture'
import {
  createActiveAgreement,
  createLandlord,
  createUnit,
  requireSuccess,
  signInUser,
  type TestUser,
} from '../../support/users'

const TODAY = '2027-02-05'
const server = booksServer()
let house: Awaited<ReturnType<typeof createHouse>>
beforeAll(async () => {
  house = await createHouse()
}, 60_000)

type Lease = Awaited<ReturnType<typeof createActiveAgreement>>
type Leases = { dueToday: Lease; dueYesterday: Lease }

const post = async (user: TestUser, path: string, body: object) =>
  requireSuccess(await user.post(path, body), path).data

const remove = async (user: TestUser, path: string) => requireSuccess(await user.delete(path), path)

/**
 * A landlord with three leases of ₹25,000 from 15 December, of which a manager has two. Of the first one a rent is due
 * today, of the second one yesterday, and the third one has ended: its unit is deleted.
 */
async function createHouse() {
  const landlord = await createLandlord(server)
  const manager = await createLandlord(server)
  const tenant = await createLandlord(server)
  const lease = (changes: object) =>
    createActiveAgreement(landlord, [tenant], { ...exampleTerms, ...changes })
  const leases = {
    dueToday: await lease({ rent_due_day: 5 }),
    dueYesterday: await lease({ rent_due_day: 4 }),
    ended: await lease({ rent_due_day: 1, tenure_in_months: 1 }),
  }
  for (const { property, unit } of [leases.dueToday, leases.ended]) {
    const appointed = { managed_by_id: manager.id }
    requireSuccess(
      await landlord.patch(`/properties/${property.id}/units/${unit.id}`, appointed),
      'Appointing',
    )
  }

  await server.goTo('2027-01-20')
  const january = await signInUser(server, landlord.phone)
  await post(january, `${leases.dueToday.path}/payments`, { amount: 9000, method: 'upi' })
  await server.goTo(TODAY)
  const people = {
    landlord: await signInUser(server, landlord.phone),
    manager: await signInUser(server, manager.phone),
    tenant: await signInUser(server, tenant.phone),
  }
  await postPayments(people.landlord, leases)
  await post(people.landlord, `${leases.ended.path}/terminate`, {})
  await remove(people.landlord, `/properties/${leases.ended.property.id}/units/${leases.ended.unit.id}`)
  const units = await createMoreUnits(people.landlord, people.manager)
  const properties = [...Object.values(leases), ...units].map(({ property }) => property.id as number)
  return { ...people, leases, properties }
}

/** Posts two payments of this month, one that is reversed, and a cheque that is not cleared. */
async function postPayments(landlord: TestUser, { dueToday, dueYesterday }: Leases) {
  await post(landlord, `${dueToday.path}/payments`, { amount: 2000, tds_amount: 100, method: 'upi' })
  await post(landlord, `${dueYesterday.path}/payments`, { amount: 1000.5, method: 'cash' })
  const wrong = await post(landlord, `${dueYesterday.path}/payments`, { amount: 500, method: 'cash' })
  await post(landlord, `/payments/${wrong.id}/reverse`, { reason: 'Wrong lease' })
  const cheque = { amount: 700, method: 'cheque', reference: '000123', cheque_date: TODAY }
  await post(landlord, `${dueYesterday.path}/payments`, cheque)
}

/** Units without a lease: two vacant ones, one of them managed; one that is not to let; one that is deleted. */
async function createMoreUnits(landlord: TestUser, manager: TestUser) {
  const vacant = await createUnit(landlord)
  await post(landlord, `/properties/${vacant.property.id}/units`, {
    unit_name: 'A-102',
    managed_by_id: manager.id,
  })
  const notToLet = await createUnit(landlord, { is_available: false })
  const deleted = await createUnit(landlord, { managed_by_id: manager.id })
  await remove(landlord, deleted.path)
  return [vacant, notToLet, deleted]
}

const loadStats = async (user: TestUser) => requireSuccess(await user.get('/dashboard'), 'Reading').data.stats

/** What the books and the lists of units tell the user. */
async function loadBooksAndUnits(user: TestUser) {
  const { received, balances } = (await user.get('/books/summary')).data
  let vacantUnits = 0
  for (const id of house.properties) {
    const { status, body } = await user.get(`/properties/${id}/units?is_available=true`)
    if (status === 200) vacantUnits += body.metadata.total
  }
  return {
    collected_this_month: received,
    overdue_amount: balances.overdue,
    vacant_units: vacantUnits,
  }
}

// Until 5 January 38,709.68 fell due of a lease, of which 11,100 is paid of the first one; until yesterday 63,709.68 of
// the second one, of which 1,000.50 is paid; and 25,000 of the third one.
test.each([
  [
    'landlord',
    { collected_this_month: 3100.5, overdue_amount: 27_609.68 + 62_709.18 + 25_000, vacant_units: 2 },
  ],
  ['manager', { collected_this_month: 2100, overdue_amount: 27_609.68, vacant_units: 1 }],
  ['tenant', { collected_this_month: 0, overdue_amount: 0, vacant_units: 0 }],
] as const)("the %s's dashboard has what the books and the lists of units say", async (role, expected) => {
  const stats = await loadStats(house[role])

  expect(stats).toMatchObject(await loadBooksAndUnits(house[role]))
  expect(stats).toMatchObject(expected)
})

test('maintenance_requests counts the open requests that the user sees', async () => {
  const { landlord, manager, tenant, leases } = house
  const raise = async (user: TestUser, { unit }: Lease) => {
    const request = { property_unit_id: unit.id, category: 'plumbing', title: 'The tap leaks' }
    const { id } = await post(user, '/maintenance-requests', request)
    return `/maintenance-requests/${id}/status`
  }
  await raise(tenant, leases.dueToday)
  await raise(landlord, leases.dueYesterday)
  await post(landlord, await raise(landlord, leases.dueToday), { status: 'cancelled' })
  const count = async (user: TestUser) => {
    const { body } = await user.get('/maintenance-requests?open=true')
    return [(await loadStats(user)).maintenance_requests, body.metadata.total]
  }

  expect([await count(landlord), await count(manager), await count(tenant)]).toEqual([
    [2, 2],
    [1, 1],
    [2, 2],
  ])
})
