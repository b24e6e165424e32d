import { expect, test } from 'bun:test'
import { clock, testServer } from '../../../support/server'
import { interrupt } from '../../../support/locks'
import type { TestUser } from '../../../support/users'
import { createLease, type Lease } from '../../../support/books/lease-fixture'

const time = clock(new Date('2026-12-01T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })
const rise = { rent_amount: 30_000, effective_on: '2027-04-01' }

type Step = 'accept' | 'decline' | 'withdraw'

/** Proposes a rent, and returns what decides on it. */
async function propose({ landlord, path }: Lease, input = rise) {
  const { status, data } = await landlord.post(`${path}/rent-revisions`, input)
  const decide = (by: TestUser, step: Step, id = data.id) => by.post(`${path}/rent-revisions/${id}/${step}`)
  return { status, revision: data, decide }
}

const readTotal = async ({ landlord, path }: Lease) =>
  (await landlord.get(`${path}/schedule`)).data.total_rent

test('a rent that was withdrawn cannot be accepted, and its day is free again', async () => {
  const lease = await createLease(server)
  const { landlord, tenant, path, agreement } = lease
  const total = await readTotal(lease)
  const { revision, decide } = await propose(lease)

  const withdrawn = await decide(landlord, 'withdraw')
  expect([withdrawn.status, withdrawn.body.message]).toEqual([200, 'The proposed rent was withdrawn'])
  expect(withdrawn.data).toEqual({
    ...revision,
    status: 'withdrawn',
    decided_by_id: landlord.id,
    decided_at: time.now().toISOString(),
  })
  for (const step of ['accept', 'decline'] as const) {
    const { status, error } = await decide(tenant, step)
    expect([status, error.reason, error.message]).toEqual([
      400,
      'revision_decided',
      'This rent was withdrawn already',
    ])
  }
  expect(await readTotal(lease)).toBe(total)

  const { entries } = (await landlord.get(`${path}/timeline`)).data
  expect(entries.at(-1)).toMatchObject({ type: 'rent_withdrawn', actor_id: landlord.id, details: rise })
  const { data: news } = await tenant.get('/auth/me/export')
  expect(news.tables.activities.at(-1)).toMatchObject({
    type: 'rent_withdrawn',
    message: expect.stringContaining(agreement.agreement_number),
  })

  const again = await propose(lease)
  expect(again.status).toBe(201)
  expect((await again.decide(tenant, 'accept')).status).toBe(200)
  expect(await readTotal(lease)).toBeGreaterThan(total)
})

test('400: a rent that was accepted, declined or withdrawn is not withdrawn', async () => {
  const lease = await createLease(server)
  const { landlord, tenant } = lease
  const decisions = [
    ['accept', tenant, '2027-04-01'],
    ['decline', tenant, '2027-05-01'],
    ['withdraw', landlord, '2027-06-01'],
  ] as const
  for (const [step, by, effective_on] of decisions) {
    const { revision, decide } = await propose(lease, { ...rise, effective_on })
    const { data } = await decide(by, step)
    const { status, error } = await decide(landlord, 'withdraw', revision.revision_id)
    expect([step, status, error.reason]).toEqual([step, 400, 'revision_decided'])
    const { data: listed } = await landlord.get(`${lease.path}/rent-revisions?sort=-id`)
    expect(listed[0]).toEqual(data)
  }
})

test('404: an unknown rent is not withdrawn; 403: none is once the lease has ended', async () => {
  const lease = await createLease(server, { agreement_start_date: '2026-11-01' })
  const { landlord, path } = lease
  const { decide } = await propose(lease)
  expect((await decide(landlord, 'withdraw', 999_999_999)).error.reason).toBe('revision_not_found')
  await landlord.post(`${path}/terminate`, {})
  expect((await decide(landlord, 'withdraw')).error.reason).toBe('wrong_status')
})

test('of an acceptance and a withdrawal at the same time one wins, and the other is 400', async () => {
  const lease = await createLease(server)
  const { decide } = await propose(lease)
  const answers = await interrupt(server, {
    lock: db =>
      db.selectFrom('agreements').where('id', '=', lease.agreement.id).forUpdate().select('id').execute(),
    start: () => Promise.all([decide(lease.tenant, 'accept'), decide(lease.landlord, 'withdraw')]),
    waitingCount: 2,
  })

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  const [won, lost] = answers.toSorted((a, b) => a.status - b.status)
  expect(lost!.error.reason).toBe('revision_decided')
  const { data } = await lease.landlord.get(`${lease.path}/rent-revisions`)
  expect(data).toEqual([won!.data])
  expect((await readTotal(lease)) > 275_376.35).toBe(won!.data.status === 'accepted')
})

test('a rent that was accepted on paper is entered by the landlord; silence accepts none', async () => {
  const lease = await createLease(server)
  const { landlord, tenant, path } = lease
  const { revision } = await propose(lease)
  const total = await readTotal(lease)
  const accept = (by: TestUser, on?: string) =>
    by.post(`${path}/rent-revisions/${revision.id}/accept`, on && { accepted_on_paper: { on } })
  const refused = [
    await accept(tenant, '2026-12-01'),
    await accept(landlord),
    await accept(landlord, '2026-12-02'),
  ]
  expect(refused.map(({ error }) => error.reason)).toEqual(['not_unit_side', 'not_tenant', 'date_in_future'])
  expect(await readTotal(lease)).toBe(total)

  const { data } = await accept(landlord, '2026-12-01')
  expect(data).toMatchObject({
    status: 'accepted',
    paper_accepted_on: '2026-12-01',
    decided_by_id: landlord.id,
  })
  expect(await readTotal(lease)).toBeGreaterThan(total)
  expect((await landlord.get(`${path}/timeline`)).data.entries.at(-1)).toMatchObject({
    type: 'rent_accepted_on_paper',
    details: { ...rise, accepted_on: '2026-12-01' },
  })
})
