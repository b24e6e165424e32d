import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { agreementTerms, createLandlord, createTenant, createUnit } from '../../support/users'
import { createLease, startBooksServer, type Lease } from '../../support/books/lease-fixture'
import { readPdfText } from '../../support/pdf'
import { createStranger, downloadPdf, playMonths } from './fixtures'

/** The lines of a statement, each as `date kind debit credit balance`. */
async function readLines(lease: Lease, query = '') {
  const reader = await lease.asTenant()
  const { data, status } = await reader.get(`${lease.path}/statement${query}`)
  expect(status).toBe(200)
  const lines = data.lines.map((line: any) =>
    [line.date, line.kind, line.debit, line.credit, line.balance].join(' '),
  )
  return { ...data, lines }
}

test('lists what became due and what was paid, with the balance after each', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50000 })
  await playMonths(server, lease)
  const statement = await readLines(lease)
  expect(statement).toMatchObject({
    agreement_id: lease.agreement.id,
    from: '2026-12-15',
    to: '2027-02-05',
    opening_balance: 0,
    total_debit: 139209.68,
    total_credit: 94209.68,
    closing_balance: 45000,
    deposit: { agreed: 50000, paid: 50000, held: 50000 },
  })
  expect(statement.lines).toEqual([
    '2026-12-15 charge 50000 0 50000',
    '2026-12-15 charge 13709.68 0 63709.68',
    '2026-12-15 payment 0 63709.68 0',
    '2027-01-05 charge 25000 0 25000',
    '2027-01-05 payment 0 25000 0',
    '2027-01-05 charge 500 0 500',
    '2027-01-05 reversal 25000 0 25500',
    '2027-01-05 credit 0 500 25000',
    '2027-01-05 payment 0 5000 20000',
    '2027-02-05 charge 25000 0 45000',
  ])
})

test('begins with the balance of the day before', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50000 })
  await playMonths(server, lease)
  const statement = await readLines(lease, '?from=2027-01-06&to=2027-01-31')
  expect(statement).toMatchObject({ opening_balance: 20000, closing_balance: 20000, lines: [] })
  const year = await readLines(lease, '?year=2027-28')
  expect(year).toMatchObject({ from: '2027-04-01', to: '2028-03-31', opening_balance: 45000 })
  const before = await readLines(lease, '?to=2026-12-14')
  expect(before).toMatchObject({
    from: '2026-12-14',
    to: '2026-12-14',
    deposit: { paid: 0, held: 0 },
    lines: [],
  })
})

test('has the lines of its first and of its last day', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50000 })
  await playMonths(server, lease)
  const day = await readLines(lease, '?from=2027-01-05&to=2027-01-05')
  expect(day).toMatchObject({ opening_balance: 0, closing_balance: 20000 })
  expect(day.lines).toHaveLength(6)
  const first = await readLines(lease, '?to=2026-12-15')
  expect(first).toMatchObject({ from: '2026-12-15', deposit: { agreed: 50000, paid: 50000, held: 50000 } })
  expect(first.lines).toHaveLength(3)
})

test('begins with an opening balance that is older than the books, and ends today', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const opening = { type: 'opening_balance', amount: 500, due_date: '2026-06-01' }
  await lease.landlord.post(`${lease.path}/charges`, opening)
  expect(await readLines(lease)).toMatchObject({
    from: '2026-06-01',
    to: '2026-12-01',
    opening_balance: 0,
    lines: ['2026-06-01 charge 500 0 500'],
  })
})

test('a day before the books, or after today, is the only one if the other is left open', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const [before, after] = [
    await readLines(lease, '?to=2026-11-01'),
    await readLines(lease, '?from=2027-06-01'),
  ]
  expect([before.from, before.to]).toEqual(['2026-11-01', '2026-11-01'])
  expect([after.from, after.to]).toEqual(['2027-06-01', '2027-06-01'])
})

test('closes with what is outstanding less the advance', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await lease.landlord.post(`${lease.path}/payments`, { amount: 20000, method: 'upi' })
  await server.goTo('2026-12-10')
  await lease.landlord.post(`${lease.path}/charges`, { type: 'water', amount: 99.99, due_date: '2026-12-20' })
  await server.goTo('2026-12-30')
  const { closing_balance } = await readLines(lease)
  const reader = await lease.asLandlord()
  const sum = (rows: any[], field: string) => rows.reduce((total, row) => total + row[field] * 100, 0)
  const { data: charges } = await reader.get('/charges?limit=100')
  const { data: payments } = await reader.get('/payments?limit=100')
  const owed = sum(charges, 'amount_outstanding') - sum(payments, 'unapplied_amount')
  expect(owed).not.toBe(0)
  expect(closing_balance * 100).toBeCloseTo(owed, 6)
})

describe('a statement of a lease that', () => {
  test('has no books is empty', async () => {
    await using server = await startBooksServer()
    const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
    const { unit } = await createUnit(landlord)
    const { data: draft } = await landlord.post('/agreements', agreementTerms(unit.id, [tenant.id]))
    const { data, status } = await landlord.get(`/agreements/${draft.id}/statement`)
    expect(status).toBe(200)
    expect(data).toMatchObject({ lines: [], closing_balance: 0, deposit: { paid: 0, held: 0 } })
  })

  test('is a stranger’s is not found', async () => {
    await using server = await startBooksServer()
    const lease = await createLease(server)
    const stranger = await createStranger(server)
    for (const path of ['statement', 'statement/pdf', 'rent-proof']) {
      const { status, error } = await stranger.get(`${lease.path}/${path}`)
      expect({ status, reason: error.reason }).toEqual({ status: 404, reason: 'agreement_not_found' })
    }
  })
})

test.each([
  ['from=2026-02-30', 'from', 'invalid_fields'],
  ['to=yesterday', 'to', 'invalid_fields'],
  ['from=2027-01-02&to=2027-01-01', 'to', 'to_before_from'],
  ['year=2026-28', 'year', 'invalid_fields'],
  ['year=2026', 'year', 'invalid_fields'],
  ['year=2026-27&from=2027-01-01', 'year', 'year_and_dates'],
])('refuses %s and names %s', async (query, property, reason) => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  for (const path of ['statement', 'statement/pdf']) {
    const { status, error } = await lease.tenant.get(`${lease.path}/${path}?${query}`)
    expect({ status, reason: error.reason, property: error.details[0].property }).toEqual({
      status: 400,
      reason,
      property,
    })
  }
})

test('the PDF has the same lines and balances', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50000 })
  await playMonths(server, lease)
  const reader = await lease.asLandlord()
  const path = `${lease.path}/statement/pdf?year=2026-27`
  const { status, headers, bytes } = await downloadPdf(server, reader, path)
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toContain('statement 2026-04-01 to 2027-03-31.pdf')
  const text = await readPdfText(bytes)
  expect(text.indexOf('A balance is what')).toBeLessThan(text.indexOf('The deposit on'))
  expect(text.indexOf('A balance is what')).toBeGreaterThan(text.indexOf('The account'))
  const contents = [
    '1 Apr 2026 Opening balance 0.00',
    '15 Dec 2026 Rent, 15 Dec 2026 – 31 Dec 2026 13,709.68 63,709.68',
    '31 Mar 2027 Closing balance 1,39,209.68 94,209.68 45,000.00',
    'Held ₹50,000.00',
    'Karnataka 560048',
  ]
  expect(contents.filter(content => !text.includes(content))).toEqual([])
  expect(Buffer.compare((await downloadPdf(server, reader, path)).bytes, bytes)).toBe(0)
})

/** Adds entries to an account, in one statement, so that each balances as it is committed. */
const addEntries = (agreementId: number, count: number) => sql`
  with added as (
    insert into journals (agreement_id, position, kind, effective_on, posted_at, charge_id, hash)
    select ${agreementId}, head.length + n, 'charge', '2026-12-15', now(), (select min(id) from charges), repeat('0', 64)
    from ledgers head, generate_series(1, ${count}::int) n where head.agreement_id = ${agreementId} returning id
  )
  insert into journal_lines (journal_id, line, account, debit, credit)
  select id, line, account, debit, credit from added,
    (values (1, 'receivable', 1, 0), (2, 'income:rent', 0, 1)) as sides (line, account, debit, credit)`

test('400: a PDF of more than 2,000 lines, which says to choose a shorter period', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo('2026-12-15')
  await addEntries(lease.agreement.id, 2000).execute(getKysely(server.deps.db))
  const reader = await lease.asLandlord()
  const refused = await reader.get(`${lease.path}/statement/pdf`)
  expect([refused.status, refused.error.reason]).toEqual([400, 'statement_too_long'])
  expect(refused.error.message).toContain('shorter period')
  const { status } = await downloadPdf(server, reader, `${lease.path}/statement/pdf?from=2026-12-16`)
  expect(status).toBe(200)
})

test('400: a PDF with long descriptions, which take several lines each', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo('2026-12-15')
  await addEntries(lease.agreement.id, 400).execute(getKysely(server.deps.db))
  const reader = await lease.asLandlord()
  const readStatus = async (description: string) => {
    await sql`update charges set description = ${description}`.execute(getKysely(server.deps.db))
    return (await downloadPdf(server, reader, `${lease.path}/statement/pdf`)).status
  }
  expect(await readStatus('x'.repeat(150))).toBe(200)
  expect(await readStatus('x'.repeat(200))).toBe(400)
})

test('a line says at most 255 characters of the reason of a reversal', async () => {
  await using server = await startBooksServer('2026-12-20')
  const lease = await createLease(server)
  const { data: payment } = await lease.landlord.post(`${lease.path}/payments`, {
    amount: 100,
    method: 'cash',
  })
  const reason = 'Wrong '.repeat(800)
  await lease.landlord.post(`/payments/${payment.id}/reverse`, { reason })

  const { data } = await lease.landlord.get(`${lease.path}/statement`)

  const { description } = data.lines.find(({ kind }: { kind: string }) => kind === 'reversal')
  expect(description).toEndWith(`: ${reason.slice(0, 255)}`)
})

test('is read at once while the books are short, and in turn from 1001 postings on', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50000 })
  const { runLongResponse } = server.deps
  let turns = 0
  server.deps.runLongResponse = (userId, work) => {
    turns++
    return runLongResponse(userId, work)
  }
  const readWith = async (length: number) => {
    await sql`update ledgers set length = ${length} where agreement_id = ${lease.agreement.id}`.execute(
      getKysely(server.em()),
    )
    turns = 0
    const { total_debit } = await readLines(lease)
    return [total_debit, turns]
  }

  expect(await readWith(1000)).toEqual([50000, 0])
  expect(await readWith(1001)).toEqual([50000, 1])
})
