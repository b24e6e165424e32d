import { expect, test } from 'bun:test'
import type { Arrears } from '@kiraya/sdk/contract'
import { createLease, startBooksServer } from '../../support/books/lease-fixture'

const TODAY = '2028-03-31'
const none = { days_0_30: 0, days_31_60: 0, days_61_90: 0, days_over_90: 0, total: 0 }
type Ages = typeof none

test('a bill is in the arrears of its age, from its due date on, and in the total', async () => {
  await using server = await startBooksServer('2019-12-20')
  const terms = { agreement_start_date: '2020-01-01', tenure_in_months: 120 }
  const lease = await createLease(server, terms)
  server.setDay(TODAY)
  const landlord = await lease.asLandlord()
  const loadAges = async () => {
    const { rows: _, as_of, ...ages } = (await landlord.get('/books/arrears')).data as Arrears
    expect(as_of).toBe(TODAY)
    return ages as Ages
  }
  let before = await loadAges()
  for (const [due_date, age] of [
    ['2028-04-01', undefined],
    ['2028-03-31', 'days_0_30'],
    ['2028-03-01', 'days_0_30'],
    ['2028-02-29', 'days_31_60'],
    ['2028-01-31', 'days_31_60'],
    ['2028-01-30', 'days_61_90'],
    ['2028-01-01', 'days_61_90'],
    ['2027-12-31', 'days_over_90'],
    ['2020-01-01', 'days_over_90'],
  ] as const) {
    const bill = { type: 'other', description: 'Bill', due_date, amount: 500 }
    expect((await landlord.post(`${lease.path}/charges`, bill)).status).toBe(201)
    const after = await loadAges()
    const names = Object.keys(none) as (keyof Ages)[]
    const risen = Object.fromEntries(names.map(name => [name, after[name] - before[name]]))
    expect([due_date, risen]).toEqual([due_date, age ? { ...none, [age]: 500, total: 500 } : none])
    before = after
  }
})
