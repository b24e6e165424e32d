import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import type { AnnualBooks } from '../../../sdk/contract'
import type { Reader } from '../../../server/http/reads/reader'
import { decideSettlement } from '../../support/books/deposit-fixture'
import { loadAnnualDocument } from '../../../server/reports/annual-document'
import { readPdfText } from '../../support/pdf'
import { createActiveAgreement, createTenant } from '../../support/users'
import {
  createLease,
  exampleTerms,
  startBooksServer,
  type BooksServer,
} from '../../support/books/lease-fixture'
import { createEndedLease } from '../books/deposits/ended-lease'
import { downloadPdf } from '../books/statements/fixtures'

const format = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 })
const formatAmount = (rupees: number) => format.format(rupees)

const PATH = '/books/annual?year=2026-27&format=pdf'

/** What an account of all ledgers has, a debit above zero. */
async function loadBalance(server: BooksServer, account: string) {
  const { rows } = await sql<{ balance: number }>`
    select coalesce(sum(debit - credit), 0)::float8 as balance from journal_lines
    where account = ${account}`.execute(server.db)
  return rows[0]!.balance
}

test('the annual summary has each unit, and the totals of the ledgers', async () => {
  await using server = await startBooksServer()
  const first = await createLease(server, { deposit_amount: 50_000 })
  const second = await createActiveAgreement(first.landlord, [await createTenant(server)], exampleTerms)
  await server.goTo('2027-01-10')
  const landlord = await first.asLandlord()
  await landlord.post(`${first.path}/payments`, { amount: 90_000, tds_amount: 1000, method: 'upi' })
  await landlord.post(`${second.path}/payments`, { amount: 5000, method: 'cash' })

  const { status, headers, bytes } = await downloadPdf(server, landlord, PATH)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(headers.get('content-disposition')).toContain('Annual summary 2026-27.pdf')
  const text = await readPdfText(bytes)
  const [bank, cash, tds, held, advance] = await Promise.all(
    ['bank', 'cash', 'tds_receivable', 'deposit_held', 'advance'].map(name => loadBalance(server, name)),
  )
  const received = [bank! + cash!, tds!, bank! + cash! + tds!, -held!].map(formatAmount).join(' ')
  expect(received).toBe('95,000.00 1,000.00 96,000.00 50,000.00')
  const contents = [
    '1 Apr 2026 to 31 Mar 2027',
    'For Asha Rao',
    'Rupees Ninety Six Thousand Only',
    'Deposits held ₹50,000.00 on 10 Jan 2027',
    `Total ${received}`,
    '90,000.00 1,000.00 91,000.00 50,000.00',
    '5,000.00 0.00 5,000.00 0.00',
    `0.00 0.00 ${formatAmount(-advance!)}`,
  ]
  expect(contents.filter(content => !text.includes(content))).toEqual([])

  const again = await downloadPdf(server, landlord, PATH)
  expect(Buffer.compare(again.bytes, bytes)).toBe(0)
  const json = await landlord.get('/books/annual?year=2026-27&format=json')
  expect(json.data).toEqual((await landlord.get('/books/annual?year=2026-27')).data)
})

test('a payment counts on the last day of its year, not once it is taken back; what falls due then is overdue later', async () => {
  await using server = await startBooksServer('2027-03-31')
  const lease = await createLease(server, { agreement_start_date: '2027-03-31', deposit_amount: 40_000 })
  const { landlord, path } = lease
  const { data: payment } = await landlord.post(`${path}/payments`, { amount: 50_000, method: 'upi' })
  const readSums = async () => {
    const { data: annual } = await landlord.get('/books/annual?year=2026-27')
    const { data: summary } = await landlord.get('/books/summary?from=2027-03-31&to=2027-03-31')
    const { received, for_deposits, deposits_held, rows } = annual
    return [received, for_deposits, deposits_held, rows.length, summary.received]
  }
  expect(await readSums()).toEqual([50_000, 40_000, 40_000, 1, 50_000])
  await landlord.post(`/payments/${payment.id}/reverse`, { reason: 'Wrong lease' })
  expect(await readSums()).toEqual([0, 0, 0, 0, 0])

  const readBalances = async () => (await landlord.get('/books/summary')).data.balances
  // With April's rent, which is posted ahead.
  expect(await readBalances()).toMatchObject({ outstanding: 65_806.45, overdue: 0 })
  server.setDay('2027-04-01')
  expect(await readBalances()).toMatchObject({ outstanding: 65_806.45, overdue: 40_806.45 })
})

test('a deposit whose cheque bounces in the next year is held in the old one, and taken back in the new one', async () => {
  await using server = await startBooksServer('2027-03-20')
  const lease = await createLease(server, { agreement_start_date: '2027-04-15', deposit_amount: 100_000 })
  const cheque = { amount: 100_000, method: 'cheque', reference: '004711' }
  const { data } = await lease.landlord.post(`${lease.path}/payments`, cheque)
  server.setDay('2027-03-28')
  await (await lease.asLandlord()).post(`/payments/${data.id}/clear`)
  server.setDay('2027-04-05')
  const landlord = await lease.asLandlord()
  await landlord.post(`/payments/${data.id}/bounce`)
  const read = async (year: string) => {
    const { received, for_deposits, deposits_held } = (await landlord.get(`/books/annual?year=${year}`)).data
    return [received, for_deposits, deposits_held]
  }
  expect(await read('2026-27')).toEqual([100_000, 100_000, 100_000])
  expect(await read('2027-28')).toEqual([-100_000, -100_000, 0])
  const { bytes } = await downloadPdf(server, landlord, '/books/annual?year=2027-28&format=pdf')
  expect(await readPdfText(bytes)).toContain('Minus Rupees One Lakh Only')
})

test('what a deposit settles is received in the year of its settlement, from the deposit', async () => {
  await using server = await startBooksServer()
  const lease = await createEndedLease(server)
  await lease.settle({})
  await lease.decide('accept')
  await lease.post()
  const { data } = await lease.landlord.get('/books/annual?year=2026-27')
  expect(data).toMatchObject({
    received: 138_709.68,
    from_deposit: 25_858.57,
    for_rent: 38_709.68 + 8928.57,
    for_deposits: 100_000,
    for_others: 16_930,
    deposits_held: 0,
  })
  const text = await readPdfText((await downloadPdf(server, lease.landlord, PATH)).bytes)
  expect(text).toContain('From deposits ₹25,858.57')
  expect(text).toContain('Total 1,38,709.68 0.00 1,38,709.68 0.00 25,858.57')
})

test('the summary of a year that is over has the deposits of its last day, and stays the same', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50_000 })
  await lease.landlord.post(`${lease.path}/payments`, { amount: 50_000, method: 'upi' })
  await server.goTo('2027-04-10')
  const closed = await downloadPdf(server, await lease.asLandlord(), PATH)
  expect(await readPdfText(closed.bytes)).toContain('Deposits held ₹50,000.00 on 31 Mar 2027')

  await server.goTo('2027-05-20')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, {})
  const settlement = `${lease.path}/deposit/settlement`
  await landlord.post(settlement, { deductions: [], refund_method: 'upi' })
  await decideSettlement(await lease.asTenant(), lease.path, 'accept')
  expect((await landlord.post(`${settlement}/post`)).status).toBe(200)
  const held = async (year: string) => (await landlord.get(`/books/annual?year=${year}`)).data.deposits_held
  expect([await held('2025-26'), await held('2026-27'), await held('2027-28')]).toEqual([0, 50_000, 0])
  const again = await downloadPdf(server, landlord, PATH)
  expect(Buffer.compare(again.bytes, closed.bytes)).toBe(0)
})

test('a user without units gets a summary of nothing, and bad queries are refused', async () => {
  await using server = await startBooksServer()
  const tenant = await createTenant(server)
  const text = await readPdfText((await downloadPdf(server, tenant, PATH)).bytes)
  expect(text).toContain('Rupees Zero Only')
  expect(text).toContain(`For ******${tenant.phone.slice(-4)}`)
  expect(text).not.toContain('by unit')
  for (const query of ['format=xml', 'format=', 'format=pdf&year=2026'])
    expect((await tenant.get(`/books/annual?${query}`)).status).toBe(400)
})

test.each([
  [10_000, 'loaded'],
  [10_001, 'annual_too_long'],
])('of %d units the summary is %s', async (count, outcome) => {
  const rows = Array.from({ length: count }, () => ({ unit_name: 'A-1', property_name: 'White House' }))
  const reader = { row: () => Promise.reject(new Error('loaded')) } as unknown as Reader
  const annual = { year: '2026-27', rows } as AnnualBooks
  const asked = { held_on: '2027-03-31', language: 'en' } as const
  const refused: any = await loadAnnualDocument(reader, annual, asked).catch((error: unknown) => error)
  expect(refused.reason ?? refused.message).toBe(outcome)
})
