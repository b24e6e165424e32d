import { expect, test } from 'bun:test'
import { interrupt, lockRow } from '../../../support/locks'
import { createActiveAgreement, createTenant, signInUser } from '../../../support/users'
import { createLease, exampleTerms, startBooksServer } from '../../../support/books/lease-fixture'

test('a report does not tell of a reference of another lease, but of one of its own', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const landlord = await lease.asLandlord()
  const other = await createTenant(server)
  const { path } = await createActiveAgreement(landlord, [other], exampleTerms)
  const payment = { amount: 100, method: 'upi', reference: 'UTR-1' }
  const owner = await lease.asLandlord()
  const first = await owner.post(`${lease.path}/payments`, payment)
  const stranger = await signInUser(server, other.phone)
  const reported = await stranger.post(`${path}/payments`, payment)
  expect(reported.status).toBe(201)
  const again = await stranger.post(`${path}/payments`, payment)
  expect(again.error).toMatchObject({ reason: 'reference_used' })
  expect(again.error.message).toContain(`payment ${reported.data.id} `)
  expect(again.error.message).not.toContain(`payment ${first.data.id} `)
})

test('400: a tenant has at most twenty open reports of a lease, whatever other tenants report', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server, {}, 2)
  const tenant = await lease.asTenant()
  const report = () => tenant.post(`${lease.path}/payments`, { amount: 1, method: 'cash' })
  const answers = []
  for (let n = 0; n < 20; n++) answers.push(await report())
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  expect((await report()).error).toMatchObject({ code: 'BAD_REQUEST', reason: 'too_many_reports' })
  const other = await signInUser(server, lease.tenants[1]!.phone)
  expect((await other.post(`${lease.path}/payments`, { amount: 1, method: 'cash' })).status).toBe(201)
  const landlord = await lease.asLandlord()
  await landlord.post(`/payments/${answers[0]!.data.id}/reject`)
  expect((await report()).status).toBe(201)
})

test('a report that is confirmed settles of its charges what others have left of them', async () => {
  await using server = await startBooksServer('2026-12-01')
  const { landlord, tenant, path } = await createLease(server)
  const key = { type: 'other', amount: 500, due_date: '2026-12-16' }
  const { data: charge } = await landlord.post(`${path}/charges`, key)
  const pay = (amount: number, payer = landlord) =>
    payer.post(`${path}/payments`, { amount, method: 'upi', allocations: [{ charge_id: charge.id, amount }] })
  const { data: report } = await pay(450, tenant)
  expect((await pay(300)).status).toBe(201)
  const { status, data } = await landlord.post(`/payments/${report.id}/confirm`)
  expect([status, data.allocations, data.unapplied_amount]).toEqual([
    200,
    [{ charge_id: charge.id, amount: 200 }],
    250,
  ])
})

test('of a confirmation and a rejection of a report at the same time one wins, and the other is 400', async () => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, tenant, path, agreement } = await createLease(server)
  const { data: report } = await tenant.post(`${path}/payments`, { amount: 500, method: 'cash' })
  const decide = (step: string) => landlord.post(`/payments/${report.id}/${step}`, {})
  const answers = await interrupt(server, {
    lock: lockRow('agreements', agreement.id),
    start: () => Promise.all([decide('confirm'), decide('reject')]),
    waitingCount: 2,
  })
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  const won = answers.find(({ status }) => status === 200)!
  expect((await landlord.get(`/payments/${report.id}`)).data).toEqual(won.data)
})
