import { expect, test } from 'bun:test'
import { endTenures } from '../../../../server/leases/agreements/tenures'
import { completeSigning, createTenant, signInUser, type TestUser } from '../../../support/users'
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

test('the deposit moves as long as one tenant stays, and the draft says so', async () => {
  await using server = await startBooksServer()
  const lease = await createEndingLease(server, 100_000)
  const other = await createTenant(server)
  const { landlord, tenant, renewed } = await renew(lease, { tenant_ids: [other.id, lease.tenant.id] })
  expect(renewed.data.deposit_moves).toBe(true)
  expect(listWarnings(renewed)).toEqual([])
  for (const party of [landlord, other, tenant]) await completeSigning(party, renewed.data.id, party.id)
  const next = { ...lease, agreement: renewed.data, path: `/agreements/${renewed.data.id}` }
  expect((await landlord.get(`${next.path}/deposit`)).data).toMatchObject({ held: 100_000 })
  expect(await findDeposit(next)).toBeUndefined()
})

test('if no tenant stays, nothing moves: a warning at draft and signing, for the landlord alone', async () => {
  await using server = await startBooksServer()
  const lease = await createEndingLease(server, 100_000)
  const other = await createTenant(server)
  const { landlord, tenant, renewed, path } = await renew(lease, { tenant_ids: [other.id] })
  expect(renewed.data.deposit_moves).toBe(false)
  expect(listWarnings(renewed)).toEqual(['deposit_stays'])
  const sign = (by: TestUser) => by.post(`${path}/sign`, { signer_id: by.id })
  expect([listWarnings(await sign(landlord)), listWarnings(await sign(other))]).toEqual([
    ['deposit_stays'],
    [],
  ])
  for (const party of [landlord, other]) await completeSigning(party, renewed.data.id, party.id)
  expect((await tenant.get(`${lease.path}/deposit`)).data).toMatchObject({ held: 100_000, to_next: 0 })
  expect((await landlord.get(`${path}/deposit`)).data).toMatchObject({ held: 0, from_previous: 0 })
  const next = { ...lease, agreement: renewed.data, path }
  expect(await findDeposit(next)).toBe('deposit 2027-11-15 100000 100000 upcoming')
})

const listWarnings = ({ body }: any) =>
  (body.warnings ?? []).map(({ code }: any) => code).filter((code: string) => code === 'deposit_stays')

/** A lease of a month whose rent is paid, in March 2027. */
async function createShortLease(server: BooksServer, tenantCount = 1) {
  const terms = { agreement_start_date: '2027-03-01', tenure_in_months: 1, rent_in: 'arrears' }
  const lease = await createLease(server, terms, tenantCount)
  await lease.landlord.post(`${lease.path}/payments`, {
    amount: 25_000,
    method: 'upi',
    payer_id: lease.tenant.id,
  })
  return lease
}

const PAID = ['payer_id', 'amount', 'tds_amount', 'method', 'reference', 'paid_on', 'source', 'status']
const USED = ['unapplied_amount', 'moved_amount', 'receipt_number']

async function listPayments(by: TestUser, path: string) {
  const { data } = await by.get(`/payments?agreement_id=${path.split('/')[2]}&sort=id`)
  return data.map((each: any) => [...PAID, ...USED].map(name => each[name]))
}

/** A lease that has ended with advances of both tenants, and its renewal, ACTIVE on 8 April 2027. */
async function renewWithAdvances(server: BooksServer) {
  const lease = await createShortLease(server, 2)
  const [first, second] = lease.tenants.map(({ id }) => id) as [number, number]
  await server.goTo('2027-04-06')
  await endTenures(server.deps)
  let landlord = await lease.asLandlord()
  const pay = async (payer_id: number, paid_on: string, amount: number, more = {}) => {
    const paid = { payer_id, paid_on, amount, method: 'upi', reference: `UTR${amount}`, ...more }
    return (await landlord.post(`${lease.path}/payments`, paid)).data.id as number
  }
  await pay(second, '2027-04-02', 4000)
  const cheque = await pay(first, '2027-04-03', 10_000, { method: 'cheque' })
  await landlord.post(`/payments/${cheque}/clear`)
  await pay(first, '2027-04-05', 3000, { tds_amount: 500 })
  server.setDay('2027-04-08')
  landlord = await lease.asLandlord()
  const { data: agreement } = await landlord.post(`${lease.path}/renew`, { rent_in: 'advance' })
  for (const phone of [landlord.phone, ...lease.tenants.map(tenant => tenant.phone)]) {
    const party = await signInUser(server, phone)
    await completeSigning(party, agreement.id, party.id)
  }
  const next = { ...lease, agreement, path: `/agreements/${agreement.id}` }
  return { lease, next, landlord: await lease.asLandlord(), cheque, first, second }
}

test('the advance moves along, as a payment of each payer', async () => {
  await using server = await startBooksServer('2027-03-01')
  const { lease, next, landlord, first, second } = await renewWithAdvances(server)
  expect((await listPayments(landlord, lease.path)).slice(1)).toEqual([
    [second, 4000, 0, 'upi', 'UTR4000', '2027-04-02', 'manual', 'posted', 0, 4000, 'RCT-2027-28-000001'],
    [
      first,
      10_000,
      0,
      'cheque',
      'UTR10000',
      '2027-04-03',
      'manual',
      'posted',
      0,
      10_000,
      'RCT-2027-28-000002',
    ],
    [first, 3000, 500, 'upi', 'UTR3000', '2027-04-05', 'manual', 'posted', 0, 3500, 'RCT-2027-28-000003'],
  ])
  expect(await listPayments(landlord, next.path)).toEqual([
    [second, 4000, 0, 'upi', 'UTR4000', '2027-04-02', 'renewal', 'posted', 0, 0, null],
    [first, 13_500, 0, 'cheque', 'UTR10000', '2027-04-03', 'renewal', 'posted', 0, 0, null],
  ])
  expect((await listCharges(next))[0]).toBe('rent 2027-04-05 25000 7500 overdue')
})

test('an advance that moved is received once, and is in both statements', async () => {
  await using server = await startBooksServer('2027-03-01')
  const { lease, next, landlord } = await renewWithAdvances(server)
  expect((await landlord.get('/books/arrears')).data.total).toBe(7500)
  const { data: annual } = await landlord.get('/books/annual?year=2027-28')
  expect(annual).toMatchObject({
    received: 17_000,
    tds: 500,
    rent_received: 17_500,
    moved: 17_500,
    advances: 0,
  })
  expect((await landlord.get('/books/summary')).data.received).toBe(17_500)
  const read = async (path: string) => {
    const { data } = await landlord.get(`${path}/statement?verify=true`)
    const moves = data.lines.filter(({ kind }: any) => kind === 'transfer')
    return [data.is_intact, data.closing_balance, moves.map((line: any) => line.description)]
  }
  const out = [1, 2, 3].map(n => `Advance moved to the renewed lease, from receipt RCT-2027-28-00000${n}`)
  expect(await read(lease.path)).toEqual([true, 0, out])
  expect(await read(next.path)).toEqual([true, 7500, Array(2).fill('Advance from the lease before')])
})

test('400: neither an advance that moved nor its first payment is reversed; it is allocated as any other', async () => {
  await using server = await startBooksServer('2027-03-01')
  const { next, landlord, cheque, first } = await renewWithAdvances(server)
  const [moved] = (await landlord.get(`/payments?agreement_id=${next.agreement.id}&payer_id=${first}`)).data
  for (const id of [cheque, moved.id])
    for (const step of ['reverse', 'bounce']) {
      const { status, error } = await landlord.post(`/payments/${id}/${step}`, { reason: 'Wrong' })
      expect([status, error.reason]).toEqual([400, 'payment_moved'])
    }
  expect((await landlord.get(`/payments/${moved.id}/receipt`)).error.reason).toBe('receipt_not_found')
  const freed = await landlord.put(`/payments/${moved.id}/allocations`, { allocations: [] })
  expect([freed.status, freed.data.unapplied_amount]).toEqual([200, 13_500])
})

test('an advance that a lease gets after its end goes on to the renewal at once', async () => {
  await using server = await startBooksServer('2027-03-01')
  const { lease, next, landlord, first } = await renewWithAdvances(server)
  const tenant = await lease.asTenant()
  const pay = (by: TestUser, more: object) =>
    by.post(`${lease.path}/payments`, { amount: 1000, method: 'upi', reference: 'LATE', ...more })
  const reported = await pay(tenant, {})
  const cheque = await pay(landlord, { payer_id: first, method: 'cheque', reference: '000123' })
  const [rent] = (await landlord.get(`/charges?agreement_id=${lease.agreement.id}&type=rent`)).data
  for (const answer of [
    await landlord.post(`/payments/${reported.data.id}/confirm`, {}),
    await landlord.post(`/payments/${cheque.data.id}/clear`, {}),
    await landlord.post(`/charges/${rent.id}/credits`, { amount: 500, reason: 'waiver' }),
  ])
    expect(answer.status).toBe(answer.body.data.charge_id ? 201 : 200)
  expect((await landlord.get('/books/arrears')).data.total).toBe(7500 - 2500)
  const { data } = await landlord.get(`${lease.path}/statement?verify=true`)
  expect([data.is_intact, data.closing_balance]).toEqual([true, 0])
  expect((await listPayments(landlord, next.path)).slice(2).map((each: unknown[]) => each[1])).toEqual([
    1000, 1000, 500,
  ])
})

test('what the lease still charges until its end stays with it, and the rest follows then', async () => {
  await using server = await startBooksServer('2027-03-01')
  const lease = await createShortLease(server)
  const change = { amount: 30_000, method: 'upi' }
  const [rent] = (await lease.landlord.get('/charges')).data
  await lease.landlord.post(`/charges/${rent.id}/credits`, { amount: 5000, reason: 'correction' })
  await lease.landlord.post(`${lease.path}/payments`, change)
  await lease.landlord.post(`${lease.path}/charges`, { type: 'water', amount: 800, due_date: '2027-03-20' })
  const renewal = await renew(lease)
  const next = await renewal.activate()
  const read = async (path: string) =>
    (await listPayments(await lease.asLandlord(), path)).map((each: unknown[]) => each.slice(8, 10))
  expect(await read(lease.path)).toEqual([
    [800, 4200],
    [0, 30_000],
  ])
  expect(await read(next.path)).toEqual([[34_200, 0]])
  await server.goTo('2027-03-20')
  await (await lease.asLandlord()).post(`${lease.path}/payments`, { amount: 70, method: 'cash' })
  await server.goTo('2027-04-01')
  await endTenures(server.deps)
  expect(await read(lease.path)).toEqual([
    [0, 4200],
    [0, 30_000],
    [0, 70],
  ])
  expect((await read(next.path)).map(([unapplied]: [number]) => unapplied)).toEqual([34_200, 70])
})
