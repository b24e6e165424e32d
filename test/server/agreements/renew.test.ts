import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import {
  completeSigning,
  createActiveAgreement,
  createPendingAgreement,
  signInUser,
  type TestUser,
} from '../../support/users'

const time = clock(new Date('2027-03-10T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

async function createLease() {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { path } = await createActiveAgreement(landlord, [tenant])
  return { landlord, tenant, renew: () => landlord.post(`${path}/renew`, {}), path }
}

test('201: the next term of a lease that ended early begins on the day after its end', async () => {
  const { landlord, path, renew } = await createLease()
  await landlord.post(`${path}/terminate`, { termination_date: '2027-02-28' })

  expect((await renew()).data).toMatchObject({
    agreement_start_date: '2027-03-01',
    agreement_end_date: '2028-01-31',
  })
})

test('403: an agreement that ended before all had signed has no next term', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { path } = await createPendingAgreement(landlord, [tenant])
  await landlord.post(`${path}/terminate`)

  const { status, error } = await landlord.post(`${path}/renew`, {})

  expect([status, error.reason]).toEqual([403, 'wrong_status'])
})

type Next = { id: number; landlord: TestUser; tenant: TestUser }
const askLandlord = ({ id, landlord }: Next) => completeSigning(landlord, id, landlord.id)
const signAll = async (next: Next) => {
  await askLandlord(next)
  await completeSigning(next.tenant, next.id, next.tenant.id)
}
const withdraw = async (next: Next) => {
  await askLandlord(next)
  await next.landlord.post(`/agreements/${next.id}/terminate`)
}

test.each([
  ['400', 'is being signed', askLandlord, 'already_renewed'],
  ['400', 'is active', signAll, 'already_renewed'],
  ['201', 'was withdrawn', withdraw, undefined],
])('%s: another next term of a lease whose next term %s', async (status, _, change, reason) => {
  const { landlord, tenant, renew } = await createLease()
  const { data } = await renew()
  await change({ id: data.id, landlord, tenant })

  const again = await renew()

  expect([String(again.status), again.error?.reason]).toEqual([status, reason])
})
