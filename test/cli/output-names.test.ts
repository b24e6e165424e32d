import { describe, expect, test } from 'bun:test'
import { toScheduleView } from '../../cli/commands/charge'
import { describeAllocations } from '../../cli/commands/payment'
import { addNames, loadUnitNames } from '../../cli/output/names'
import {
  createClient,
  type Agreement,
  type Charge,
  type Kiraya,
  type MaintenanceComment,
  type MaintenanceRequest,
  type Payment,
  type Schedule,
} from '../../sdk'
import { createStubServer } from '../sdk/stub-server'

const page = (data: object[]) =>
  Response.json({ success: true, data, metadata: { page: 1, limit: 100, total: 0, total_pages: 1 } })
const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** A landlord with 30 properties, each with one unit of ten times its id; no one else is known. */
const createHouses = () =>
  createStubServer((_, { path }) => {
    const [, property] = /^\/properties\/(\d+)\/units/.exec(path) ?? []
    if (property) return page([{ id: 10 * Number(property), unit_name: 'A-1' }])
    if (path.startsWith('/tenants')) return Response.json({ success: false }, { status: 400 })
    return page(ids(30).map(id => ({ id, alias_name: `House ${id}` })))
  })

test.each([
  [[30], 5],
  [[60], 10],
  [[30, 999], 20],
])('the names of the units %j need the units of %d properties', async (unitIds, count) => {
  using server = createHouses()
  await loadUnitNames(createClient({ baseUrl: server.url }), new Set(unitIds))
  expect(server.requests.filter(({ path }) => path.includes('/units'))).toHaveLength(count)
})

test('an agreement has the names of its unit and people, or their ids', async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1' })
  const unit = { property_name: 'House 2', unit_name: 'A-1' }
  const [landlord, tenants] = [{ id: 1, name: 'Asha' }, [7, 8].map(id => ({ id, name: null }))]
  const agreements = [{ id: 1, agreement_id: 'uuid', unit, landlord, tenants, manager: null }] as Agreement[]
  const named = { unit: 'House 2/A-1', landlord: 'Asha', tenants: '7, 8' }
  expect(await addNames(client, agreements)).toMatchObject([named])
  expect(await addNames(client, [])).toEqual([])
})

/** A client of twenty leases of unit 11, of which some cannot be read, and what was asked of it. */
function createBooks({ hidden = [] as number[], isListHidden = false } = {}) {
  const asked: string[] = []
  const give = <Result>(isHidden: boolean, result: Result) => {
    if (isHidden) throw new Error('Gone')
    return result
  }
  const unit = { property_name: 'Oak', unit_name: 'A-1' }
  const toLease = (id: number) => ({ id, agreement_number: `AGR-${id}`, unit })
  const client = {
    agreements: {
      get: async (id: number) => {
        asked.push(`agreement ${id}`)
        return give(hidden.includes(id), toLease(id))
      },
      list: async (query: object) => {
        asked.push(`agreements ${JSON.stringify(query)}`)
        return give(isListHidden, { data: ids(20).map(toLease) })
      },
    },
    properties: { list: async () => ({ data: [{ id: 1, alias_name: 'Oak' }] }) },
    units: { list: async () => ({ data: [{ id: 11, unit_name: 'A-1' }] }) },
    tenants: { list: async () => ({ data: [{ id: 21, first_name: 'Tara', last_name: null }] }) },
    auth: { me: async () => ({ user: { id: 7, first_name: 'Asha', last_name: 'Rao' } }) },
    charges: {
      get: async (id: number) => {
        asked.push(`charge ${id}`)
        return give(hidden.includes(id), { description: `Rent ${id}`, due_date: '2026-12-05' })
      },
    },
  }
  return { client: client as unknown as Kiraya, asked }
}

describe('charges', () => {
  const toCharges = (leases: number[]) =>
    leases.map(agreement_id => ({ id: 100 + agreement_id, agreement_id, property_unit_id: 12 }) as Charge)

  test('of ten leases are named one by one: one that cannot be read hides no other', async () => {
    const { client, asked } = createBooks({ hidden: [2] })
    const charges = await addNames(client, toCharges(ids(10)))
    expect(asked).toEqual(ids(10).map(id => `agreement ${id}`))
    expect(charges[1]).toMatchObject({ id: 102, agreement: 2, unit: 12 })
    expect(charges[9]).toMatchObject({ id: 110, agreement: 'AGR-10', unit: 'Oak/A-1' })
  })

  test('of eleven leases are named from the newest page, or keep their ids', async () => {
    const { client, asked } = createBooks()
    const charges = await addNames(client, toCharges(ids(11)))
    expect(asked).toEqual(['agreements {"limit":100,"sort":"-id"}'])
    expect(charges[10]).toMatchObject({ agreement: 'AGR-11', unit: 'Oak/A-1' })
    const [hidden] = await addNames(createBooks({ isListHidden: true }).client, toCharges(ids(11)))
    expect(hidden).toMatchObject({ agreement: 1, unit: 12 })
  })

  test('of one lease need it once', async () => {
    const { client, asked } = createBooks()
    await addNames(client, toCharges([1, 1]))
    expect(asked).toEqual(['agreement 1'])
  })
})

test('payments have the names of their payers, or their ids', async () => {
  const payments = [21, 7, 99].map(payer_id => ({ id: 8, agreement_id: 1, payer_id }) as Payment)
  const named = await addNames(createBooks().client, payments)
  expect(named.map(({ payer }) => payer)).toEqual(['Tara', 'Asha Rao', 99])
  expect(named[0]).toMatchObject({ agreement: 'AGR-1', unit: 'Oak/A-1' })
})

test('maintenance requests have the names of their units and agreements, if they have one', async () => {
  const { client, asked } = createBooks({ hidden: [2] })
  const leases = [1, 2, null]
  const requests = leases.map(
    (agreement_id, index) => ({ id: 8, agreement_id, property_unit_id: 11 + index }) as MaintenanceRequest,
  )
  expect(await addNames(client, requests)).toMatchObject([
    { agreement: 'AGR-1', unit: 'Oak/A-1' },
    { agreement: 2, unit: 12 },
    { agreement: null, unit: 13 },
  ])
  expect(asked).toEqual(['agreement 1', 'agreement 2'])
})

test('comments have the names of who said them, or their ids', async () => {
  const comments = [21, 7, 99].map(created_by_id => ({ id: 8, created_by_id }) as MaintenanceComment)
  const named = await addNames(createBooks().client, comments)
  expect(named.map(({ created_by }) => created_by)).toEqual(['Tara', 'Asha Rao', 99])
  expect(await addNames(createBooks().client, [])).toEqual([])
})

test('ten allocations say what they are for, if it can be read; eleven stay as they are', async () => {
  const toAllocations = (count: number) => ids(count).map(charge_id => ({ charge_id, amount: 10 }))
  const { client, asked } = createBooks({ hidden: [2] })
  const [first, second] = await describeAllocations(client, toAllocations(10))
  const named = { charge_id: 1, amount: 10, description: 'Rent 1', due_date: '2026-12-05' }
  expect<object[]>([first!, second!]).toMatchObject([named, { charge_id: 2, description: undefined }])
  asked.splice(0)
  expect(await describeAllocations(client, toAllocations(11))).toEqual(toAllocations(11))
  expect(asked).toEqual([])
})

test('an instalment is projected until it has a charge', () => {
  const instalments = [{ charge_id: null }, { charge_id: 1 }]
  const { instalments: shown } = toScheduleView({ total_rent: 10, instalments } as Schedule)
  expect(shown.map(({ status }) => status)).toEqual(['projected', 'posted'])
})
