import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { clock, testServer } from '../../support/server'
import {
  createActiveAgreement,
  createLandlord,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'
import { createLease } from '../../support/books/lease-fixture'

const time = clock(new Date('2026-11-22T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

async function erase(user: TestUser) {
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  return user.call('DELETE', '/auth/me', { otp: '123456' })
}

async function createPaidLease(amount: number) {
  const lease = await createLease(server, { agreement_start_date: '2026-12-01', deposit_amount: 50_000 })
  const { landlord, tenant, path } = lease
  const { data: payment } = await landlord.post(`${path}/payments`, { amount, method: 'upi' })
  await landlord.post(`${path}/terminate`, {})
  return { landlord, tenant, path, payment, agreement: lease.agreement }
}

test('400: neither party is erased while a deposit is held', async () => {
  const { landlord, tenant, agreement, payment } = await createPaidLease(50_000)
  for (const party of [landlord, tenant]) {
    const { status, error } = await erase(party)
    expect([status, error?.reason]).toEqual([400, 'deposit_held'])
    expect(error.message).toContain(agreement.agreement_number)
    expect(error.details).toEqual([
      {
        agreement_id: agreement.agreement_id,
        agreement_number: agreement.agreement_number,
        status: 'TERMINATED',
      },
    ])
  }
  await landlord.post(`/payments/${payment.id}/reverse`, { reason: 'It was paid back' })
  for (const party of [tenant, landlord]) expect((await erase(party)).status).toBe(200)
})

test('400: each held deposit is named, down to a rupee, in the order of the agreements', async () => {
  const [landlord, tenant] = [await createLandlord(server), await signInUser(server)]
  const leases = [
    await createActiveAgreement(landlord, [tenant], { deposit_amount: 1 }),
    await createActiveAgreement(landlord, [tenant], { deposit_amount: 1 }),
  ]
  for (const { path } of leases.toReversed()) {
    await landlord.post(`${path}/payments`, { amount: 1, method: 'cash' })
    await landlord.post(`${path}/terminate`, {})
  }

  const { error } = await erase(tenant)

  const ids = error.details.map(({ agreement_id }: { agreement_id: string }) => agreement_id)
  expect(ids).toEqual(leases.map(({ agreement }) => agreement.agreement_id))
})

test('200: the books of an erased tenant stay as evidence', async () => {
  const lease = await createLease(server, { agreement_start_date: '2026-10-01' })
  const { landlord, tenant, path, agreement } = lease
  await landlord.post(`${path}/payments`, { amount: 20_000, method: 'upi', reference: 'U-1' })
  await landlord.post(`${path}/terminate`, {})
  const loadHashes = () =>
    getKysely(server.em())
      .selectFrom('journals')
      .where('agreement_id', '=', agreement.id)
      .orderBy('position')
      .select('hash')
      .execute()
  const [before, payments] = [await loadHashes(), (await landlord.get('/payments')).data]
  expect(before.length).toBeGreaterThan(0)
  expect((await erase(tenant)).status).toBe(200)
  expect(await loadHashes()).toEqual(before)
  expect((await landlord.get('/payments')).data).toEqual(payments)
})
