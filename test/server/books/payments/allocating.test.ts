import { expect, test } from 'bun:test'
import {
  createLease,
  startBooksServer,
  type BooksServer,
  type Lease,
} from '../../../support/books/lease-fixture'

const RENT = 13_709.68
type Part = { charge_id: number; amount: number }

/** A lease on 20 December 2026, whose first rent is paid and a later charge is open. */
async function createPaidLease(server: BooksServer) {
  const lease = await createLease(server)
  await server.goTo('2026-12-20')
  const landlord = await lease.asLandlord()
  const { data: payment } = await landlord.post(`${lease.path}/payments`, { amount: RENT, method: 'upi' })
  const water = { type: 'water', amount: 1000, due_date: '2026-12-20' }
  const { data: open } = await landlord.post(`${lease.path}/charges`, water)
  return { lease, id: payment.id, rent: payment.allocations[0].charge_id, water: open.id }
}

async function allocate(lease: Lease, id: number, allocations: Part[]) {
  const { data } = await (await lease.asLandlord()).put(`/payments/${id}/allocations`, { allocations })
  return toState(data)
}
const toState = ({ allocations, unapplied_amount, waits_for_allocation }: any) => [
  allocations,
  unapplied_amount,
  waits_for_allocation,
]
const read = async (lease: Lease, id: number) =>
  toState((await (await lease.asLandlord()).get(`/payments/${id}`)).data)

test('what was taken away by hand settles nothing by itself, whatever falls due, until somebody allocates', async () => {
  await using server = await startBooksServer()
  const { lease, id, rent } = await createPaidLease(server)
  const away = [[], RENT, true]
  expect(await allocate(lease, id, [])).toEqual(away)
  expect(await allocate(lease, id, [])).toEqual(away)
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/payments`, { amount: 10, method: 'cash' })
  await landlord.post(`${lease.path}/charges`, { type: 'other', amount: 10, due_date: '2026-12-20' })
  await server.goTo('2027-01-06')
  expect(await read(lease, id)).toEqual(away)

  // The rest goes on to wait.
  const part = { charge_id: rent, amount: 5000 }
  expect(await allocate(lease, id, [part])).toEqual([[part], RENT - 5000, true])
  const whole = { charge_id: rent, amount: RENT - 10 }
  expect(await allocate(lease, id, [whole])).toEqual([[whole], 10, true])
})

test('a part that was taken away waits, one that moves to another charge does not', async () => {
  await using server = await startBooksServer()
  const { lease, id, rent, water } = await createPaidLease(server)
  const moved = [
    { charge_id: rent, amount: RENT - 1000 },
    { charge_id: water, amount: 1000 },
  ]
  expect(await allocate(lease, id, moved)).toEqual([moved, 0, false])
  const less = [{ charge_id: rent, amount: 9000 }]
  expect(await allocate(lease, id, less)).toEqual([less, 4709.68, true])
})

test('an advance that is allocated by hand in part goes on to settle what falls due', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const landlord = await lease.asLandlord()
  const charge = async (due_date: string) =>
    (await landlord.post(`${lease.path}/charges`, { type: 'opening_balance', amount: 500, due_date })).data.id
  const { data } = await landlord.post(`${lease.path}/payments`, { amount: 1000, method: 'upi' })
  const early = { charge_id: await charge('2027-01-05'), amount: 500 }
  expect(await allocate(lease, data.id, [early])).toEqual([[early], 500, false])
  await charge('2026-12-01')
  expect((await read(lease, data.id)).slice(1)).toEqual([0, false])
})

test('two payments are swapped', async () => {
  await using server = await startBooksServer()
  const { lease, id, rent, water } = await createPaidLease(server)
  const { data: other } = await (
    await lease.asLandlord()
  ).post(`${lease.path}/payments`, { amount: 1000, method: 'cash' })
  expect(other.allocations).toEqual([{ charge_id: water, amount: 1000 }])
  await allocate(lease, id, [])
  const ofRent = [{ charge_id: rent, amount: 1000 }]
  expect(await allocate(lease, other.id, ofRent)).toEqual([ofRent, 0, false])
  const rest = [
    { charge_id: rent, amount: RENT - 1000 },
    { charge_id: water, amount: 1000 },
  ]
  expect(await allocate(lease, id, rest)).toEqual([rest, 0, false])
})

test('a settlement of the deposit uses what waits', async () => {
  await using server = await startBooksServer()
  const { lease, id } = await createPaidLease(server)
  const landlord = await lease.asLandlord()
  const deposit = { type: 'deposit', amount: 100, due_date: '2026-12-20' }
  const { data: charge } = await landlord.post(`${lease.path}/charges`, deposit)
  const allocations = [{ charge_id: charge.id, amount: 100 }]
  await landlord.post(`${lease.path}/payments`, { amount: 100, method: 'upi', allocations })
  await allocate(lease, id, [])
  await landlord.post(`${lease.path}/terminate`, {})
  const settlement = { deductions: [], refund_method: 'upi' }
  const { data } = await landlord.post(`${lease.path}/deposit/settlement`, settlement)
  // What the whole month and the water are beyond the days until the 20th, the advance covers.
  expect([data.open_rent, data.refund_amount]).toEqual([0, 100])
})
