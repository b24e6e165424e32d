import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../../db/database'
import { loadStatementDocument } from '../../../../server/books/statements/statement'
import type { Reader } from '../../../../server/http/reads/reader'
import { createDraft, createLandlord, createTenant, type TestUser } from '../../../support/users'
import { createLease, booksServer, startBooksServer, type Lease } from '../../../support/books/lease-fixture'
import { readPdfText } from '../../../support/pdf'
import { sendRequest } from '../../../support/requests'
import { downloadPdf, playMonths } from './fixtures'

const server = booksServer()
let lease: Lease
let reader: TestUser
beforeAll(async () => {
  lease = await createLease(server, { deposit_amount: 50_000 })
  await playMonths(server, lease)
  reader = await lease.asTenant()
}, 60_000)

/** A statement with its lines as `date kind debit credit balance`. */
async function readStatement(query = '', { path } = lease, by = reader) {
  const { data, status } = await by.get(`${path}/statement${query}`)
  expect(status).toBe(200)
  const lines = data.lines.map(({ date, kind, debit, credit, balance }: any) =>
    [date, kind, debit, credit, balance].join(' '),
  )
  const descriptions = data.lines.map(({ description }: any) => description)
  return { ...data, lines, descriptions }
}

test('lists what became due and what was paid, with the balance after each', async () => {
  const statement = await readStatement()
  expect(statement).toMatchObject({
    agreement_id: lease.agreement.id,
    from: '2026-12-15',
    to: '2027-02-05',
    opening_balance: 0,
    total_debit: 139_209.68,
    total_credit: 94_209.68,
    closing_balance: 45_000,
    deposit: { agreed: 50_000, paid: 50_000, held: 50_000 },
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
  expect(statement.descriptions).toEqual([
    'Deposit',
    'Rent, 15 Dec 2026 – 31 Dec 2026',
    'Payment by UPI UTR1, receipt RCT-2026-27-000001',
    'Rent, 1 Jan 2027 – 31 Jan 2027',
    'Payment by cheque 004711, receipt RCT-2026-27-000002',
    'Bounced cheque 004711',
    'Payment taken back, receipt RCT-2026-27-000002: The cheque bounced',
    'Credit, waived: Bounced cheque 004711',
    'Payment by cash, receipt RCT-2026-27-000003, with TDS of ₹500.00',
    'Rent, 1 Feb 2027 – 28 Feb 2027',
  ])
})

test('is worded in Hindi for who prefers it, but for what a person wrote', async () => {
  const headers = { 'accept-language': 'hi' }
  const { data } = await sendRequest(server, 'GET', `${lease.path}/statement`, {
    token: reader.token,
    headers,
  })
  expect(data.lines.map(({ description }: any) => description)).toEqual([
    'जमा राशि',
    'किराया, 15 दिसंबर 2026 – 31 दिसंबर 2026',
    'UPI UTR1 से भुगतान, रसीद RCT-2026-27-000001',
    'किराया, 1 जनवरी 2027 – 31 जनवरी 2027',
    'चेक 004711 से भुगतान, रसीद RCT-2026-27-000002',
    'बाउंस चेक 004711',
    'वापस लिया गया भुगतान, रसीद RCT-2026-27-000002: चेक बाउंस हो गया',
    'छूट, माफ़ किया गया: बाउंस चेक 004711',
    'नकद से भुगतान, रसीद RCT-2026-27-000003, ₹500.00 टीडीएस के साथ',
    'किराया, 1 फ़रवरी 2027 – 28 फ़रवरी 2027',
  ])
})

test.each([
  ['from=2027-01-06&to=2027-01-31', { opening_balance: 20_000, closing_balance: 20_000 }, 0],
  ['year=2027-28', { from: '2027-04-01', to: '2028-03-31', opening_balance: 45_000 }, 0],
  ['from=2027-01-05&to=2027-01-05', { opening_balance: 0, closing_balance: 20_000 }, 6],
  ['to=2026-12-15', { from: '2026-12-15', deposit: { agreed: 50_000, paid: 50_000, held: 50_000 } }, 3],
  ['to=2026-12-14', { from: '2026-12-14', to: '2026-12-14', deposit: { paid: 0, held: 0 } }, 0],
  ['from=2027-06-01', { from: '2027-06-01', to: '2027-06-01', opening_balance: 45_000 }, 0],
])('of %s has its balances and the lines of its first and last day', async (query, expected, lineCount) => {
  const statement = await readStatement(`?${query}`)
  expect(statement).toMatchObject(expected)
  expect(statement.lines).toHaveLength(lineCount)
})

test.each([
  ['from=2026-02-30', 'from', 'invalid_fields'],
  ['from=2027-01-02&to=2027-01-01', 'to', 'to_before_from'],
  ['year=2026-28', 'year', 'invalid_fields'],
  ['year=2026', 'year', 'invalid_fields'],
  ['year=2026-27&from=2027-01-01', 'year', 'year_and_dates'],
])('refuses %s and names %s', async (query, property, reason) => {
  for (const path of ['statement', 'statement/pdf']) {
    const { status, error } = await reader.get(`${lease.path}/${path}?${query}`)
    expect([status, error.reason, error.details[0].property]).toEqual([400, reason, property])
  }
})

test('the PDF has the same lines and balances', async () => {
  const path = `${lease.path}/statement/pdf?year=2026-27`
  const { status, headers, bytes } = await downloadPdf(server, reader, path)
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toContain('statement 2026-04-01 to 2027-03-31.pdf')
  const text = await readPdfText(bytes)
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

test('of an agreement without books is empty', async () => {
  const landlord = await createLandlord(server)
  const draft = await createDraft(landlord, [await createTenant(server)])
  const { lines, closing_balance, deposit } = await readStatement('', { ...lease, ...draft }, landlord)
  expect({ lines, closing_balance, deposit }).toMatchObject({
    lines: [],
    closing_balance: 0,
    deposit: { paid: 0, held: 0 },
  })
})

/** A lease of January 2027 with a charge of each of the credits' reasons, and an old balance. */
async function createOther() {
  const other = await createLease(server, { agreement_start_date: '2027-02-01' })
  const post = async (path: string, body: object) => {
    const { status, data } = await other.landlord.post(path, body)
    expect(status).toBe(201)
    return data
  }
  return { ...other, post, read: () => readStatement('', other, other.landlord) }
}

test('begins with an opening balance that is older than the books, and says why each credit was given', async () => {
  const { post, path, read } = await createOther()
  await post(`${path}/charges`, { type: 'opening_balance', amount: 500, due_date: '2026-06-01' })
  const charge = { type: 'water', description: 'Water', amount: 100, due_date: '2027-02-01' }
  for (const reason of ['proration', 'waiver', 'correction', 'write_off']) {
    const { id } = await post(`${path}/charges`, charge)
    await post(`/charges/${id}/credits`, { amount: 10, reason })
  }
  const { from, opening_balance, closing_balance, lines, descriptions } = await read()
  expect({ from, opening_balance, closing_balance }).toEqual({
    from: '2026-06-01',
    opening_balance: 0,
    closing_balance: 25_860,
  })
  expect(lines[0]).toBe('2026-06-01 charge 500 0 500')
  expect(descriptions.filter((each: string) => each.startsWith('Credit'))).toEqual([
    'Credit, unused days: Water',
    'Credit, waived: Water',
    'Credit, correction: Water',
    'Credit, written off: Water',
  ])
})

test('closes with what is outstanding less the advance; tax is written with lakhs', async () => {
  const { post, path, landlord, read, agreement } = await createOther()
  const payment = {
    amount: 9_876_543.21,
    tds_amount: 1_234_567.5,
    method: 'bank_transfer',
    reference: 'UTR9',
  }
  const { unapplied_amount } = await post(`${path}/payments`, payment)
  await post(`${path}/charges`, { type: 'water', amount: 99.99, due_date: '2027-03-20' })
  const { data } = await landlord.get(`/charges?agreement_id=${agreement.id}&sort=due_date`)
  expect(data.map((each: any) => each.amount_outstanding)).toEqual([0, 99.99])
  const { closing_balance, descriptions } = await read()
  expect(closing_balance).toBeCloseTo(99.99 - unapplied_amount, 2)
  expect(unapplied_amount).toBe(11_111_110.71 - 25_000)
  expect(descriptions[0]).toMatch(/^Payment by bank transfer UTR9, receipt \S+, with TDS of ₹12,34,567\.50$/)
})

test('says at most 255 characters of the reason of a reversal', async () => {
  const { post, path, landlord, read } = await createOther()
  const { id } = await post(`${path}/payments`, { amount: 100, method: 'cash' })
  const reason = 'Wrong '.repeat(800)
  await landlord.post(`/payments/${id}/reverse`, { reason })
  const { descriptions } = await read()
  expect(descriptions.find((each: string) => each.startsWith('Payment taken back'))).toEndWith(
    `: ${reason.slice(0, 255)}`,
  )
})

test('has its lines by day, and those of one day as they were posted', async () => {
  const { post, path, read } = await createOther()
  for (const [due_date, amount] of [
    ['2027-05-02', 30],
    ['2027-04-01', 10],
    ['2027-04-01', 20],
  ] as const)
    await post(`${path}/charges`, { type: 'water', amount, due_date })
  expect((await read()).lines.slice(-3)).toEqual([
    '2027-04-01 charge 10 0 25010',
    '2027-04-01 charge 20 0 25030',
    '2027-05-02 charge 30 0 25060',
  ])
})

test('400: a PDF of more than 1,000 lines, which says to choose a shorter period', async () => {
  const entry = { effective_on: '2026-12-15', kind: 'charge', amount: 1, description: 'Rent' }
  const load = (count: number) => {
    const stored = { agreement_id: lease.agreement.id, entries: Array.from({ length: count }, () => entry) }
    const reader = { row: async () => stored } as unknown as Reader
    return loadStatementDocument(server.deps, reader, { id: 1 }, { query: {}, language: 'en' })
  }
  expect((await load(1000)).data.lines).toHaveLength(1000)
  const refused: any = await load(1001).catch((error: unknown) => error)
  expect(refused.reason).toBe('statement_too_long')
  expect(refused.message).toContain('shorter period')
})

test.each([
  ['changed', sql`update journals set effective_on = '2026-12-14' where position = 2`],
  ['changed in a line', sql`update journal_lines set debit = debit * 2, credit = credit * 2`],
  ['denied by its payment', sql`update payments set moved_amount = 1`],
  ['removed', sql`delete from journals where position = 2`],
  ['removed from the end', sql`delete from journals where position = (select max(position) from journals)`],
])('with verify, is_intact is false once a posting was %s', async (_, tamper) => {
  const other = await startBooksServer()
  const { landlord, tenant, path } = await createLease(other, { deposit_amount: 50_000 })
  await landlord.post(`${path}/payments`, { amount: 1000, method: 'cash' })
  const verify = async (query: string) => (await tenant.get(`${path}/statement${query}`)).data.is_intact
  expect([await verify(''), await verify('?verify=true')]).toEqual([undefined, true])

  await other.deps.db.transactional(async em => {
    // The triggers that keep journals as they are stand by.
    await sql`set local session_replication_role = replica`.execute(getKysely(em))
    await tamper.execute(getKysely(em))
  })
  expect([await verify(''), await verify('?verify=true&year=2020-21')]).toEqual([undefined, false])
  await other.end()
})
