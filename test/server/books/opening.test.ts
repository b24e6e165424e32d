import { expect, test } from 'bun:test'
import { endTenures } from '../../../server/leases/agreements/tenures'
import {
  agreementTerms,
  completeSigning,
  createLandlord,
  createTenant,
  createUnit,
  signInUser,
} from '../../support/users'
import { createLease, listCharges, startBooksServer, type Lease } from '../../support/books/lease-fixture'
import { decideSettlement } from '../../support/books/deposit-fixture'

/**
 * Settled until 15 November 2026, signed on 1 December. From 10 January 2026 the rent is 20,000 + 5 % = 21,000.
 * 16 to 30 November: 21,000 × 15/30 = 10,500, and 1,500 × 15/30 = 750. 1 to 9 January 2027: 21,000 × 9/31 = 6,096.77,
 * and 1,500 × 9/31 = 435.48.
 */
const running = {
  agreement_start_date: '2025-01-10',
  tenure_in_months: 24,
  rent_amount: 20_000,
  deposit_amount: 100_000,
  rent_due_day: 5,
  escalation_percent: 5,
  escalation_every_months: 12,
  late_fee: 500,
  late_fee_grace_days: 5,
  recurring_charges: [{ type: 'maintenance', amount: 1500 }],
  opening: { settled_until: '2026-11-15', owed: 7250, deposit_held: 80_000 },
}

/** Settled until the end of the year, with 5,000 of January paid. */
const ahead = {
  agreement_start_date: '2026-06-01',
  tenure_in_months: 8,
  rent_amount: 25_000,
  deposit_amount: 50_000,
  rent_due_day: 5,
  opening: { settled_until: '2026-12-31', advance: 5000 },
}

test('books begin on the day after: nothing before it is charged, what is owed is one charge', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, running)
  expect((await listCharges(lease)).toSorted()).toEqual([
    'deposit 2026-11-16 20000 20000 overdue',
    'maintenance 2026-11-16 750 750 overdue',
    'maintenance 2026-12-05 1500 1500 upcoming',
    'opening_balance 2026-11-15 7250 7250 overdue',
    'rent 2026-11-16 10500 10500 overdue',
    'rent 2026-12-05 21000 21000 upcoming',
  ])
  const { data } = await lease.landlord.get(`${lease.path}/statement?verify=true`)
  expect(data).toMatchObject({ from: '2026-11-15', closing_balance: 61_000, is_intact: true })
  expect(data.lines[0]).toMatchObject({ date: '2026-11-15', description: 'Opening balance', balance: 7250 })
  expect(data.deposit).toEqual({ agreed: 100_000, paid: 80_000, held: 80_000 })
  expect((await lease.landlord.get('/books/arrears')).data).toMatchObject({
    days_0_30: 38_500,
    total: 38_500,
  })
  expect(await readReports(lease)).toEqual([0, 0, 80_000, 10_500, 0, 0, 80_000])
})

test('what was due before the lease was signed brings no late fee', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, running)
  await server.goTo('2027-01-11')
  const charges = await listCharges(lease)
  expect(charges.filter(each => each.startsWith('late_fee'))).toEqual([
    'late_fee 2026-12-11 500 500 overdue',
    'late_fee 2027-01-11 500 500 due',
  ])
  expect(charges).toContain('rent 2027-01-05 6096.77 6096.77 overdue')
  expect(charges).toContain('maintenance 2027-01-05 435.48 435.48 overdue')
})

test('a lease of paper takes the opening of its record: what was due before that day brings no late fee', async () => {
  await using server = await startBooksServer()
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  const { unit } = await createUnit(landlord)
  const { opening, ...terms } = running
  const { data: agreement } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id], terms))
  const path = `/agreements/${agreement.id}`
  const late = { signed_on: '2025-01-02', opening: { ...opening, settled_until: '2025-01-08' } }
  const refused = await landlord.post(`${path}/record`, late)
  expect([refused.status, refused.error.reason]).toEqual([400, 'settled_before_start'])
  const recorded = await landlord.post(`${path}/record`, { signed_on: '2025-01-02', opening })
  expect([recorded.data.status, recorded.data.opening]).toEqual(['ACTIVE', { ...opening, advance: null }])
  expect((await landlord.get(`${path}/statement`)).data.closing_balance).toBe(61_000)
  await server.goTo('2026-12-12')
  const again = await signInUser(server, landlord.phone)
  const { data: fees } = await again.get(`/charges?agreement_id=${agreement.id}&type=late_fee`)
  expect(fees.map(({ due_date, amount }: any) => `${due_date} ${amount}`)).toEqual(['2026-12-11 500'])
})

test('the schedule of a draft shows what will be charged, to the tenant too', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, running)
  const { landlord, tenant, agreement } = lease
  const { unit_name: _, ...terms } = agreement
  const unit = agreement.property_unit_id
  const draft = { ...terms, property_unit_id: unit, agreement_number: 'DRAFT-1', tenant_ids: [tenant.id] }
  const created = await landlord.post('/agreements', { ...draft, ...running })
  const path = `/agreements/${created.data.id}`
  expect((await tenant.get(path)).data.opening).toEqual({ ...running.opening, advance: null })
  const list = async (of: string) =>
    (await tenant.get(`${of}/schedule`)).data.instalments.map(
      ({ type, due_date, amount }: any) => `${type} ${due_date} ${amount}`,
    )
  expect((await list(path)).toSorted()).toEqual((await list(lease.path)).toSorted())
})

/** What came in of a year, and what the books hold. */
async function readReports({ asLandlord }: Pick<Lease, 'asLandlord'>) {
  const landlord = await asLandlord()
  const { data: annual } = await landlord.get('/books/annual?year=2026-27')
  const { data: summary } = await landlord.get('/books/summary?from=2026-11-01&to=2027-01-31')
  const { received, advances, deposits_held, rent_due, rent_received } = annual
  const held = summary.balances.deposits_held
  return [received, advances, deposits_held, rent_due, rent_received, summary.received, held]
}

test('an advance is a payment of the first tenant without a receipt, in no "received", and settles rent', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, ahead, 2)
  const { landlord, agreement, tenant, path } = lease
  expect(await listCharges(lease)).toEqual([])
  const [payment] = (await landlord.get(`/payments?agreement_id=${agreement.id}`)).data
  expect(payment).toMatchObject({
    payer_id: tenant.id,
    amount: 5000,
    unapplied_amount: 5000,
    source: 'opening',
    paid_on: '2026-12-01',
    receipt_number: null,
  })
  const refused = await landlord.post(`/payments/${payment.id}/reverse`, { reason: 'A mistake' })
  expect([refused.status, refused.error.reason]).toEqual([400, 'payment_moved'])
  expect((await landlord.get(`/payments/${payment.id}/receipt`)).status).toBe(404)
  const { lines, closing_balance } = (await landlord.get(`${path}/statement`)).data
  expect([lines[0].kind, lines[0].description, closing_balance]).toEqual([
    'opening',
    'Advance from before the books',
    -5000,
  ])
  expect(await readReports(lease)).toEqual([0, 0, 50_000, 0, 0, 0, 50_000])

  await server.goTo('2027-01-05')
  expect(await listCharges(lease)).toEqual(['rent 2027-01-05 25000 20000 due'])
  expect(await readReports(lease)).toEqual([0, -5000, 50_000, 25_000, 5000, 0, 50_000])
})

test('its deposit is settled, and the statement has a document', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, ahead)
  await server.goTo('2027-01-31')
  const [landlord, tenant] = [await lease.asLandlord(), await lease.asTenant()]
  await landlord.post(`${lease.path}/terminate`, {})
  const step = `${lease.path}/deposit/settlement`
  const proposed = await landlord.post(step, { deductions: [], refund_method: 'upi' })
  expect(proposed.data).toMatchObject({ held_amount: 50_000, open_rent: 20_000, refund_amount: 30_000 })
  await decideSettlement(tenant, lease.path, 'accept')
  expect((await landlord.post(`${step}/post`)).status).toBe(200)
  const { held, refunded } = (await landlord.get(`${lease.path}/deposit`)).data
  expect([held, refunded]).toEqual([0, 30_000])
  expect((await landlord.get(`${lease.path}/statement/pdf`)).status).toBe(200)
})

test('a renewal takes its deposit and its advance along, and no opening', async () => {
  await using server = await startBooksServer('2026-12-29')
  const terms = { ...ahead, tenure_in_months: 7, opening: { settled_until: '2026-12-31', advance: 5000 } }
  const lease = await createLease(server, terms)
  await server.goTo('2027-01-02')
  await endTenures(server.deps)
  const landlord = await lease.asLandlord()
  const renewed = await landlord.post(`${lease.path}/renew`, { rent_amount: 26_000 })
  expect(renewed.data.opening).toBeNull()
  const opened = await landlord.patch(`/agreements/${renewed.data.id}`, { opening: terms.opening })
  expect([opened.status, opened.error.reason]).toEqual([400, 'opening_of_renewal'])
  for (const party of [landlord, await lease.asTenant()])
    await completeSigning(party, renewed.data.id, party.id)
  const { data: deposit } = await landlord.get(`/agreements/${renewed.data.id}/deposit`)
  expect([deposit.held, deposit.from_previous]).toEqual([50_000, 50_000])
  const { data: payments } = await landlord.get(`/payments?agreement_id=${renewed.data.id}`)
  expect(payments.map(({ source, amount }: any) => [source, amount])).toEqual([['renewal', 5000]])
})
