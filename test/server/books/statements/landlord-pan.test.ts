import { expect, test } from 'bun:test'
import { startSecondInstance } from '../../../support/server'
import { readPdfText } from '../../../support/pdf'
import type { TestUser } from '../../../support/users'
import { createLease, startBooksServer, type BooksServer } from '../../../support/books/lease-fixture'
import { downloadPdf, setPan } from './fixtures'

const PAN = 'QWEPZ5678M'
const YEAR = { agreement_start_date: '2026-04-01', tenure_in_months: 12, rent_due_day: 1 }
/** Below the threshold of a year by ₹40, and above it by ₹80. */
const [LOW, HIGH] = [8330, 8340]

async function startLease(server: BooksServer, changes: Record<string, unknown>) {
  const lease = await createLease(server, { ...YEAR, ...changes })
  await setPan(lease.landlord)
  return lease
}
const read = async (server: { url: string }, reader: TestUser, path: string) =>
  readPdfText((await downloadPdf(server, reader, path)).bytes)

async function pay(landlord: TestUser, path: string, payment: Record<string, unknown>) {
  const { data } = await landlord.post(`${path}/payments`, { method: 'upi', ...payment })
  return `/payments/${data.id}/receipt`
}

test.each([
  ['bears the PAN of rent above', HIGH, true],
  ['bears none of rent below', LOW, false],
])('a receipt %s ₹1,00,000 a year, %d a month', async (_, rent_amount, isShown) => {
  await using server = await startBooksServer('2026-04-01')
  const { landlord, tenant, path } = await startLease(server, { rent_amount })
  const receipt = await pay(landlord, path, { amount: rent_amount })
  for (const reader of [landlord, tenant])
    expect((await read(server, reader, receipt)).includes(PAN)).toBe(isShown)
  await setPan(landlord, null)
  expect(await read(server, landlord, receipt)).not.toContain('PAN')
})

test('a receipt of a deposit and of water bears none', async () => {
  await using server = await startBooksServer('2026-04-01')
  const { landlord, path } = await startLease(server, { rent_amount: HIGH, deposit_amount: 20_000 })
  await landlord.post(`${path}/charges`, { type: 'water', amount: 90, due_date: '2026-04-01' })
  const { data: open } = await landlord.get('/charges?pending=true')
  const allocations = open
    .filter(({ type }: any) => type !== 'rent')
    .map(({ id, amount }: any) => ({ charge_id: id, amount }))
  const receipt = await pay(landlord, path, { amount: 20_090, allocations })
  expect(await read(server, landlord, receipt)).not.toContain(PAN)
})

test('a rent proof bears it by the rent in force at the end of its year, or says that none is recorded', async () => {
  await using server = await startBooksServer('2026-04-01')
  const { landlord, tenant, path } = await startLease(server, { rent_amount: LOW })
  const revised = { rent_amount: HIGH, effective_on: '2027-03-31' }
  const { data: revision } = await landlord.post(`${path}/rent-revisions`, revised)
  const proof = `${path}/rent-proof?year=2026-27`
  expect(await read(server, landlord, proof)).not.toContain('PAN')
  await tenant.post(`${path}/rent-revisions/${revision.id}/accept`)
  expect(await read(server, landlord, proof)).toContain(`Landlord’s PAN ${PAN}`)
  await setPan(landlord, null)
  expect(await read(server, landlord, proof)).toContain(
    'Not recorded; claims of more than ₹1,00,000.00 a year commonly need it',
  )
})

test('a PAN opens during a rotation of the key, and not with another key alone', async () => {
  await using server = await startBooksServer('2026-04-01')
  const { landlord, path } = await startLease(server, { rent_amount: HIGH })
  const receipt = await pay(landlord, path, { amount: HIGH })
  const key = Buffer.alloc(32, 7).toString('base64')
  const keys = `${key},${server.deps.config.CREDENTIALS_KEY}`
  const during = await startSecondInstance(server, { CREDENTIALS_KEY: keys })
  expect(await read(during, landlord, receipt)).toContain(PAN)
  const after = await startSecondInstance(server, { CREDENTIALS_KEY: key })
  const logged: unknown[] = []
  after.deps.log.error = (...line: unknown[]) => void logged.push(line)
  const text = await read(after, landlord, receipt)
  await Promise.all([during.stop(), after.stop()])
  expect(text).toContain('Received by Asha Rao, landlord')
  expect(text).not.toContain('PAN')
  const cause = 'A PAN cannot be decrypted: CREDENTIALS_KEY is not its key'
  expect(logged).toEqual([[{ user: landlord.id }, cause]])
})
