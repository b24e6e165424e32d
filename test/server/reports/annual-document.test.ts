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
  const contents = [
    '1 Apr 2026 to 31 Mar 2027',
    'For Asha Rao',
    'As of 10 Jan 2027',
    'Rent due ₹77,419.36',
    'Rent received ₹43,709.68',
    'Deposits held ₹50,000.00 on 10 Jan 2027',
    `Total 77,419.36 43,709.68 ${formatAmount(tds!)}`,
    `Total ${formatAmount(bank! + cash!)} 0.00 ${formatAmount(-advance!)} 0.00`,
    `Total 50,000.00 0.00 ${formatAmount(-held!)} 0.00`,
    '38,709.68 38,709.68 1,000.00',
    '38,709.68 5,000.00 0.00',
  ]
  expect(contents.filter(content => !text.includes(content))).toEqual([])
  expect(text).not.toContain('Changed since')

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
    const { rent_due, received, for_deposits, deposits_held, changes } = annual
    return [rent_due, received, for_deposits, deposits_held, summary.received, changes.length]
  }
  expect(await readSums()).toEqual([806.45, 50_000, 40_000, 40_000, 50_000, 0])
  await landlord.post(`/payments/${payment.id}/reverse`, { reason: 'Wrong lease' })
  expect(await readSums()).toEqual([806.45, 0, 0, 0, 0, 0])

  const readBalances = async () => (await landlord.get('/books/summary')).data.balances
  // With April's rent, which is posted ahead.
  expect(await readBalances()).toMatchObject({ outstanding: 65_806.45, overdue: 0 })
  server.setDay('2027-04-01')
  expect(await readBalances()).toMatchObject({ outstanding: 65_806.45, overdue: 40_806.45 })
})

test('a deposit whose cheque bounces in the next year was never received, and the old year says so', async () => {
  await using server = await startBooksServer('2027-03-20')
  const lease = await createLease(server, { agreement_start_date: '2027-04-15', deposit_amount: 100_000 })
  const cheque = { amount: 100_000, method: 'cheque', reference: '004711' }
  const { data } = await lease.landlord.post(`${lease.path}/payments`, cheque)
  server.setDay('2027-03-28')
  let landlord = await lease.asLandlord()
  await landlord.post(`/payments/${data.id}/clear`)
  const read = async (year: string) => {
    const { data: annual } = await landlord.get(`/books/annual?year=${year}`)
    const { as_of, received, for_deposits, deposits_held, changes } = annual
    return [as_of, received, for_deposits, deposits_held, changes.length]
  }
  server.setDay('2027-04-04')
  landlord = await lease.asLandlord()
  expect(await read('2026-27')).toEqual(['2027-04-04', 100_000, 100_000, 100_000, 0])
  server.setDay('2027-04-05')
  landlord = await lease.asLandlord()
  await landlord.post(`/payments/${data.id}/bounce`)
  expect(await read('2026-27')).toEqual(['2027-04-05', 0, 0, 0, 1])
  expect(await read('2027-28')).toEqual(['2027-04-05', 0, 0, 0, 0])
  const { bytes } = await downloadPdf(server, landlord, PATH)
  const text = await readPdfText(bytes)
  expect(text).toContain('Changed since 31 Mar 2027')
  expect(text).toContain('5 Apr 2027 Payment taken back, RCT-2026-27-000001')
  expect(text).toContain('20 Mar 2027 −1,00,000.00 0.00')
})

test('a closed year lists what people changed in it since, and has the truth', async () => {
  await using server = await startBooksServer('2027-03-01')
  const terms = { agreement_start_date: '2027-03-01', deposit_amount: 50_000 }
  const lease = await createLease(server, terms)
  await server.goTo('2027-04-06')
  const landlord = await lease.asLandlord()
  const find = async (type: string) =>
    (await landlord.get(`/charges?agreement_id=${lease.agreement.id}&type=${type}&sort=due_date`)).data
  const [march] = await find('rent')
  const [deposit] = await find('deposit')
  const record = async (amount: number, to: number, rest = {}) =>
    (
      await landlord.post(`${lease.path}/payments`, {
        amount,
        method: 'upi',
        paid_on: '2027-03-31',
        allocations: [{ charge_id: to, amount }],
        ...rest,
      })
    ).data.id
  const wrong = await record(60_000, deposit.id, { allocations: [{ charge_id: deposit.id, amount: 50_000 }] })
  await landlord.post(`/payments/${wrong}/reverse`, { reason: 'Wrong split' })
  await record(50_000, deposit.id)
  await record(10_000, march.id)
  await landlord.post(`/charges/${march.id}/credits`, { amount: 1_000, reason: 'waiver' })
  await landlord.post(`${lease.path}/charges`, { type: 'rent', amount: 500, due_date: '2027-03-10' })
  await landlord.post(`${lease.path}/charges`, { type: 'water', amount: 70, due_date: '2027-03-10' })
  const { data: annual } = await landlord.get('/books/annual?year=2026-27')
  const of = ['received', 'rent_due', 'rent_received', 'for_deposits', 'deposits_held', 'advances']
  expect(of.map(name => annual[name])).toEqual([60_000, 24_500, 10_000, 50_000, 50_000, 0])
  const changes = annual.changes.map((each: any) => [each.kind, each.counts_on, each.amount].join(' '))
  expect(changes).toEqual([
    'payment 2027-03-31 60000',
    'reversal 2027-03-31 -60000',
    'payment 2027-03-31 50000',
    'payment 2027-03-31 10000',
    'credit 2027-03-05 -1000',
    'charge 2027-03-10 500',
  ])
  const { data: next } = await landlord.get('/books/annual?year=2027-28')
  expect(of.map(name => next[name])).toEqual([0, 25_000, 0, 0, 50_000, 0])
  expect(next.changes).toEqual([])
})

test('tax that is withheld in April from the rent of March counts in its year, as the suggestion says', async () => {
  await using server = await startBooksServer('2027-03-01')
  const terms = { agreement_start_date: '2027-03-01', rent_in: 'arrears', rent_amount: 60_000 }
  const lease = await createLease(server, terms)
  await server.goTo('2027-04-05')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/payments`, { amount: 45_600, tds_amount: 14_400, method: 'upi' })
  const read = async (year: string) => {
    const { data } = await landlord.get(`/books/annual?year=${year}`)
    const changes = data.changes.map((each: any) => [each.kind, each.amount, each.tds_amount].join(' '))
    return [data.received, data.tds, data.rent_received, changes]
  }
  expect(await read('2026-27')).toEqual([0, 14_400, 0, ['payment 0 14400']])
  expect(await read('2027-28')).toEqual([45_600, 0, 60_000, []])
  expect((await landlord.get(`${lease.path}/tds?year=2026-27`)).data.recorded).toBe(14_400)
})

test('a rent is received in the year of its payment, however its allocation is corrected later', async () => {
  await using server = await startBooksServer('2027-03-01')
  const lease = await createLease(server, { agreement_start_date: '2027-03-01' })
  const { data } = await lease.landlord.post(`${lease.path}/payments`, { amount: 25_000, method: 'upi' })
  await server.goTo('2027-04-10')
  const landlord = await lease.asLandlord()
  const read = async (year: string) => (await landlord.get(`/books/annual?year=${year}`)).data.rent_received
  const readBoth = async () => [await read('2026-27'), await read('2027-28')]
  const [march] = (await landlord.get('/charges?sort=due_date&type=rent')).data
  const again = [{ charge_id: march.id, amount: 25_000 }]
  for (const allocations of [[], again])
    await landlord.put(`/payments/${data.id}/allocations`, { allocations })
  expect(await readBoth()).toEqual([25_000, 0])
  await landlord.post(`/charges/${march.id}/credits`, { amount: 5_000, reason: 'correction' })
  // What is free settles April's rent, which fell due on the 5th.
  expect(await readBoth()).toEqual([20_000, 5_000])
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
    rent_received: 38_709.68 + 8928.57,
    for_deposits: 100_000,
    for_others: 16_930,
    deposits_held: 0,
  })
  const text = await readPdfText((await downloadPdf(server, lease.landlord, PATH)).bytes)
  expect(text).toContain('Total 1,38,709.68 16,930.00 0.00 0.00')
  expect(text).toContain('Total 1,00,000.00 25,858.57 0.00 0.00')
})

test('the summary of a year that is over has the deposits of its last day, and stays the same but for the day', async () => {
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
  const again = await readPdfText((await downloadPdf(server, landlord, PATH)).bytes)
  expect(again).toBe((await readPdfText(closed.bytes)).replaceAll('10 Apr 2027', '20 May 2027'))
})

test('a user without units gets a summary of nothing, and bad queries are refused', async () => {
  await using server = await startBooksServer()
  const tenant = await createTenant(server)
  const text = await readPdfText((await downloadPdf(server, tenant, PATH)).bytes)
  expect(text).toContain('Rent due ₹0.00')
  expect(text).toContain(`For ******${tenant.phone.slice(-4)}`)
  expect(text).not.toContain('by unit')
  for (const query of ['format=xml', 'format=pdf&year=2026'])
    expect((await tenant.get(`/books/annual?${query}`)).status).toBe(400)
})

test.each([
  [500, 'loaded'],
  [501, 'annual_too_long'],
])('of %d units the summary is %s', async (count, outcome) => {
  const rows = Array.from({ length: count }, () => ({ unit_name: 'A-1', property_name: 'White House' }))
  const reader = { row: () => Promise.reject(new Error('loaded')) } as unknown as Reader
  const annual = { year: '2026-27', rows } as AnnualBooks
  const refused: any = await loadAnnualDocument(reader, annual, '2027-03-31').catch((error: unknown) => error)
  expect(refused.reason ?? refused.message).toBe(outcome)
})
