import { expect, test } from 'bun:test'
import { findBrokenInvariants } from '../../support/books/invariants'
import { listCharges, startBooksServer, type Lease } from '../../support/books/lease-fixture'
import {
  changePayment,
  createLateLease,
  creditCharge,
  findCharge,
  FLAT,
  listFees,
  payByCheque,
  PERCENT,
} from './late-fee-fixture'

const post = async ({ asLandlord, path }: Lease, what: string, body: Record<string, unknown>) => {
  const response = await (await asLandlord()).post(`${path}/${what}`, body)
  expect(response.status).toBe(201)
  return response.data
}

test('a credit that frees money for an overdue rent posts the late fee of that rent', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  const water = { type: 'water', amount: 25_000, due_date: '2027-01-12' }
  const { id } = await post(lease, 'charges', water)
  await server.goTo('2027-01-12')
  await payByCheque(lease, { allocations: [{ charge_id: id, amount: 25_000 }] })
  await server.goTo('2027-01-15')
  await creditCharge(lease, 'water', 25_000, 'correction')
  // The money was there on the 12th, seven days after the rent was due.
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-12 86.3 86.3 overdue'])
})

test('a bill that is entered after its last safe day gets its fee at once', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, FLAT)
  await server.goTo('2027-01-08')
  await post(lease, 'charges', { type: 'water', amount: 900, due_date: '2027-01-02' })
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-08 500 500 due'])
})

test('the fee of a charge that is corrected is credited as a correction, not as paid in time', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, FLAT)
  await server.goTo('2027-01-12')
  await creditCharge(lease, 'rent', 25_000, 'correction')
  const { data } = await (await lease.asLandlord()).get(`${lease.path}/statement`)
  expect(data.lines.at(-1).description).toStartWith('Credit, correction: Late fee: Rent')
})

test('a fee that a correction lowered is still that of the month’s end if the cheque bounces', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  await server.goTo('2027-01-15')
  const payment = await payByCheque(lease)
  await creditCharge(lease, 'rent', 5000, 'correction')
  await changePayment(lease, payment, 'bounce')
  await server.goTo('2027-01-31')
  expect(await listFees(lease)).toEqual([
    'late_fee 2027-01-15 123.29 0 credited',
    // 18 % a year of 20,000 for 26 days
    'late_fee 2027-01-31 256.44 256.44 due',
  ])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('a fee that the deposit settled stays as it is when a payment of its rent is taken back', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, { ...PERCENT, deposit_amount: 50_000 })
  const { id } = await findCharge(lease, 'deposit')
  await payByCheque(lease, { amount: 50_000, allocations: [{ charge_id: id, amount: 50_000 }] })
  await server.goTo('2027-01-15')
  const payment = await payByCheque(lease)
  await server.goTo('2027-01-31')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, {})
  await post(lease, 'deposit/settlement', { deductions: [], refund_method: 'upi' })
  await (await lease.asTenant()).post(`${lease.path}/deposit/settlement/accept`)
  await landlord.post(`${lease.path}/deposit/settlement/post`)
  await changePayment(lease, payment, 'bounce')
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-15 123.29 0 paid'])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('a payment of a closed lease, made late, brings no fee', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  await server.goTo('2027-01-15')
  const landlord = await lease.asLandlord()
  for (const step of ['terminate', 'complete'])
    expect((await landlord.post(`${lease.path}/${step}`, {})).status).toBe(200)
  await payByCheque(lease, { amount: 12_096.77 })
  expect(await listFees(lease)).toEqual([])
})

test('a rent whose payment goes to another charge is late again', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, FLAT)
  await server.goTo('2027-01-09')
  const payment = await payByCheque(lease)
  await server.goTo('2027-01-12')
  const landlord = await lease.asLandlord()
  await landlord.put(`/payments/${payment}/allocations`, { allocations: [] })
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-11 500 500 overdue'])
})

test('a fee names its charge and has its period, however long the description is', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, FLAT)
  const period = { period_start: '2026-12-01', period_end: '2026-12-31' }
  const bill = { type: 'water', amount: 900, due_date: '2027-01-01', description: 'W'.repeat(255), ...period }
  const { id } = await post(lease, 'charges', bill)
  await server.goTo('2027-01-07')
  expect(await findCharge(lease, 'late_fee')).toMatchObject({
    description: `Late fee: ${'W'.repeat(245)}`,
    base_charge_id: id,
    source: 'late_fee',
    ...period,
  })
})

test('the system posts, lowers and replaces fees, whoever caused the change', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  await server.goTo('2027-01-15')
  const payment = await payByCheque(lease)
  await creditCharge(lease, 'rent', 5000, 'correction')
  await server.goTo('2027-01-31')
  await changePayment(lease, payment, 'bounce')
  const { data } = await (await lease.asLandlord()).get('/auth/me/export')
  const { charges, journals } = data.agreements[0]
  const feeIds = charges.filter(({ type }: any) => type === 'late_fee').map(({ id }: any) => id)
  const ofFees = journals.filter(
    ({ charge_id, kind }: any) => feeIds.includes(charge_id) && ['charge', 'credit'].includes(kind),
  )
  expect(ofFees.map(({ kind, reason, actor_id }: any) => [kind, reason, actor_id])).toEqual([
    ['charge', null, null],
    ['credit', 'correction', null],
    ['credit', 'correction', null],
    ['charge', null, null],
  ])
})

test('both parts of a revised rent have a fee of their own, and the later part is no fee', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, FLAT)
  await payByCheque(lease)
  await server.goTo('2027-01-31')
  const rise = { rent_amount: 30_600, effective_on: '2027-02-15' }
  const { id } = await post(lease, 'rent-revisions', rise)
  await (await lease.asTenant()).post(`${lease.path}/rent-revisions/${id}/accept`)
  await server.goTo('2027-02-11')
  await payByCheque(lease, { paid_on: '2027-02-09' })
  expect((await listCharges(lease)).filter(each => each.includes('2027-02'))).toEqual([
    'rent 2027-02-05 25000 0 paid',
    'rent 2027-02-05 2800 2800 overdue',
    'late_fee 2027-02-11 500 0 credited',
    'late_fee 2027-02-11 500 500 due',
  ])
})
