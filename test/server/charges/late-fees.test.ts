import { expect, test } from 'bun:test'
import { findBrokenInvariants } from '../../support/books/invariants'
import { createLease, listCharges, startBooksServer } from '../../support/books/lease-fixture'

const terms = { agreement_start_date: '2027-01-01', tenure_in_months: 11 }

test('a flat fee is posted the day after the last safe one, once', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLease(server, { ...terms, late_fee: 500, late_fee_grace_days: 5 })
  await server.goTo('2027-01-10')
  expect(await listCharges(lease)).toEqual(['rent 2027-01-05 25000 25000 overdue'])
  await server.goTo('2027-01-11')
  await server.goTo('2027-01-20')
  expect(await listCharges(lease)).toEqual([
    'rent 2027-01-05 25000 25000 overdue',
    'late_fee 2027-01-11 500 500 overdue',
  ])
})

test('a payment that was made in time takes the fee back, and a bounced one brings it again', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLease(server, { ...terms, late_fee: 500, late_fee_grace_days: 5 })
  await server.goTo('2027-01-12')
  const landlord = await lease.asLandlord()
  const body = { amount: 25000, method: 'cheque', reference: '1', paid_on: '2027-01-09' }
  const { data } = await landlord.post(`${lease.path}/payments`, body)
  await landlord.post(`/payments/${data.id}/clear`)
  expect(await listCharges(lease)).toEqual([
    'rent 2027-01-05 25000 0 paid',
    'late_fee 2027-01-11 500 0 credited',
  ])
  await (await lease.asLandlord()).post(`/payments/${data.id}/bounce`, {})
  expect(await listCharges(lease)).toEqual([
    'rent 2027-01-05 25000 25000 overdue',
    'late_fee 2027-01-11 500 0 credited',
    'late_fee 2027-01-11 500 500 overdue',
  ])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('a percentage of ₹25,000 at 18 % for ten days is ₹123.29, posted when the rent is paid', async () => {
  await using server = await startBooksServer('2026-12-25')
  const fee = { late_fee_kind: 'percent_pa', late_fee_percent: 18, late_fee_grace_days: 5 }
  const lease = await createLease(server, { ...terms, ...fee })
  await server.goTo('2027-01-15')
  expect(await listCharges(lease)).toEqual(['rent 2027-01-05 25000 25000 overdue'])
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/payments`, { amount: 25000, method: 'upi' })
  expect(await listCharges(lease)).toEqual([
    'rent 2027-01-05 25000 0 paid',
    'late_fee 2027-01-15 123.29 123.29 due',
  ])
})

test('what is due before the lease was signed is not late', async () => {
  await using server = await startBooksServer('2027-03-01')
  const lease = await createLease(server, { ...terms, late_fee: 500 })
  await server.goTo('2027-03-20')
  const fees = (await listCharges(lease)).filter(each => each.startsWith('late_fee'))
  expect(fees).toEqual(['late_fee 2027-03-06 500 500 overdue'])
})

test('what is due on the day of the signing can be late, what was due the day before cannot', async () => {
  await using server = await startBooksServer('2027-03-05')
  const fee = { late_fee: 500, agreement_start_date: '2027-02-01', tenure_in_months: 11 }
  const [sameDay, dayBefore] = [
    await createLease(server, { ...fee, rent_due_day: 5 }),
    await createLease(server, { ...fee, rent_due_day: 4 }),
  ]
  await server.goTo('2027-03-20')
  const listFees = async (lease: typeof sameDay) =>
    (await listCharges(lease)).filter(each => each.startsWith('late_fee'))
  expect(await listFees(sameDay)).toEqual(['late_fee 2027-03-06 500 500 overdue'])
  expect(await listFees(dayBefore)).toEqual([])
})

test('a fee by the day is posted when the rent is paid, and needs no percentage', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLease(server, { ...terms, late_fee_kind: 'per_day', late_fee: 50 })
  await server.goTo('2027-01-15')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/payments`, { amount: 25000, method: 'upi' })
  expect((await listCharges(lease)).at(-1)).toBe('late_fee 2027-01-15 500 500 due')
})

test('a late fee that a payment brings about is posted in the name of the system', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server, { late_fee_kind: 'per_day', late_fee: 10 })
  await server.goTo('2026-12-20')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/payments`, { amount: 13_709.68, method: 'cash' })
  expect((await listCharges(lease)).at(-1)).toBe('late_fee 2026-12-20 50 50 due')
  const { data } = await (await lease.asLandlord()).get('/auth/me/export')
  const { journals } = data.agreements[0]
  expect(journals.map(({ kind, actor_id }: any) => [kind, actor_id])).toEqual([
    ['charge', null],
    ['payment', lease.landlord.id],
    ['allocation', lease.landlord.id],
    ['charge', null],
  ])
})
