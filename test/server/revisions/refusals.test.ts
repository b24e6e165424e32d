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

test('201: a rent from the last day of the lease', async () => {
  expect((await propose(toRevision('2027-11-14'))).status).toBe(201)
})

test('400: another rent from the day of a proposed one, which is free once that is declined', async () => {
  const again = () => propose(toRevision('2027-07-01', 27_000))
  const { data } = await again()
  const refused = await again()
  expect([refused.status, refused.error.reason]).toEqual([400, 'revision_exists'])
  await lease.tenant.post(`${lease.path}/rent-revisions/${data.id}/decline`)
  expect((await again()).status).toBe(201)
})

test.each([
  ['2027-02-28', true],
  ['2027-03-01', false],
])('on 1 December a rent from %s comes with too short a notice: %p', async (day, isShort) => {
  const { body } = await propose(toRevision(day))
  expect(body.warnings !== undefined).toBe(isShort)
})

test('400: no rent is proposed from yesterday, and one from today may be', async () => {
  await using own = await startBooksServer()
  const { path, asLandlord } = await createLease(own)
  own.setDay('2027-02-10')
  const landlord = await asLandlord()
  const { status, error } = await landlord.post(`${path}/rent-revisions`, toRevision('2027-02-09'))
  expect([status, error.reason]).toEqual([400, 'revision_outside_lease'])
  expect((await landlord.post(`${path}/rent-revisions`, toRevision('2027-02-10'))).status).toBe(201)
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

test('403: a rent of a lease that has ended is neither proposed nor accepted', async () => {
  await using own = await startBooksServer()
  const { landlord, tenant, path } = await createLease(own)
  const proposed = await landlord.post(`${path}/rent-revisions`, toRevision('2027-05-01'))
  const { id } = requireSuccess(proposed, 'Proposing a rent').data
  await landlord.post(`${path}/terminate`, {})
  const accepted = await tenant.post(`${path}/rent-revisions/${id}/accept`)
  const another = await landlord.post(`${path}/rent-revisions`, toRevision('2026-12-20'))
  for (const { status, error } of [accepted, another])
    expect([status, error.reason]).toEqual([403, 'wrong_status'])
})
