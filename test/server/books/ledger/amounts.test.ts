import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { createLease, startBooksServer } from '../../../support/books/lease-fixture'

const MAX = 9_999_999_999.99

test('sums of the highest amounts are held, and a reported payment can be confirmed', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const [landlord, tenant] = [await lease.asLandlord(), await lease.asTenant()]
  const payment = { amount: MAX, tds_amount: MAX, method: 'cash' }
  const reported = await tenant.post(`${lease.path}/payments`, payment)
  expect((await landlord.post(`/payments/${reported.data.id}/confirm`)).status).toBe(200)
  const { rows } = await sql<{ precision: number }>`
    select distinct numeric_precision as precision from information_schema.columns
    where data_type = 'numeric' and table_name in ('ledgers', 'charges', 'payments', 'journal_lines')`.execute(
    server.db,
  )
  expect(rows).toEqual([{ precision: 20 }])
})

const doubling = { escalation_percent: 100, escalation_every_months: 1 }

test('201: an escalating rent that a lower one, accepted before, ends in time', async () => {
  await using server = await startBooksServer('2026-12-01')
  const lease = await createLease(server, { ...doubling, rent_amount: 1000 })
  const [landlord, tenant] = [await lease.asLandlord(), await lease.asTenant()]
  const propose = (rent_amount: number, effective_on: string) =>
    landlord.post(`${lease.path}/rent-revisions`, { rent_amount, effective_on })
  const lower = await propose(1000, '2027-06-01')
  await tenant.post(`${lease.path}/rent-revisions/${lower.data.id}/accept`)
  expect((await propose(100_000_000, '2027-01-01')).status).toBe(201)
})

test('400: an escalation that reaches the highest amount within the tenure', async () => {
  await using server = await startBooksServer('2026-12-01')
  const lease = await createLease(server, { ...doubling, rent_amount: 1000 })
  const refusal = { reason: 'escalation_too_high', details: [{ property: 'escalation_percent' }] }
  const landlord = await lease.asLandlord()
  const renewed = await landlord.post(`${lease.path}/renew`, { tenure_in_months: 30 })
  expect(renewed.error).toMatchObject(refusal)
  const { data } = await landlord.post(`${lease.path}/renew`, {})
  const changed = await landlord.patch(`/agreements/${data.id}`, { rent_amount: MAX })
  expect(changed.error).toMatchObject(refusal)
  const revision = { rent_amount: 3_333_333_333, effective_on: '2027-01-01' }
  const revised = await landlord.post(`${lease.path}/rent-revisions`, revision)
  expect(revised.error).toMatchObject({ ...refusal, details: [{ property: 'rent_amount' }] })
})
