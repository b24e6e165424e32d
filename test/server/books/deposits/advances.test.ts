import { expect, test } from 'bun:test'
import { readPdfText } from '../../../support/pdf'
import {
  createLease,
  listCharges,
  startBooksServer,
  type BooksServer,
} from '../../../support/books/lease-fixture'
import { downloadPdf } from '../statements/fixtures'

/** A lease that ended on 31 December 2026: a deposit of ₹10,000 is held, ₹5,000 are an advance, and no rent is open. */
async function createEndedLease(server: BooksServer) {
  const lease = await createLease(server, { deposit_amount: 10_000 })
  await server.goTo('2026-12-31')
  const [landlord, tenant] = [await lease.asLandlord(), await lease.asTenant()]
  await landlord.post(`${lease.path}/terminate`, {})
  await landlord.post(`${lease.path}/payments`, { amount: 28_709.68, method: 'upi' })
  const step = `${lease.path}/deposit/settlement`
  const propose = (amount: number) =>
    landlord.post(step, { deductions: [{ type: 'damage', description: 'Walls', amount }] })
  const post = async () => {
    const { settlement } = (await tenant.get(`${lease.path}/deposit`)).data
    await tenant.post(`${step}/accept`, { settlement_id: settlement.settlement_id })
    return landlord.post(`${step}/post`, { refund_method: 'upi' })
  }
  const loadAdvance = async () => {
    const { data } = await landlord.get(`/payments?agreement_id=${lease.agreement.id}`)
    return data[0].unapplied_amount as number
  }
  const readSheet = async () => readPdfText((await downloadPdf(server, landlord, `${step}/pdf`)).bytes)
  return { ...lease, landlord, tenant, step, propose, post, loadAdvance, readSheet }
}

// Deductions, then what of the advance pays them, the refund, what stays owed, and what is left of the advance.
test.each([
  [12_000, { advance_amount: 2000, refund_amount: 0, owed_amount: 0 }, 3000],
  [16_000, { advance_amount: 5000, refund_amount: 0, owed_amount: 1000 }, 0],
  [2000, { advance_amount: 0, refund_amount: 8000, owed_amount: 0 }, 5000],
])('an advance pays what the deposit does not of deductions of %d', async (deductions, amounts, left) => {
  await using server = await startBooksServer()
  const { propose, post, loadAdvance, readSheet, landlord, path, ...lease } = await createEndedLease(server)
  expect((await propose(deductions)).data).toMatchObject({ held_amount: 10_000, open_rent: 0, ...amounts })
  const advance = `Advance Paid before, used for deductions ${amounts.advance_amount / 1000},000.00`
  expect((await readSheet()).includes(advance)).toBe(amounts.advance_amount > 0)
  const posted = await post()
  expect([posted.status, posted.data]).toMatchObject([200, amounts])
  const { held, deducted, refunded } = (await landlord.get(`${path}/deposit`)).data
  expect({ held, refunded, deducted }).toEqual({
    held: 0,
    refunded: amounts.refund_amount,
    deducted: 10_000 - amounts.refund_amount,
  })
  expect(await listCharges({ ...lease, path, landlord })).toContain(
    `damage 2026-12-31 ${deductions} ${amounts.owed_amount} ${amounts.owed_amount ? 'due' : 'paid'}`,
  )
  expect(await loadAdvance()).toBe(left)
})

test('it pays the open charges first, also those that fall due later, and what is left of it is refunded before the lease is completed', async () => {
  await using server = await startBooksServer()
  const { propose, post, readSheet, landlord, path } = await createEndedLease(server)
  await landlord.post(`${path}/charges`, { type: 'water', amount: 1000, due_date: '2027-01-20' })
  const amounts = { open_rent: 0, advance_amount: 2000, refund_amount: 0, owed_amount: 0 }
  expect((await propose(12_000)).data).toMatchObject(amounts)
  expect((await propose(8000)).data).toMatchObject({ advance_amount: 0, refund_amount: 2000 })
  expect(await readSheet()).toContain('Refund To the tenant 2,000.00')
  expect((await post()).status).toBe(200)
  const kept = await landlord.post(`${path}/complete`)
  expect([kept.status, kept.error.reason]).toEqual([400, 'money_held'])
  expect(kept.error.message).toContain('4000')
  expect((await landlord.post(`${path}/refunds`, { amount: 4000, method: 'upi' })).status).toBe(201)
  expect((await landlord.post(`${path}/complete`)).status).toBe(200)
})

test('400: a settlement is proposed again once less of the advance is left for deductions', async () => {
  await using server = await startBooksServer()
  const { propose, post, landlord, path } = await createEndedLease(server)
  await propose(15_000)
  await landlord.post(`${path}/refunds`, { amount: 1000, method: 'upi' })
  const refused = await post()
  expect([refused.status, refused.error?.reason]).toEqual([400, 'settlement_outdated'])
  expect(refused.error.message).toContain('the refund is 0')
})
