import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findBrokenInvariants } from '../support/books/invariants'
import { testServer } from '../support/server'
import { createShell, type Shell } from './shell'
import { goTo, letHouse } from './year/house'
import { playMonths } from './year/payments'

const server = testServer()
let year: Shell

beforeAll(async () => {
  year = createShell(server.url)
  await playMonths(year, await letHouse(year, server.url))
  await goTo(year, '2027-03-31')
}, 120_000)
afterAll(() => year[Symbol.dispose]())

/**
 * On paper, in rupees: what became due, what was paid or credited, and the deposit that is held on 31 March 2027.
 * Every account is even.
 */
const accounts: [lease: string, due: number, settled: number, held: number][] = [
  // Deposit and six rents; the deposit has moved to the next term.
  ['WH-101', 50_000 + 6 * 25_000, 200_000, 0],
  // What the deposit rises by, and six rents that are 5 % higher.
  ['WH-101B', 2_500 + 6 * 26_250, 160_000, 52_500],
  ['WH-102', 60_000 + 12 * 30_000, 2 * (45_000 + 11 * 15_000), 60_000],
  // Two late fees in July: for the rent, and for the maintenance.
  ['WH-103', 40_000 + 12 * (20_000 + 1_500) + 500, 61_500 + 10 * 21_500 + 22_000, 40_000],
  // 2 % of the year's rent is withheld in March.
  ['WH-104', 120_000 + 12 * 60_000, 300_000 + 2 * 180_000 + 120_000 + 45_600 + 14_400, 120_000],
  // The cheque of August is booked, reversed and replaced, with 500 for the bank.
  ['WH-105', 36_000 + 12 * 18_000 + 500 + 18_000, 54_000 + 11 * 18_000 + 18_500, 36_000],
  // Eleven rents and three deductions; paid, 18 of 28 days of February credited, and the rest from the deposit.
  ['WH-106', 100_000 + 11 * 25_000 + 16_930, 350_000 + 16_071.43 + 25_858.57, 0],
]

test.each(accounts)('the account of %s is as on paper', async (lease, due, settled, held) => {
  const statement = await year.getData(`statement get ${lease} --year 2026-27`)

  expect(settled).toBe(due)
  expect(statement).toMatchObject({
    opening_balance: 0,
    total_debit: due,
    total_credit: settled,
    closing_balance: 0,
    deposit: { held },
  })
})

test('the early end is settled as the specification works it out', async () => {
  const { held, refunded, deducted, settlement } = await year.getData('deposit get WH-106')

  expect({ held, refunded, deducted }).toEqual({ held: 0, refunded: 74_141.43, deducted: 25_858.57 })
  expect(settlement).toMatchObject({ status: 'posted', open_rent: 8_928.57, deducted_amount: 16_930 })
  expect(await year.getData('agreement get WH-106 --json status')).toEqual({ status: 'COMPLETED' })
})

test('one command says what unit 3 paid in 2026-27, and when', async () => {
  const command = 'payment list --unit "White House/A-103" --year 2026-27 --sort paid_on'
  const paid: { paid_on: string; amount: number }[] = await year.getData(`${command} --json paid_on,amount`)

  expect(paid).toHaveLength(12)
  expect(paid[0]).toEqual({ paid_on: '2026-04-04', amount: 61_500 })
  expect(paid[3]).toEqual({ paid_on: '2026-07-20', amount: 22_000 })
  expect(paid.reduce((sum, { amount }) => sum + amount, 0)).toBe(298_500)

  const seen = await year.ask(command)
  expect(seen.out).toContain('₹61,500')
  expect(seen.err).toContain('Received: ₹2,98,500, in 12 posted payments')
})

type Row = { unit_name: string; received: number; tenants: { name: string }[] }

test('the books of the house add up, and the trial balance is zero', async () => {
  const { balances } = await year.getData('books summary --from 2026-04-01 --to 2027-03-31')
  expect(balances).toEqual({ outstanding: 0, overdue: 0, advances: 0, deposits_held: 308_500 })

  const annual = await year.getData('books annual --year 2026-27')
  expect(annual.rows.map((row: Row) => [row.unit_name, row.received])).toEqual([
    ['A-101', 360_000],
    ['A-102', 420_000],
    ['A-103', 298_500],
    ['A-104', 825_600],
    ['A-105', 252_500],
    ['A-106', 350_000],
  ])
  expect(annual.tds).toBe(14_400)
  const roll = await year.getData('books rent-roll --month 2027-03')
  expect(roll.rows.map(({ tenants }: Row) => tenants.map(({ name }) => name).join(', '))).toEqual([
    'anil',
    'bela, chetan',
    'deepa',
    'esha, farhan',
    'gita',
    // Vacant since February.
    '',
  ])
  expect((await year.getData('books arrears')).rows).toEqual([])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})
