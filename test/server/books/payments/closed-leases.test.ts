import { expect, test } from 'bun:test'
import { decideSettlement } from '../../../support/books/deposit-fixture'
import { createLease, startBooksServer, type BooksServer } from '../../../support/books/lease-fixture'

/** A lease that ended on 31 December 2026 with its first rent and a deposit open. */
async function createEndedLease(
  server: BooksServer,
  deposit_amount: number | null = 50_000,
  terms: Record<string, unknown> = {},
) {
  const lease = await createLease(server, { deposit_amount, ...terms })
  await server.goTo('2026-12-31')
  const [landlord, tenant] = [await lease.asLandlord(), await lease.asTenant()]
  const pay = (amount: number, method = 'upi', payer = landlord) =>
    payer.post(`${lease.path}/payments`, { amount, method, reference: crypto.randomUUID() })
  const end = () => landlord.post(`${lease.path}/terminate`, {})
  const complete = () => landlord.post(`${lease.path}/complete`)
  return { ...lease, landlord, tenant, pay, end, complete }
}

const RENT = 13_709.68

test('payments of an ended lease settle the rent before its deposit, which its completion credits', async () => {
  await using server = await startBooksServer()
  const { pay, end, complete, landlord, agreement } = await createEndedLease(server)
  await end()
  await pay(RENT)
  const open = await landlord.get(`/charges?agreement_id=${agreement.id}&pending=true`)
  expect(open.data).toMatchObject([{ type: 'deposit', amount_outstanding: 50_000 }])

  expect((await complete()).status).toBe(200)

  const { data: charges } = await landlord.get(`/charges?agreement_id=${agreement.id}&type=deposit`)
  expect(charges).toMatchObject([{ amount_credited: 50_000, status: 'credited' }])
})

test('a payment that is taken back once its lease is closed opens the rent again, not the deposit', async () => {
  await using server = await startBooksServer()
  const { pay, end, complete, landlord, tenant, path, agreement } = await createEndedLease(server)
  const { data: payment } = await pay(RENT + 50_000)
  await end()
  const settlement = { deductions: [{ type: 'damage', description: 'Walls', amount: 50_000 }] }
  await landlord.post(`${path}/deposit/settlement`, settlement)
  await decideSettlement(tenant, path, 'accept')
  await landlord.post(`${path}/deposit/settlement/post`, {})
  expect((await complete()).status).toBe(200)

  const reversed = await landlord.post(`/payments/${payment.id}/reverse`, { reason: 'Unpaid' })
  expect([reversed.status, reversed.error?.reason]).toEqual([400, 'deposit_settled'])
  const { data: charges } = await landlord.get(`/charges?agreement_id=${agreement.id}&type=deposit`)
  expect(charges).toMatchObject([{ amount_paid: 50_000 }])
})

test('400: a lease is not completed while payments are reported or pending, which it names', async () => {
  await using server = await startBooksServer()
  const { pay, end, complete, landlord, tenant } = await createEndedLease(server, null)
  const { data: cheque } = await pay(100, 'cheque')
  const { data: report } = await pay(200, 'upi', tenant)
  await end()

  const refused = await complete()
  expect([refused.status, refused.error.reason]).toEqual([400, 'payments_undecided'])
  expect(refused.error.message).toContain(`(${cheque.id}, ${report.id})`)

  await landlord.post(`/payments/${cheque.id}/bounce`, {})
  expect((await complete()).error.message).toContain(`(${report.id})`)
  await landlord.post(`/payments/${report.id}/reject`, {})
  expect((await complete()).status).toBe(200)
})

test('a COMPLETED lease gets no charges, and payments up to what is outstanding', async () => {
  await using server = await startBooksServer()
  const { pay, end, complete, landlord, tenant, path } = await createEndedLease(server, null)
  await end()
  expect((await complete()).status).toBe(200)

  const charge = { type: 'other', amount: 100, due_date: '2026-12-31' }
  const charged = await landlord.post(`${path}/charges`, charge)
  expect([charged.status, charged.error.reason]).toEqual([403, 'wrong_status'])
  const tooMuch = await pay(RENT + 0.01)
  expect([tooMuch.status, tooMuch.error.reason]).toEqual([400, 'payment_above_outstanding'])
  expect(tooMuch.error.details[0].property).toBe('amount')
  expect(tooMuch.error.message).toContain(String(RENT))
  expect((await pay(RENT + 0.01, 'cheque')).status).toBe(400)

  const { data: report } = await pay(RENT, 'upi', tenant)
  expect((await pay(RENT)).status).toBe(201)
  const confirmed = await landlord.post(`/payments/${report.id}/confirm`, {})
  expect([confirmed.status, confirmed.error.reason]).toEqual([400, 'payment_above_outstanding'])
})

test('400: a report is not confirmed whose tax makes it more than what is outstanding of a COMPLETED lease', async () => {
  await using server = await startBooksServer()
  const { pay, end, complete, landlord, tenant, path } = await createEndedLease(server, null)
  await end()
  expect((await complete()).status).toBe(200)
  const body = { amount: RENT - 100, tds_amount: 100, method: 'upi' }
  const { data: report } = await tenant.post(`${path}/payments`, body)
  expect((await pay(50)).status).toBe(201)
  const { status, error } = await landlord.post(`/payments/${report.id}/confirm`)
  expect([status, error.reason]).toEqual([400, 'payment_above_outstanding'])
})

test('400: what is paid of a COMPLETED lease does not become an advance', async () => {
  await using server = await startBooksServer()
  const { pay, end, complete, landlord, agreement } = await createEndedLease(server, null)
  const { data: payment } = await pay(RENT)
  await end()
  expect((await complete()).status).toBe(200)
  const { data: rents } = await landlord.get(`/charges?agreement_id=${agreement.id}&type=rent&sort=due_date`)
  const path = `/payments/${payment.id}/allocations`

  const credited = await landlord.post(`/charges/${rents[0].id}/credits`, { amount: 1, reason: 'waiver' })
  expect([credited.status, credited.error.reason]).toEqual([400, 'credit_above_charge'])
  const freed = await landlord.put(path, { allocations: [{ charge_id: rents[0].id, amount: RENT - 0.5 }] })
  expect([freed.status, freed.error.reason]).toEqual([400, 'allocation_leaves_advance'])
  expect(freed.error.details[0]).toMatchObject({ property: 'allocations' })
  expect(freed.error.message).toContain('0.5')

  const kept = await landlord.put(path, { allocations: [{ charge_id: rents[0].id, amount: RENT }] })
  expect([kept.status, kept.data.unapplied_amount]).toEqual([200, 0])
})

test.each([
  ['open', 0, { amount_paid: 0, amount_credited: 500 }],
  ['paid in part', 200, { amount_paid: 200, amount_credited: 300 }],
  ['paid', 500, { amount_paid: 500, amount_credited: 0 }],
])('what is open of a late fee is taken back once its lease is closed: %s', async (_, paid, expected) => {
  await using server = await startBooksServer()
  const lease = await createEndedLease(server, null, { late_fee: 500 })
  const { end, complete, landlord, path, agreement } = lease
  const readFee = async () =>
    (await landlord.get(`/charges?agreement_id=${agreement.id}&type=late_fee`)).data[0]
  const allocations = [{ charge_id: (await readFee()).id, amount: paid }]
  if (paid) await landlord.post(`${path}/payments`, { amount: paid, method: 'cash', allocations })
  await end()
  expect((await complete()).status).toBe(200)

  const inTime = { amount: RENT, method: 'cash', paid_on: '2026-12-15' }
  expect((await landlord.post(`${path}/payments`, inTime)).status).toBe(201)

  expect(await readFee()).toMatchObject(expected)
})
