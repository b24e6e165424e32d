import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  createLease,
  startBooksServer,
  type BooksServer,
  type Lease,
} from '../../support/books/lease-fixture'
import { requireSuccess } from '../../support/requests'

let server: BooksServer
/** From 15 December 2026 to 14 November 2027; the landlord proposed another rent. */
let lease: Lease & { revision: string }
beforeAll(async () => {
  server = await startBooksServer()
  const created = await createLease(server)
  const proposed = await created.landlord.post(`${created.path}/rent-revisions`, toRevision('2027-05-01'))
  const { id } = requireSuccess(proposed, 'Proposing a rent').data
  lease = { ...created, revision: `${created.path}/rent-revisions/${id}` }
}, 60_000)
afterAll(() => server.end())

const toRevision = (effective_on: string, rent_amount = 26_000) => ({ rent_amount, effective_on })
const propose = (body: object, by = lease.landlord) => by.post(`${lease.path}/rent-revisions`, body)

test.each([
  ['before the lease', '2026-11-30'],
  ['from its first day, whose rent is the agreed one', '2026-12-15'],
  ['from the day after its end', '2027-11-15'],
])('400: no rent is proposed %s', async (_, day) => {
  const { status, error } = await propose(toRevision(day))
  expect([status, error.reason]).toEqual([400, 'revision_outside_lease'])
})

test('403: a tenant proposes no rent', async () => {
  const { status, error } = await propose(toRevision('2027-04-01'), lease.tenant)
  expect([status, error.reason]).toEqual([403, 'not_unit_side'])
})

test('400: a rent is above zero', async () => {
  const { status, error } = await propose(toRevision('2027-04-01', 0))
  expect([status, error.reason]).toEqual([400, 'invalid_fields'])
})

test('403: the landlord does not accept their own proposal', async () => {
  const { status, error } = await lease.landlord.post(`${lease.revision}/accept`)
  expect([status, error.reason]).toEqual([403, 'not_tenant'])
})

test('404: a revision that does not exist is not accepted', async () => {
  const { status, error } = await lease.tenant.post(`${lease.path}/rent-revisions/999/accept`)
  expect([status, error.reason]).toEqual([404, 'revision_not_found'])
})

test('403: a rent of a lease that has ended is not accepted', async () => {
  await using own = await startBooksServer()
  const { landlord, tenant, path } = await createLease(own)
  const proposed = await landlord.post(`${path}/rent-revisions`, toRevision('2027-05-01'))
  const { id } = requireSuccess(proposed, 'Proposing a rent').data
  await landlord.post(`${path}/terminate`, {})
  const { status, error } = await tenant.post(`${path}/rent-revisions/${id}/accept`)
  expect([status, error.reason]).toEqual([403, 'wrong_status'])
})
