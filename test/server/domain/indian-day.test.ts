import { beforeAll, expect, test } from 'bun:test'
import { createLease, type Lease } from '../../support/books/lease-fixture'
import { clock, testServer } from '../../support/server'
import { createPendingAgreement, createTenant, type TestResponse } from '../../support/users'

// Half an hour after midnight in India it is still the day before, the month before and the fiscal year before in UTC.
const TODAY = '2027-04-01'
const time = clock(new Date('2027-03-31T19:00:00Z'))
const server = testServer({ overrides: { now: time.now } })

/** Its rents are due yesterday and today. */
let lease: Lease
/** Its one rent is due yesterday. */
let quiet: Lease
beforeAll(async () => {
  lease = await createLease(server, { agreement_start_date: '2027-03-31', rent_due_day: 1 })
  const march = { agreement_start_date: '2027-03-01', tenure_in_months: 1 }
  quiet = await createLease(server, { ...march, rent_due_day: 31 })
})

const findToday = (rows: { due_date: string }[]) => rows.find(({ due_date }) => due_date === TODAY)
const getFileName = ({ headers }: TestResponse) => headers.get('content-disposition')

const reads: [what: string, read: () => Promise<unknown>, expected: unknown][] = [
  [
    'a summary is of this month',
    async () => (await lease.landlord.get('/books/summary')).data,
    { from: '2027-04-01', to: '2027-04-30' },
  ],
  [
    'what fell due yesterday is overdue',
    async () => (await quiet.landlord.get('/books/summary')).data.balances,
    { overdue: 25_000 },
  ],
  [
    'a rent roll is of this month',
    async () => (await lease.landlord.get('/books/rent-roll')).data,
    { month: '2027-04' },
  ],
  [
    'arrears include what is due today',
    async () => (await lease.landlord.get('/books/arrears')).data,
    { as_of: TODAY, total: 25_806.45 },
  ],
  [
    'annual books are of this year',
    async () => (await lease.landlord.get('/books/annual')).data,
    { year: '2027-28' },
  ],
  [
    'a statement ends today',
    async () => (await quiet.tenant.get(`${quiet.path}/statement`)).data,
    { to: TODAY },
  ],
  [
    'the PDF of a statement ends today',
    async () => getFileName(await quiet.tenant.get(`${quiet.path}/statement/pdf`)),
    expect.stringContaining('to 2027-04-01.pdf'),
  ],
  [
    'a rent proof is of this year',
    async () => getFileName(await lease.tenant.get(`${lease.path}/rent-proof`)),
    expect.stringContaining('rent 2027-28.pdf'),
  ],
  [
    'the tax is of this year',
    async () => (await lease.tenant.get(`${lease.path}/tds`)).data,
    { year: '2027-28' },
  ],
  [
    'the charges list what is due today',
    async () => findToday((await lease.tenant.get('/charges')).data),
    { status: 'due' },
  ],
  [
    'a charge is due today',
    async () => {
      const charge = findToday((await lease.tenant.get('/charges')).data) as unknown as { id: number }
      return (await lease.tenant.get(`/charges/${charge.id}`)).data
    },
    { status: 'due' },
  ],
  [
    'the dashboard counts what is due today',
    async () => (await lease.landlord.get('/dashboard')).data.stats,
    { pending_payments: 2 },
  ],
  [
    'a payment is of today',
    async () => (await lease.tenant.post(`${lease.path}/payments`, { amount: 1, method: 'upi' })).data,
    { paid_on: TODAY },
  ],
]
test.each(reads)('at 00:30 in India %s', async (_, read, expected) => {
  expect({ read: await read() }).toMatchObject({ read: expected } as object)
})

test('at 00:30 in India a lease that is terminated ends today', async () => {
  const other = await createLease(server, { agreement_start_date: '2027-03-01' })
  const { data } = await other.landlord.post(`${other.path}/terminate`, {})
  expect(data).toMatchObject({ termination_date: TODAY })
})

test('at 00:30 in India an agreement that is revised is withdrawn today', async () => {
  const { path } = await createPendingAgreement(lease.landlord, [await createTenant(server)])
  await lease.landlord.post(`${path}/revise`, {})
  expect((await lease.landlord.get(path)).data).toMatchObject({ termination_date: TODAY })
})

test('at 00:30 in India the books open with the rent that is due in seven days', async () => {
  const { tenant } = await createLease(server, { agreement_start_date: TODAY, rent_due_day: 8 })
  expect((await tenant.get('/charges')).data).toMatchObject([{ due_date: '2027-04-08' }])
})
