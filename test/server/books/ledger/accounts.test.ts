import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { decideSettlement } from '../../../support/books/deposit-fixture'
import { booksServer, createLease, type Lease } from '../../../support/books/lease-fixture'

const server = booksServer('2026-12-15')

/** The balances of a lease's accounts, a debit above zero; those of zero are left out. */
async function loadBalances({ agreement }: Lease) {
  const { rows } = await sql<{ account: string; balance: number }>`
    select line.account, sum(line.debit - line.credit)::float8 as balance
    from journals journal join journal_lines line on line.journal_id = journal.id
    where journal.agreement_id = ${agreement.id}
    group by line.account having sum(line.debit - line.credit) <> 0`.execute(server.db)
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]))
}

test.each([
  ['waiver', 'water', { waived: 10, 'income:water': -100 }],
  ['write_off', 'water', { written_off: 10, 'income:water': -100 }],
  ['correction', 'water', { 'income:water': -90 }],
  ['proration', 'water', { 'income:water': -90 }],
  ['waiver', 'deposit', { deposit_agreed: -90 }],
  ['correction', 'opening_balance', { opening: -90 }],
  ['waiver', 'opening_balance', { waived: 10, opening: -100 }],
])('a credit note, a %s of %s, is borne by the account of its reason', async (reason, type, expected) => {
  const lease = await createLease(server, { agreement_start_date: '2026-12-15', rent_due_day: 31 })
  const before = await loadBalances(lease)
  const charge = { type, amount: 100, due_date: '2026-12-31' }
  const { data } = await lease.landlord.post(`${lease.path}/charges`, charge)
  await lease.landlord.post(`/charges/${data.id}/credits`, { amount: 10, reason })
  const receivable = before.receivable! + 90
  expect(await loadBalances(lease)).toEqual({ ...before, ...expected, receivable })
})

test.each([
  ['cash', { cash: 700 }],
  ['upi', { cash: 1000, bank: -300 }],
  ['cheque', { cash: 1000, bank: -300 }],
])('an advance that is paid back by %s comes from its account', async (method, expected) => {
  const lease = await createLease(server, { agreement_start_date: '2027-01-01' })
  await lease.landlord.post(`${lease.path}/payments`, { amount: 1000, method: 'cash' })
  await lease.landlord.post(`${lease.path}/refunds`, { amount: 300, method })
  expect(await loadBalances(lease)).toEqual({ ...expected, advance: -700 })
})

test.each(['cash', 'upi'])('a deposit that is refunded by %s comes from its account', async refund_method => {
  const lease = await createLease(server, { deposit_amount: 20_000 })
  const { landlord, tenant, path } = lease
  await landlord.post(`${path}/payments`, { amount: 20_000 + 13_709.68, method: 'cash' })
  await landlord.post(`${path}/terminate`, {})
  const step = `${path}/deposit/settlement`
  const deductions = [{ type: 'damage', description: 'Walls', amount: 1000 }]
  await landlord.post(step, { deductions, refund_method })
  await decideSettlement(tenant, path, 'accept')
  expect((await landlord.post(`${step}/post`)).data.refund_amount).toBe(19_000)
  const { cash, bank = 0 } = await loadBalances(lease)
  expect({ cash, bank }).toEqual(
    refund_method === 'cash' ? { cash: 14_709.68, bank: 0 } : { cash: 33_709.68, bank: -19_000 },
  )
})
