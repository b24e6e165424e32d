import { describe, expect, test } from 'bun:test'
import { startSecondInstance } from '../../support/server'
import { readPdfText } from '../../support/pdf'
import { completeSigning, createTenant, signInUser, type TestUser } from '../../support/users'
import { createLease, startBooksServer, type BooksServer } from '../../support/books/lease-fixture'
import { downloadPdf, setPan } from './fixtures'

const PAN = 'QWEPZ5678M'
const YEAR = { agreement_start_date: '2026-04-01', tenure_in_months: 12, rent_due_day: 1 }
/** Below the threshold of a year by ₹40, and above it by ₹80. */
const [LOW, HIGH] = [8330, 8340]

async function startLease(server: BooksServer, changes: Record<string, unknown>, tenantCount = 1) {
  const lease = await createLease(server, { ...YEAR, ...changes }, tenantCount)
  await setPan(lease.landlord)
  return lease
}
const read = async (server: { url: string }, reader: TestUser, path: string) =>
  readPdfText((await downloadPdf(server, reader, path)).bytes)

async function pay(landlord: TestUser, path: string, payment: Record<string, unknown>) {
  const { data } = await landlord.post(`${path}/payments`, { method: 'upi', ...payment })
  return `/payments/${data.id}/receipt`
}

describe('a receipt bears the PAN', () => {
  test.each([
    [HIGH, 'above', true],
    [LOW, 'below', false],
  ])('of rent of %d a month, %s ₹1,00,000 a year: %p', async (rent_amount, _, isShown) => {
    await using server = await startBooksServer('2026-04-01')
    const { landlord, tenant, path } = await startLease(server, { rent_amount })
    const receipt = await pay(landlord, path, { amount: rent_amount })
    for (const reader of [landlord, tenant])
      expect((await read(server, reader, receipt)).includes(PAN)).toBe(isShown)
  })

  test('not of rent that passes it only over two years', async () => {
    await using server = await startBooksServer('2026-12-01')
    const terms = { agreement_start_date: '2026-12-01', tenure_in_months: 11, rent_amount: 15000 }
    const { landlord, path } = await startLease(server, terms)
    const receipt = await pay(landlord, path, { amount: 15000 })
    expect(await read(server, landlord, receipt)).not.toContain(PAN)
  })

  test('of a rent that is due after the year in which its month lies', async () => {
    await using server = await startBooksServer('2027-03-30')
    const terms = { agreement_start_date: '2026-09-01', tenure_in_months: 7, rent_in: 'arrears' }
    const { landlord, path } = await startLease(server, { ...terms, rent_amount: 15000 })
    const { data: charges } = await landlord.get('/charges?from=2027-04-01')
    const allocations = [{ charge_id: charges[0].id, amount: 15000 }]
    const receipt = await pay(landlord, path, { amount: 15000, allocations })
    expect(await read(server, landlord, receipt)).toContain(PAN)
  })

  test('not of a deposit or of water', async () => {
    await using server = await startBooksServer('2026-04-01')
    const { landlord, path } = await startLease(server, { rent_amount: HIGH, deposit_amount: 20000 })
    await landlord.post(`${path}/charges`, { type: 'water', amount: 90, due_date: '2026-04-01' })
    const { data: open } = await landlord.get('/charges?pending=true')
    const allocations = open
      .filter((charge: any) => charge.type !== 'rent')
      .map((charge: any) => ({ charge_id: charge.id, amount: charge.amount }))
    const receipt = await pay(landlord, path, { amount: 20090, allocations })
    expect(await read(server, landlord, receipt)).not.toContain(PAN)
  })

  test('not without one, nor once it was removed', async () => {
    await using server = await startBooksServer('2026-04-01')
    const { landlord, path } = await startLease(server, { rent_amount: HIGH })
    const receipt = await pay(landlord, path, { amount: HIGH })
    await setPan(landlord, null)
    expect(await read(server, landlord, receipt)).not.toContain('PAN')
  })
})

describe('a rent proof', () => {
  test('bears it where this payer paid more than ₹1,00,000 of the year', async () => {
    await using server = await startBooksServer('2026-04-01')
    const { asLandlord, path, tenants } = await startLease(server, { rent_amount: 20000 }, 2)
    await server.goTo('2027-03-30')
    const [first, second] = tenants as [TestUser, TestUser]
    const again = await asLandlord()
    await pay(again, path, { amount: 100000, payer_id: first.id })
    await pay(again, path, { amount: 100001, payer_id: second.id })
    const proof = (id: number) => `${path}/rent-proof?year=2026-27&payer_id=${id}`
    expect(await read(server, again, proof(first.id))).not.toContain('PAN')
    expect(await read(server, again, proof(second.id))).toContain(`Landlord's PAN ${PAN}`)
  })

  test('says that none is recorded, and what it is commonly needed for', async () => {
    await using server = await startBooksServer('2026-04-01')
    const { landlord, path } = await startLease(server, { rent_amount: 100001 })
    await setPan(landlord, null)
    await pay(landlord, path, { amount: 100001 })
    const text = await read(server, landlord, `${path}/rent-proof?year=2026-27`)
    expect(text).toContain('Not recorded; claims of more than ₹1,00,000.00 a year commonly need it')
  })
})

describe('a year that a renewal splits', () => {
  /** Eleven months and their next term: four and eight months of 2027-28, each below the threshold. */
  async function startRenewal(server: BooksServer, rent_amount: number) {
    const terms = { agreement_start_date: '2026-09-01', tenure_in_months: 11, rent_amount }
    const lease = await startLease(server, terms)
    await server.goTo('2027-07-20')
    const [landlord, tenant] = [await lease.asLandlord(), await lease.asTenant()]
    const { data: next } = await landlord.post(`${lease.path}/renew`, {})
    for (const party of [landlord, tenant]) await completeSigning(party, next.id, party.id)
    return { ...lease, next: `/agreements/${next.id}` }
  }

  test.each([
    [HIGH, true],
    [LOW, false],
  ])('bears the PAN by the rent of all its terms, %d a month: %p', async (rent_amount, isShown) => {
    await using server = await startBooksServer('2026-09-01')
    const lease = await startRenewal(server, rent_amount)
    await server.goTo('2028-03-20')
    const [landlord, tenant] = [await lease.asLandlord(), await lease.asTenant()]
    await pay(landlord, lease.path, { amount: 11 * rent_amount })
    const receipt = await pay(landlord, lease.next, { amount: 8 * rent_amount })
    for (const reader of [landlord, tenant])
      expect((await read(server, reader, receipt)).includes(PAN)).toBe(isShown)
    for (const path of [lease.path, lease.next])
      expect((await read(server, tenant, `${path}/rent-proof?year=2027-28`)).includes(PAN)).toBe(isShown)
  })

  test.each(['that nobody has signed', 'of another tenant'])(
    'bears none by the next term %s',
    async which => {
      await using server = await startBooksServer('2026-09-01')
      const terms = { agreement_start_date: '2026-09-01', tenure_in_months: 11, rent_amount: HIGH }
      const lease = await startLease(server, terms)
      const other = await createTenant(server)
      await server.goTo('2027-07-20')
      const landlord = await lease.asLandlord()
      const isOther = which === 'of another tenant'
      const { data: next } = await landlord.post(
        `${lease.path}/renew`,
        isOther ? { tenant_ids: [other.id] } : {},
      )
      const signers = isOther ? [landlord, await signInUser(server, other.phone)] : []
      for (const party of signers) await completeSigning(party, next.id, party.id)
      const receipt = await pay(landlord, lease.path, { amount: 11 * HIGH })
      // Seven months of 2026-27 and four of 2027-28
      expect(await read(server, landlord, receipt)).not.toContain('PAN')
    },
  )
})

test('a PAN opens during a rotation of the key, and not with another key alone', async () => {
  await using server = await startBooksServer('2026-04-01')
  const { landlord, path } = await startLease(server, { rent_amount: HIGH })
  const receipt = await pay(landlord, path, { amount: HIGH })
  const rotated = { CREDENTIALS_KEY: Buffer.alloc(32, 7).toString('base64') }
  const withBoth = { ...rotated, CREDENTIALS_KEY_SECONDARY: server.deps.config.CREDENTIALS_KEY }
  const during = await startSecondInstance(server, withBoth)
  expect(await read(during, landlord, receipt)).toContain(PAN)
  const after = await startSecondInstance(server, rotated)
  const logged: unknown[] = []
  after.deps.log.error = (...line: unknown[]) => void logged.push(line)
  const text = await read(after, landlord, receipt)
  await Promise.all([during.stop(), after.stop()])
  expect(text).toContain('Received by Asha Rao, landlord')
  expect(text).not.toContain('PAN')
  const cause = 'A PAN cannot be decrypted: CREDENTIALS_KEY is not its key'
  expect(logged).toEqual([[{ user: landlord.id }, cause]])
})
