import { beforeAll, expect, test } from 'bun:test'
import { createLease, booksServer, type Lease } from '../../../support/books/lease-fixture'

const server = booksServer()
/** From 15 December 2026 to 14 November 2027. */
let lease: Lease
beforeAll(async () => {
  lease = await createLease(server)
}, 60_000)

const toRevision = (effective_on: string, rent_amount = 26_000) => ({ rent_amount, effective_on })
const propose = (body: object) => lease.landlord.post(`${lease.path}/rent-revisions`, body)

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
