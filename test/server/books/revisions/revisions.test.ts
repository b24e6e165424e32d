import { expect, test } from 'bun:test'
import { createLease, listCharges, startBooksServer, type Lease } from '../../../support/books/lease-fixture'

async function revise(lease: Lease, rent_amount: number, effective_on: string) {
  const landlord = await lease.asLandlord()
  const proposed = await landlord.post(`${lease.path}/rent-revisions`, { rent_amount, effective_on })
  const decide = async (step: 'accept' | 'decline') =>
    (await lease.asTenant()).post(`${lease.path}/rent-revisions/${proposed.data.id}/${step}`)
  return { proposed, decide }
}

test('an accepted rent changes the schedule from its day on, a proposed or declined one does not', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const { proposed, decide } = await revise(lease, 30_000, '2027-04-01')
  expect(proposed.status).toBe(201)
  expect(proposed.data).toMatchObject({ status: 'proposed', rent_amount: 30_000 })
  expect(proposed.body.warnings).toBeUndefined()
  const total = async () => (await lease.landlord.get(`${lease.path}/schedule`)).data.total_rent
  expect(await total()).toBe(275_376.35)
  expect((await decide('accept')).data).toMatchObject({ status: 'accepted', decided_by_id: lease.tenant.id })
  expect(await total()).toBe(312_709.68) // 13,709.68 + 3 × 25,000 + 7 × 30,000 + 14/30 × 30,000
  expect((await decide('decline')).error.reason).toBe('revision_decided')

  const other = await revise(lease, 99_000, '2027-06-01')
  expect((await other.decide('decline')).data.status).toBe('declined')
  expect(await total()).toBe(312_709.68)
  const { data } = await lease.tenant.get(`${lease.path}/rent-revisions?sort=effective_on`)
  expect(data.map((each: any) => each.status)).toEqual(['accepted', 'declined'])
  const { entries } = (await lease.landlord.get(`${lease.path}/timeline`)).data
  const [first, second] = [
    { rent_amount: 30_000, effective_on: '2027-04-01' },
    { rent_amount: 99_000, effective_on: '2027-06-01' },
  ]
  expect(entries.slice(-4).map(({ type, actor_id, details }: any) => [type, actor_id, details])).toEqual([
    ['rent_proposed', lease.landlord.id, first],
    ['rent_accepted', lease.tenant.id, first],
    ['rent_proposed', lease.landlord.id, second],
    ['rent_declined', lease.tenant.id, second],
  ])
})

test('leases that are posted together are each charged the rent that was accepted for them', async () => {
  await using server = await startBooksServer()
  const leases = [await createLease(server), await createLease(server)]
  for (const [index, lease] of leases.entries()) {
    const { decide } = await revise(lease, 30_000 + index * 1000, '2027-03-01')
    expect((await decide('accept')).status).toBe(200)
  }
  await server.goTo('2027-03-05')
  const march = leases.map(async lease => (await listCharges(lease)).filter(each => each.includes('2027-03')))
  expect(await Promise.all(march)).toEqual([
    ['rent 2027-03-05 30000 30000 due'],
    ['rent 2027-03-05 31000 31000 due'],
  ])
})

const listFebruary = async (lease: Lease) =>
  (await listCharges(lease)).filter(each => each.includes('2027-02'))

test.each<[string, acceptedOn: string, [number, string][], february: string[], ended: number[]]>([
  [
    'is corrected by a further charge',
    '2027-01-31',
    [[30_600, '2027-02-15']],
    ['rent 2027-02-05 25000 25000 upcoming', 'rent 2027-02-05 2800 2800 upcoming'],
    // 14 days of 25,000 and 7 of 30,600, of 28.
    [20_150, 0],
  ],
  [
    'has a further charge for each rent that is accepted, due on the day of its acceptance',
    '2027-02-10',
    [
      [30_600, '2027-02-15'],
      [33_400, '2027-02-22'],
      [36_200, '2027-02-28'],
    ],
    // 14 days of 5,600 more, 7 of another 2,800, and one of that.
    [
      'rent 2027-02-05 25000 25000 overdue',
      'rent 2027-02-10 2800 2800 due',
      'rent 2027-02-10 700 700 due',
      'rent 2027-02-10 100 100 due',
    ],
    [20_150, 0, 0, 0],
  ],
  [
    'keeps a rent from a later day when one from an earlier day follows',
    '2027-02-10',
    [
      [30_600, '2027-02-22'],
      [28_000, '2027-02-15'],
    ],
    // 7 days of 5,600 more, and 7 of 3,000.
    ['rent 2027-02-05 25000 25000 overdue', 'rent 2027-02-10 1400 1400 due', 'rent 2027-02-10 750 750 due'],
    // 14 days of 25,000 and 7 of 28,000.
    [19_500, 0, 0],
  ],
  [
    'is charged at its end with the new rent, also where that costs more than the posted one',
    '2027-01-31',
    [[50_000, '2027-02-01']],
    ['rent 2027-02-05 25000 25000 upcoming', 'rent 2027-02-05 25000 25000 upcoming'],
    // 21 of 28 days of 50,000.
    [25_000, 12_500],
  ],
])('a posted month %s', async (_, acceptedOn, rents, february, ended) => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo(acceptedOn)
  for (const [rent, day] of rents)
    expect((await (await revise(lease, rent, day)).decide('accept')).status).toBe(200)
  expect(await listFebruary(lease)).toEqual(february)
  await server.goTo('2027-02-21')
  await (await lease.asLandlord()).post(`${lease.path}/terminate`, {})
  expect((await listFebruary(lease)).map(each => Number(each.split(' ')[3]))).toEqual(ended)
})

test('an accepted rent corrects no rent that was charged by hand for the same days', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const period = { period_start: '2027-02-01', period_end: '2027-02-28' }
  const terrace = { type: 'rent', amount: 500, due_date: '2027-02-05', ...period }
  expect((await lease.landlord.post(`${lease.path}/charges`, terrace)).status).toBe(201)
  await server.goTo('2027-01-31')
  const { decide } = await revise(lease, 30_600, '2027-02-15')
  expect((await decide('accept')).status).toBe(200)
  expect((await listFebruary(lease)).toSorted()).toEqual([
    'rent 2027-02-05 25000 25000 upcoming',
    'rent 2027-02-05 2800 2800 upcoming',
    'rent 2027-02-05 500 500 upcoming',
  ])
})

test('a posted rent is credited where the new one is less; what was paid of it becomes an advance', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo('2027-02-05')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/payments`, { amount: 63_709.68, method: 'upi' })
  await (await revise(lease, 20_000, '2027-02-15')).decide('accept')
  expect((await listCharges(lease)).at(-1)).toBe('rent 2027-02-05 25000 0 paid')
  const [payment] = (await landlord.get(`/payments?agreement_id=${lease.agreement.id}`)).data
  expect(payment.unapplied_amount).toBe(2500)
  const { lines } = (await landlord.get(`${lease.path}/statement`)).data
  expect(lines.at(-1)).toMatchObject({ kind: 'credit', credit: 2500, date: '2027-02-05' })
  expect(lines.at(-1).description).toStartWith('Credit, correction: Rent')
  await server.goTo('2027-03-05')
  expect((await listCharges(lease)).at(-1)).toBe('rent 2027-03-05 20000 17500 due')
})

test.each([
  ['on its day takes its place', '2027-02-01', 26_000, 26_000, 28_600],
  ['the day before is raised by it', '2027-01-31', 20_000, 22_000, 24_200],
])(
  'a rent that is accepted where an escalation was posted: one %s',
  async (_, day, rent, february, april) => {
    await using server = await startBooksServer()
    const terms = { agreement_start_date: '2026-12-01', escalation_percent: 10, escalation_every_months: 2 }
    const lease = await createLease(server, terms)
    await server.goTo('2027-01-30')
    expect((await (await revise(lease, rent, day)).decide('accept')).status).toBe(200)
    // It was posted with the escalation.
    expect(await listFebruary(lease)).toEqual([`rent 2027-02-05 27500 ${february} upcoming`])
    await server.goTo('2027-03-30')
    expect((await listCharges(lease)).at(-1)).toBe(`rent 2027-04-05 ${april} ${april} upcoming`)
  },
)

test('400: no rent is proposed from yesterday, one from today may be; 403: nor once the lease has ended', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  server.setDay('2027-02-10')
  const { error } = (await revise(lease, 26_000, '2027-02-09')).proposed
  expect(error.reason).toBe('revision_outside_lease')
  const { proposed, decide } = await revise(lease, 26_000, '2027-02-10')
  expect(proposed.status).toBe(201)
  await (await lease.asLandlord()).post(`${lease.path}/terminate`, {})
  const another = await revise(lease, 27_000, '2027-02-11')
  for (const { status, error: refusal } of [await decide('accept'), another.proposed])
    expect([status, refusal.reason]).toEqual([403, 'wrong_status'])
})
