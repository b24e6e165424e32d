import { expect, test } from 'bun:test'
import { toPaise } from '../../../server/domain/money'
import { hashJournal } from '../../../server/books/ledger/journals'
import { decideSettlement } from '../../support/books/deposit-fixture'
import { createLease, startBooksServer } from '../../support/books/lease-fixture'
import { playMonths } from '../books/statements/fixtures'

type Line = { journal_id: number; line: number; account: string; debit: number; credit: number }
const toStored = ({ account, debit, credit }: Line) => ({
  account: account as never,
  debit: toPaise(debit),
  credit: toPaise(credit),
})

test('the export has what the hash chain of the journals covers, and who decided', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50_000 })
  await playMonths(server, lease)
  const [landlord, tenant] = [await lease.asLandlord(), await lease.asTenant()]
  const rise = { rent_amount: 26_000, effective_on: '2027-08-01' }
  const revision = (await landlord.post(`${lease.path}/rent-revisions`, rise)).data
  await tenant.post(`${lease.path}/rent-revisions/${revision.id}/accept`)
  await landlord.post(`${lease.path}/terminate`, {})
  const step = `${lease.path}/deposit/settlement`
  await landlord.post(step, { deductions: [] })
  await decideSettlement(tenant, lease.path, 'dispute', { reason: 'Too late' })

  const { tables } = (await landlord.get('/auth/me/export')).data
  const { agreements, journals, journal_lines, rent_revisions, deposit_settlements } = tables
  const [{ agreement_id }] = agreements
  const ids = journals.map(({ id }: { id: number }) => id)
  let previous: string | null = null
  for (const { id, hash, ...journal } of journals) {
    const lines: Line[] = journal_lines.filter(({ journal_id }: Line) => journal_id === id)
    const inOrder = lines.toSorted((one, other) => one.line - other.line)
    expect(hashJournal(previous, agreement_id, journal, inOrder.map(toStored))).toBe(hash)
    previous = hash
  }
  const reversals = journals.filter(({ kind }: { kind: string }) => kind === 'reversal')
  expect(reversals.length).toBeGreaterThan(0)
  for (const { reverses_id } of reversals) expect(ids).toContain(reverses_id)
  const decision = { decided_by_id: tenant.id, decided_at: '2027-02-01T06:30:00.000Z' }
  expect(rent_revisions).toMatchObject([{ status: 'accepted', ...decision }])
  expect(deposit_settlements).toMatchObject([{ status: 'disputed', ...decision }])
})
