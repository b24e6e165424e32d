import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { createLease, startBooksServer } from '../../support/books/lease-fixture'

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
    getKysely(server.em()),
  )
  expect(rows).toEqual([{ precision: 20 }])
})

test('400: an amount above the highest one names its field', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const tenant = await lease.asTenant()
  for (const field of ['amount', 'tds_amount']) {
    const payment = { amount: 1, method: 'cash', [field]: 10_000_000_000 }
    const refused = await tenant.post(`${lease.path}/payments`, payment)
    expect([refused.status, refused.error.details[0].property]).toEqual([400, field])
  }
})

test('400: an amount below the lowest one, and the error says which is the lowest', async () => {
  await using server = await startBooksServer('2026-12-15')
  const { path, landlord } = await createLease(server)
  const charge = { type: 'other', amount: 0, due_date: '2026-12-20' }
  const payment = { amount: 100, tds_amount: -1, method: 'cash' }
  const limits = 'at most 9999999999.99, with no more than two decimals'
  for (const [noun, body, text] of [
    ['charges', charge, `amount must be a number above 0, ${limits}`],
    ['payments', payment, `tds_amount must be a number of 0 or more, ${limits}`],
  ] as const) {
    const refused = await landlord.post(`${path}/${noun}`, body)
    expect(refused.status).toBe(400)
    expect(refused.error.details.map(({ constraints }: any) => Object.values(constraints).join())).toEqual([
      text,
    ])
  }
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
