import { expect, test } from 'bun:test'
import { completeSigning, createTenant, type TestUser } from '../../../support/users'
import {
  createLease,
  listCharges,
  startBooksServer,
  type BooksServer,
  type Lease,
} from '../../../support/books/lease-fixture'
import { decideSettlement } from '../../../support/books/deposit-fixture'

const escalating = { escalation_percent: 5, escalation_every_months: 11, deposit_amount: 100_000 }

/** A lease whose deposit is paid so far, on 1 November 2027: it ends on the 14th. */
async function createEndingLease(server: BooksServer, paid: number) {
  const lease = await createLease(server, escalating)
  const landlord = await lease.asLandlord()
  const [deposit] = (await landlord.get(`/charges?agreement_id=${lease.agreement.id}&type=deposit`)).data
  await landlord.post(`${lease.path}/payments`, {
    amount: paid,
    method: 'upi',
    allocations: [{ charge_id: deposit.id, amount: paid }],
  })
  await server.goTo('2027-11-01')
  return lease
}

const findDeposit = async (lease: Lease) =>
  (await listCharges(lease)).find(each => each.startsWith('deposit'))

async function renew(lease: Lease, change: Record<string, unknown> = {}) {
  const [landlord, tenant] = [await lease.asLandlord(), await lease.asTenant()]
  const renewed = await landlord.post(`${lease.path}/renew`, change)
  const path = `/agreements/${renewed.data?.id}`
  const activate = async () => {
    for (const party of [landlord, tenant]) await completeSigning(party, renewed.data.id, party.id)
    return { ...lease, agreement: renewed.data, path }
  }
  return { landlord, tenant, renewed, path, activate }
}

test('a renewal is a linked draft of the next term, with the escalation applied', async () => {
  await using server = await startBooksServer()
  const lease = await createEndingLease(server, 100_000)
  const { landlord, renewed } = await renew(lease, { tenure_in_months: 12 })
  expect(renewed.status).toBe(201)
  expect(renewed.data).toMatchObject({
    status: 'DRAFT',
    renews_agreement_id: lease.agreement.agreement_id,
    agreement_start_date: '2027-11-15',
    agreement_end_date: '2028-11-14',
    rent_amount: 26_250,
    deposit_amount: 100_000,
    tenant_ids: [lease.tenant.id],
  })
  expect((await landlord.post(`${lease.path}/renew`, {})).error.reason).toBe('already_renewed')
  await landlord.delete(`/agreements/${renewed.data.id}`)
  const again = await landlord.post(`${lease.path}/renew`, { rent_amount: 30_000 })
  expect(again.data.rent_amount).toBe(30_000)
})

test('at its activation the deposit moves over, and only the difference is charged', async () => {
  await using server = await startBooksServer()
  const lease = await createEndingLease(server, 100_000)
  const renewal = await renew(lease, { deposit_amount: 120_000 })
  const next = await renewal.activate()
  expect(await findDeposit(next)).toBe('deposit 2027-11-15 20000 20000 upcoming')
  const { landlord } = renewal
  expect((await landlord.get(`${lease.path}/deposit`)).data).toMatchObject({ held: 0, to_next: 100_000 })
  expect((await landlord.get(`${next.path}/deposit`)).data).toMatchObject({
    agreed: 120_000,
    held: 100_000,
    from_previous: 100_000,
  })
  const [paid] = (await landlord.get(`/payments?agreement_id=${lease.agreement.id}&sort=id`)).data
  const reversal = await landlord.post(`/payments/${paid.id}/reverse`, { reason: 'A mistake' })
  expect([reversal.status, reversal.error.reason]).toEqual([400, 'deposit_settled'])
})

test('the difference is due on the day of the signatures if that is after the start; the rents keep their days', async () => {
  await using server = await startBooksServer()
  const lease = await createEndingLease(server, 100_000)
  server.setDay('2027-11-20')
  const next = await (await renew(lease, { deposit_amount: 120_000 })).activate()
  const [rent, deposit] = await listCharges(next)
  expect(rent).toBe('rent 2027-11-15 14000 14000 overdue')
  expect(deposit).toBe('deposit 2027-11-20 20000 20000 due')
})

test('the annual books have a deposit that moved over once, and none once that is settled', async () => {
  await using server = await startBooksServer()
  const lease = await createEndingLease(server, 100_000)
  const next = await (await renew(lease)).activate()
  const readHeld = async (by: TestUser) => {
    const { data } = await by.get('/books/annual?year=2027-28')
    return [data.deposits_held, ...data.rows.map(({ deposits_held }: any) => deposits_held)]
  }
  expect(await readHeld(await lease.asLandlord())).toEqual([100_000, 100_000])
  server.setDay('2027-11-20')
  const [landlord, tenant] = [await lease.asLandlord(), await lease.asTenant()]
  await landlord.post(`${next.path}/terminate`, {})
  const step = `${next.path}/deposit/settlement`
  await landlord.post(step, { deductions: [], refund_method: 'upi' })
  await decideSettlement(tenant, next.path, 'accept')
  expect((await landlord.post(`${step}/post`)).status).toBe(200)
  // It settled a rent, so the unit still has a row.
  expect(await readHeld(landlord)).toEqual([0, 0])
})

test('what was not paid of the deposit is asked for once, by the next lease', async () => {
  await using server = await startBooksServer()
  const lease = await createEndingLease(server, 60_000)
  const next = await (await renew(lease)).activate()
  expect(await findDeposit(lease)).toBe('deposit 2026-12-15 100000 0 paid')
  expect(await findDeposit(next)).toBe('deposit 2027-11-15 40000 40000 upcoming')
})

test('what the next lease does not agree on stays with the old one, to be settled there', async () => {
  await using server = await startBooksServer()
  const lease = await createEndingLease(server, 100_000)
  const { landlord, activate } = await renew(lease, { deposit_amount: 70_000 })
  const next = await activate()
  expect(await findDeposit(next)).toBeUndefined()
  expect((await landlord.get(`${lease.path}/deposit`)).data).toMatchObject({ held: 30_000, to_next: 70_000 })
})

test('the deposit of a tenant who does not stay is not moved to the next lease', async () => {
  await using server = await startBooksServer()
  const lease = await createEndingLease(server, 100_000)
  const other = await createTenant(server)
  const { landlord, tenant, renewed, path } = await renew(lease, { tenant_ids: [other.id] })
  for (const party of [landlord, other]) await completeSigning(party, renewed.data.id, party.id)
  expect((await tenant.get(`${lease.path}/deposit`)).data).toMatchObject({ held: 100_000, to_next: 0 })
  expect((await landlord.get(`${path}/deposit`)).data).toMatchObject({ held: 0, from_previous: 0 })
  const next = { ...lease, agreement: renewed.data, path }
  expect(await findDeposit(next)).toBe('deposit 2027-11-15 100000 100000 upcoming')
})
