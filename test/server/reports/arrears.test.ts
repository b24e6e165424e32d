import { expect, test } from 'bun:test'
import type { Arrears } from '@kiraya/sdk/contract'
import { createLease, startBooksServer } from '../../support/books/lease-fixture'

const TODAY = '2028-03-31'

/** A lease since 2020, on 31 March 2028. Returns by how much a bill on each of the dates raises the arrears. */
async function startBilling() {
  const server = await startBooksServer('2019-12-20')
  const terms = { agreement_start_date: '2020-01-01', tenure_in_months: 120 }
  const lease = await createLease(server, terms)
  server.setDay(TODAY)
  const landlord = await lease.asLandlord()
  const loadSums = async () => {
    const { rows: _, as_of, ...sums } = (await landlord.get('/books/arrears')).data as Arrears
    expect(as_of).toBe(TODAY)
    return sums
  }
  const before = await loadSums()
  const bill = async (...bills: [due_date: string, amount: number][]) => {
    for (const [due_date, amount] of bills) {
      const charge = { type: 'other', description: 'Bill', due_date, amount }
      expect((await landlord.post(`${lease.path}/charges`, charge)).status).toBe(201)
    }
    const after = await loadSums()
    const names = Object.keys(after) as (keyof typeof after)[]
    return Object.fromEntries(names.map(name => [name, after[name] - before[name]]))
  }
  return { bill, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

const none = { days_0_30: 0, days_31_60: 0, days_61_90: 0, days_over_90: 0, total: 0 }

test.each([
  ['2028-04-01', undefined],
  ['2028-03-31', 'days_0_30'],
  ['2028-03-01', 'days_0_30'],
  ['2028-02-29', 'days_31_60'],
  ['2028-01-31', 'days_31_60'],
  ['2028-01-30', 'days_61_90'],
  ['2028-01-01', 'days_61_90'],
  ['2027-12-31', 'days_over_90'],
  ['2020-01-01', 'days_over_90'],
] as const)('due on %s: %p', async (dueDate, bucket) => {
  await using billing = await startBilling()
  expect(await billing.bill([dueDate, 500])).toEqual(bucket ? { ...none, [bucket]: 500, total: 500 } : none)
})

test('sums by age, with a total that leaves out what is yet to come', async () => {
  await using billing = await startBilling()
  const sums = await billing.bill(
    ['2028-04-05', 1],
    ['2028-03-05', 20],
    ['2028-03-05', 300],
    ['2028-02-05', 4_000],
    ['2027-12-05', 50_000],
  )
  expect(sums).toEqual({
    days_0_30: 320,
    days_31_60: 4_000,
    days_61_90: 0,
    days_over_90: 50_000,
    total: 54_320,
  })
})
