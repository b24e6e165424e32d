import { describe, expect, test } from 'bun:test'
import { addChargeNames, addPaymentNames, describeAllocations, toScheduleView } from '../../cli/book-labels'
import type { Charge, Kiraya, Payment, Schedule } from '../../sdk'

const gone = async () => {
  throw new Error('Gone')
}

/** A client of so many leases, of unit 11 each, of which some cannot be read, and what was asked of it. */
function createClient({ leases = 20, hidden = [] as number[], isListHidden = false } = {}) {
  const asked: string[] = []
  const toLease = (id: number) => ({ id, agreement_number: `AGR-${id}`, property_unit_id: 11 })
  const client = {
    agreements: {
      get: async (id: number) => {
        asked.push(`agreement ${id}`)
        return hidden.includes(id) ? gone() : toLease(id)
      },
      list: async (query: object) => {
        asked.push(`agreements ${JSON.stringify(query)}`)
        return isListHidden
          ? gone()
          : { data: Array.from({ length: leases }, (_, index) => toLease(index + 1)) }
      },
    },
    properties: { list: async () => ({ data: [{ id: 1, alias_name: 'Oak' }] }) },
    units: { list: async () => ({ data: [{ id: 11, unit_name: 'A-1' }] }) },
    tenants: { list: async () => ({ data: [{ id: 21, first_name: 'Tara', last_name: null }] }) },
    auth: { me: async () => ({ user: { id: 7, first_name: 'Asha', last_name: 'Rao' } }) },
    charges: {
      get: async (id: number) => {
        asked.push(`charge ${id}`)
        return hidden.includes(id) ? gone() : { description: `Rent ${id}`, due_date: '2026-12-05' }
      },
    },
  }
  return { client: client as unknown as Kiraya, asked }
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const toCharge = (agreement_id: number, property_unit_id = 12) =>
  ({ id: 100 + agreement_id, agreement_id, property_unit_id }) as Charge

describe('charges', () => {
  test('of ten leases are named one by one: one that cannot be read hides no other', async () => {
    const { client, asked } = createClient({ hidden: [2] })
    const charges = await addChargeNames(
      client,
      ids(10).map(id => toCharge(id)),
    )
    expect(asked).toEqual(ids(10).map(id => `agreement ${id}`))
    expect(charges[0]).toMatchObject({ id: 101, agreement: 'AGR-1', unit: 'Oak/A-1' })
    expect(charges[1]).toMatchObject({ id: 102, agreement: 2, unit: 12 })
    expect(charges[9]).toMatchObject({ id: 110, agreement: 'AGR-10', unit: 'Oak/A-1' })
  })

  test('of eleven leases are named from the newest page', async () => {
    const { client, asked } = createClient()
    const charges = await addChargeNames(
      client,
      ids(11).map(id => toCharge(id)),
    )
    expect(asked).toEqual(['agreements {"limit":100,"sort":"-id"}'])
    expect(charges[10]).toMatchObject({ agreement: 'AGR-11', unit: 'Oak/A-1' })
  })

  test('of one lease need it once', async () => {
    const { client, asked } = createClient()
    await addChargeNames(client, [toCharge(1), toCharge(1)])
    expect(asked).toEqual(['agreement 1'])
  })

  test('keep their ids if the page cannot be read', async () => {
    const { client } = createClient({ isListHidden: true })
    const charges = await addChargeNames(
      client,
      ids(11).map(id => toCharge(id)),
    )
    expect(charges[0]).toMatchObject({ agreement: 1, unit: 12 })
  })
})

const toPayment = (payer_id: number) => ({ id: 8, agreement_id: 1, payer_id }) as Payment

test('payments have the names of their payers, or their ids', async () => {
  const { client } = createClient()
  const named = await addPaymentNames(client, [21, 7, 99].map(toPayment))
  expect(named.map(({ payer }) => payer)).toEqual(['Tara', 'Asha Rao', 99])
  expect(named[0]).toMatchObject({ agreement: 'AGR-1', unit: 'Oak/A-1' })
})

const toAllocations = (count: number) => ids(count).map(charge_id => ({ charge_id, amount: 10 }))

test('ten allocations say what they are for; one whose charge cannot be read keeps its id', async () => {
  const { client } = createClient({ hidden: [2] })
  const described = await describeAllocations(client, toAllocations(10))
  expect<object>(described[0]!).toEqual({
    charge_id: 1,
    amount: 10,
    description: 'Rent 1',
    due_date: '2026-12-05',
  })
  expect<object>(described[1]!).toMatchObject({ charge_id: 2, amount: 10, description: undefined })
})

test('eleven allocations stay as they are', async () => {
  const { client, asked } = createClient()
  expect(await describeAllocations(client, toAllocations(11))).toEqual(toAllocations(11))
  expect(asked).toEqual([])
})

test('an instalment is projected until it has a charge', () => {
  const instalments = [{ charge_id: null }, { charge_id: 1 }]
  const { instalments: shown } = toScheduleView({ total_rent: 10, instalments } as Schedule)
  expect(shown.map(({ status }) => status)).toEqual(['projected', 'posted'])
})
