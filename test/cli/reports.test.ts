import { expect, test } from 'bun:test'
import { testServer } from '../support/server'
import { runAsPerson } from './pty'
import { createBilledLease, createLandlordShell, createLease } from './shell'

const server = testServer()
const DAY_MS = 86_400_000
const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

test('a landlord reads the books as tables, with the sums in a last row', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, rent } = await createBilledLease(shell, server.url)
  await shell.kiraya(`payment create ${draft.id} --amount 10000 --method upi --allocation ${rent.id}:10000`)
  const options = { url: server.url, home: shell.home, columns: 120 }
  const read = async (command: string) => (await runAsPerson(command, options).end()).text

  expect(await read('books rent-roll')).toMatch(
    /Bengaluru\/A-101 +Tara +₹25,000 +₹27,500 +₹10,000 +₹17,500 +AGR/,
  )
  expect(await read('books arrears')).toMatch(/Total +– +₹1,17,500 +₹1,17,500 +₹0/)
  expect(await read('books annual')).toMatch(/Total +₹10,000 +₹0 +₹10,000/)
  const summary = await read('books summary')
  expect(summary).toMatch(/Total +₹1,27,500 +₹0 +₹10,000 +₹1,17,500 +₹10,000/)
  expect(summary).toMatch(/deposits_held +₹0/)
})

test('programs read the numbers of the API', async () => {
  using shell = await createLandlordShell(server.url)
  await createBilledLease(shell, server.url)

  expect((await shell.kiraya('books arrears')).data).toMatchObject({ total: 127_500, days_0_30: 127_500 })
  expect((await shell.kiraya('books rent-roll --json rows')).data.rows).toHaveLength(1)
  expect((await shell.kiraya('books summary --query balances.outstanding')).data).toBe(127_500)
  const wrong = await shell.kiraya('books rent-roll --month december')
  expect([wrong.exitCode, wrong.err]).toEqual([6, expect.stringContaining('month')])
})

test('a rent on short notice is proposed with a warning, and holds once a tenant has accepted it', async () => {
  using landlord = await createLandlordShell(server.url)
  using tenant = await createLandlordShell(server.url)
  const { draft, today } = await createBilledLease(landlord, server.url, tenant.phone)
  const number = draft.agreement_number as string
  const propose = (days: number, flags = '') =>
    landlord.kiraya(`rent-revision propose ${number} --rent 27000 --from ${addDays(today, days)} ${flags}`)

  const first = await propose(40)
  expect([first.exitCode, first.data.status]).toEqual([0, 'proposed'])
  expect(first.err).toStartWith("Warning: The new rent comes with less than 3 months' notice")
  expect((await propose(41, '--json id')).err).toBe('')
  expect((await propose(200)).err).toBe('')

  const unconfirmed = await tenant.kiraya(`rent-revision accept ${number} ${first.data.id}`)
  expect([unconfirmed.exitCode, unconfirmed.err]).toEqual([2, expect.stringContaining('--yes is required')])
  const accepted = await tenant.kiraya(`rent-revision accept ${number} ${first.data.id} --yes`)
  expect(accepted.data).toMatchObject({ status: 'accepted', rent_amount: 27_000 })
  const [, second] = (await tenant.kiraya(`rent-revision list ${number} --sort id`)).data
  const declined = await tenant.kiraya(`rent-revision decline ${number} ${second.revision_id}`)
  expect(declined.data.status).toBe('declined')
  const offered = await landlord.kiraya(`complete -- rent-revision accept ${number} ""`)
  expect(offered.out).toContain(`${first.data.id}\t₹27,000`)
})

test('terms above the custom are created with a warning, also in a renewal', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createBilledLease(shell, server.url)

  const renewed = await shell.kiraya(`agreement renew ${draft.agreement_number} --months 12 --rent 27000`)
  expect(renewed.data).toMatchObject({
    status: 'DRAFT',
    rent_amount: 27_000,
    tenure_in_months: 12,
    renews_agreement_id: draft.agreement_id,
  })
  expect(renewed.err).toStartWith("Warning: The deposit is above 2 months' rent of a residence")
  const changed = await shell.kiraya(`agreement update ${renewed.data.id} --deposit 50000`)
  expect([changed.data.deposit_amount, changed.err]).toEqual([50_000, ''])
  const wrong = await shell.kiraya(`agreement renew ${draft.id} --json nmae`)
  expect([wrong.exitCode, wrong.out]).toEqual([2, ''])
})

test('lists take a year from April to March instead of days', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createBilledLease(shell, server.url)

  const none = await shell.kiraya(`charge list --agreement ${draft.id} --year 1999-00`)
  expect(none.data).toEqual([])
  for (const year of ['2026', '2026-28', '2026-2027']) {
    const wrong = await shell.kiraya(`payment list --year ${year}`)
    expect([wrong.exitCode, wrong.err]).toEqual([2, expect.stringContaining('such as 2026-27')])
  }
  const both = await shell.kiraya('payment list --year 2026-27 --to 2027-03-31')
  expect([both.exitCode, both.err]).toEqual([2, expect.stringContaining('--year stands for')])
})

test('the tax on a high rent is suggested, and more of it without a PAN', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createLease(shell, server.url)
  await shell.kiraya(`agreement update ${draft.id} --rent 60000`)
  const suggest = async (flags = '') =>
    (await shell.kiraya(`payment tds ${draft.agreement_number} --year 2026-27 ${flags}`)).data

  const withPan = { amount: 4_800, rate_percent: 2, total_rent: 240_000 }
  const withoutPan = { amount: 48_000, rate_percent: 20 }
  expect(await suggest()).toMatchObject(withoutPan)
  expect(await suggest('--landlord-pan true')).toMatchObject(withPan)
  const profile = '--first-name Asha --last-name Rao --email asha@example.com'
  await shell.kiraya(`profile complete ${profile} --pan ABCPR1234F`)
  expect(await suggest()).toMatchObject(withPan)
  expect(await suggest('--landlord-pan false')).toMatchObject(withoutPan)
})
