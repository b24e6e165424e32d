import { expect, test } from 'bun:test'
import { interrupt } from '../../../support/locks'
import { createActiveAgreement, createManager, createTenant, type TestUser } from '../../../support/users'
import {
  createLease,
  exampleTerms,
  startBooksServer,
  type BooksServer,
} from '../../../support/books/lease-fixture'

const payment = { amount: 100, method: 'upi', reference: 'UTR-1' }

/** Two leases of a landlord, with their tenants. */
async function createLeases(server: BooksServer) {
  const { landlord, tenant, path } = await createLease(server)
  const other = await createTenant(server)
  const second = await createActiveAgreement(landlord, [other], exampleTerms)
  return { landlord, first: { path, tenant }, second: { path: second.path, tenant: other } }
}

/** Starts work whose payments have found no other of their reference, and wait for their receipts' numbers. */
async function race<T>(server: BooksServer, ...work: (() => Promise<T>)[]) {
  return interrupt(server, {
    lock: db => db.selectFrom('receipt_counters').selectAll().forUpdate().execute(),
    start: () => Promise.all(work.map(start => start())),
    waitingCount: work.length,
  })
}

test('400: of two payments at once with one reference, on two leases, the loser leaves no gap', async () => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, first, second } = await createLeases(server)
  const pay = (path: string, reference: string) =>
    landlord.post(`${path}/payments`, { ...payment, reference })
  await pay(first.path, 'UTR-0')
  const answers = await race(
    server,
    () => pay(first.path, 'UTR-1'),
    () => pay(second.path, 'utr-1'),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
  expect(answers.find(({ status }) => status === 400)!.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    reason: 'reference_used',
    details: [{ property: 'reference' }],
  })
  const { data } = await pay(second.path, 'UTR-2')
  expect(data.receipt_number).toBe('RCT-2026-27-000003')
})

test('400: a confirmation and a payment at once with one reference', async () => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, first, second } = await createLeases(server)
  await landlord.post(`${first.path}/payments`, { ...payment, reference: 'UTR-0' })
  const reports = [first, second].map(({ tenant, path }) => tenant.post(`${path}/payments`, payment))
  const [one, two] = await Promise.all(reports)
  const answers = await race(
    server,
    () => landlord.post(`/payments/${one!.data.id}/confirm`),
    () => landlord.post(`/payments/${two!.data.id}/confirm`),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
})

test.each([
  ['posted', payment],
  ['pending', { ...payment, method: 'cheque' }],
])('400: a report is not confirmed when another payment is %s with its reference', async (_, body) => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, first, second } = await createLeases(server)
  const { data: known } = await landlord.post(`${first.path}/payments`, body)
  const { data: reported } = await second.tenant.post(`${second.path}/payments`, body)
  const refused = await landlord.post(`/payments/${reported.id}/confirm`)
  expect([refused.status, refused.error.reason]).toEqual([400, 'reference_used'])
  expect(refused.error.message).toContain(`payment ${known.id} has it; send allow_duplicate`)
  expect((await landlord.get(`/payments/${reported.id}`)).data.status).toBe('reported')
  const allowed = await landlord.post(`/payments/${reported.id}/confirm`, { allow_duplicate: true })
  expect(allowed.data.status).toBe('posted')
})

test('a report of another lease does not stop a confirmation', async () => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, first, second } = await createLeases(server)
  await first.tenant.post(`${first.path}/payments`, payment)
  const { data } = await second.tenant.post(`${second.path}/payments`, payment)
  expect((await landlord.post(`/payments/${data.id}/confirm`)).status).toBe(200)
})

test("400: the landlord's own record of what a tenant reported names the report, to be confirmed", async () => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, first } = await createLeases(server)
  const { data } = await first.tenant.post(`${first.path}/payments`, payment)
  const { status, error } = await landlord.post(`${first.path}/payments`, payment)
  expect([status, error.reason]).toEqual([400, 'reference_used'])
  expect(error.message).toContain(`payment ${data.id}, which a tenant reported, has it; confirm it`)
})

test('400: the same reference again by one method, in any case, unless it is allowed', async () => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, first } = await createLeases(server)
  const pay = (changes: object = {}) => landlord.post(`${first.path}/payments`, { ...payment, ...changes })
  const { data } = await pay()
  const { status, error } = await pay({ reference: 'utr-1' })
  expect([status, error.reason, error.details[0].property]).toEqual([400, 'reference_used', 'reference'])
  expect(error.message).toContain(String(data.id))
  expect((await pay({ method: 'bank_transfer' })).status).toBe(201)
  expect((await pay({ allow_duplicate: true })).status).toBe(201)
})

test("400: a payment of another lease is named to the landlord, to a manager those of the manager's own", async () => {
  await using server = await startBooksServer('2026-12-15')
  const manager = await createManager(server)
  const { landlord, path, property, unit } = await createLease(server)
  await landlord.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  const tenant = await createTenant(server)
  const other = { tenant, ...(await createActiveAgreement(landlord, [tenant], exampleTerms)) }
  const pay = (by: TestUser, of: string, changes: object = {}) =>
    by.post(`${of}/payments`, { ...payment, ...changes })
  const { data: foreign } = await pay(landlord, other.path)

  const [toLandlord, toManager] = [await pay(landlord, path), await pay(manager, path)]
  expect(toLandlord.error.message).toContain(`payment ${foreign.id} `)
  expect([toManager.status, toManager.error.reason]).toEqual([400, 'reference_used'])
  expect(toManager.error.message).not.toMatch(/payment \d/)

  const reported = { reference: 'UTR-2' }
  await pay(other.tenant, other.path, reported)
  expect((await pay(landlord, path, reported)).error.message).toContain('which a tenant reported')
  expect((await pay(manager, path, reported)).error.message).not.toContain('reported')

  const { data: own } = await pay(landlord, path, { allow_duplicate: true })
  for (const by of [landlord, manager])
    expect((await pay(by, path)).error.message).toContain(`payment ${own.id} `)
})
