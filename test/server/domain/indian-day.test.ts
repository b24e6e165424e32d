import { beforeAll, expect, test } from 'bun:test'
import { createLease, type Lease } from '../../support/books/lease-fixture'
import { clock, testServer } from '../../support/server'
import { createPendingAgreement, createTenant } from '../../support/users'

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

/** Who reads it: the landlord or the tenant of the lease, or those of the quiet one. */
type Reader = 'landlord' | 'tenant' | 'quiet landlord' | 'quiet tenant'

const reads: [what: string, reader: Reader, path: string, expected: object][] = [
  ['a summary is of this month', 'landlord', '/books/summary', { from: '2027-04-01', to: '2027-04-30' }],
  [
    'what fell due yesterday is overdue',
    'quiet landlord',
    '/books/summary',
    { balances: { overdue: 25_000 } },
  ],
  ['a rent roll is of this month', 'landlord', '/books/rent-roll', { month: '2027-04' }],
  ['arrears include what is due today', 'landlord', '/books/arrears', { as_of: TODAY, total: 25_806.45 }],
  ['annual books are of this year', 'landlord', '/books/annual', { year: '2027-28' }],
  ['a statement ends today', 'quiet tenant', 'LEASE/statement', { to: TODAY }],
  ['the tax is of this year', 'tenant', 'LEASE/tds', { year: '2027-28' }],
  [
    'the dashboard has what fell due yesterday',
    'quiet landlord',
    '/dashboard',
    { stats: { overdue_amount: 25_000 } },
  ],
  ['the dashboard counts what is due today', 'landlord', '/dashboard', { stats: { pending_payments: 2 } }],
]
test.each(reads)('at 00:30 in India %s', async (_, reader, path, expected) => {
  const { landlord, tenant, path: leasePath } = reader.startsWith('quiet') ? quiet : lease
  const user = reader.endsWith('landlord') ? landlord : tenant
  expect((await user.get(path.replace('LEASE', leasePath))).data).toMatchObject(expected)
})

test.each([
  ['a statement ends today', 'statement/pdf', 'to 2027-04-01.pdf'],
  ['a rent proof is of this year', 'rent-proof', 'rent 2027-28.pdf'],
])('at 00:30 in India the PDF of %s', async (_, path, name) => {
  const { headers } = await lease.tenant.get(`${lease.path}/${path}`)
  expect(headers.get('content-disposition')).toContain(name)
})

test('at 00:30 in India what is due today is due, alone and in the list', async () => {
  const charge = findToday((await lease.tenant.get('/charges')).data) as { id: number } | undefined
  expect(charge).toMatchObject({ status: 'due' })
  expect((await lease.tenant.get(`/charges/${charge!.id}`)).data).toMatchObject({ status: 'due' })
})

test('at 00:30 in India a payment is of today', async () => {
  const { data } = await lease.tenant.post(`${lease.path}/payments`, { amount: 1, method: 'upi' })
  expect(data).toMatchObject({ paid_on: TODAY })
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
