import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readPdfText } from '../support/pdf'
import { testServer } from '../support/server'
import { createBilledLease, createLandlordShell, createLease } from './shell'

const server = testServer()

/** A landlord and a tenant who have shells, and a lease that began today. */
async function createBooks() {
  const landlord = await createLandlordShell(server.url)
  const tenant = await createLandlordShell(server.url)
  const lease = await createBilledLease(landlord, server.url, tenant.phone)
  const number = lease.draft.agreement_number as string
  const dispose = () => [landlord, tenant].forEach(shell => shell[Symbol.dispose]())
  return { ...lease, landlord, tenant, number, [Symbol.dispose]: dispose }
}

test('an agreement says how it is billed, its schedule what it will cost, and the tax what to withhold', async () => {
  using shell = await createLandlordShell(server.url)
  const { kiraya, getData } = shell
  const { draft } = await createLease(shell, server.url)

  const changed = await getData(
    `agreement update ${draft.id} --billing-cycle anniversary --rent-rounding 1 --late-fee 200 --grace-days 5
      --late-fee-cap 1000 --escalation 5 --escalation-months 6
      --recurring-charge "maintenance:2500:Society maintenance" --recurring-charge water:300`,
  )
  expect(changed).toMatchObject({
    billing_cycle: 'anniversary',
    rent_rounding: 1,
    late_fee_grace_days: 5,
    late_fee_cap: 1000,
    escalation_percent: 5,
    escalation_every_months: 6,
    recurring_charges: [
      { type: 'maintenance', amount: 2500, description: 'Society maintenance' },
      { type: 'water', amount: 300, description: 'Water' },
    ],
  })
  const schedule = await getData(`charge schedule ${draft.agreement_number}`)
  expect(schedule.total_rent).toBe(6 * 25_000 + 5 * 26_250)
  expect(schedule.instalments).toHaveLength(1 + 3 * 11)

  const cleared = await getData(
    `agreement update ${draft.id} --rent 60000 --clear recurring-charges --clear escalation-percent
      --clear escalation-every-months`,
  )
  expect(cleared.recurring_charges).toBeNull()
  const suggest = (flags = '') => getData(`payment tds ${draft.agreement_number} --year 2026-27 ${flags}`)
  const withPan = { amount: 4_800, rate_percent: 2, total_rent: 240_000 }
  expect(await suggest()).toMatchObject({ amount: 48_000, rate_percent: 20 })
  expect(await suggest('--landlord-pan true')).toMatchObject(withPan)
  const profile = 'profile complete --first-name Asha --last-name Rao --email asha@example.com'
  expect((await getData(`${profile} --pan abcpr1234f`)).pan).toBe('••••••234F')
  expect(await suggest()).toMatchObject(withPan)
  const wrong = await kiraya('books rent-roll --month december')
  expect([wrong.exitCode, wrong.err]).toEqual([6, expect.stringContaining('month')])
})

test('a charge is posted, found and credited', async () => {
  using lease = await createBooks()
  const { draft, deposit, rent, maintenance, today, number } = lease
  const { kiraya, getData } = lease.landlord
  expect([deposit, rent, maintenance].map(({ amount, status }) => [amount, status])).toEqual([
    [100_000, 'due'],
    [25_000, 'due'],
    [2_500, 'due'],
  ])

  const created = await getData(`charge create ${number} --type electricity --amount 1430.50 --due ${today}`)
  expect(created).toMatchObject({ amount: 1430.5, description: 'Electricity', source: 'manual' })
  const credited = await getData(`charge credit ${created.id} --amount 430.50 --reason waiver`)
  expect(credited).toMatchObject({ amount_credited: 430.5, amount_outstanding: 1000 })

  const found = await getData(
    `charge list --agreement ${draft.agreement_id} --unit Bengaluru/A-101 --type electricity --pending true`,
  )
  expect(found).toEqual([credited])
  expect(await getData(`charge list --agreement ${draft.id} --year 1999-00`)).toEqual([])
  expect(await getData(`charge get ${created.charge_id}`)).toEqual(credited)
  const refused = await kiraya(`charge credit ${created.id} --amount 1000.01 --reason waiver`)
  expect([refused.exitCode, refused.err]).toEqual([6, expect.stringContaining('amount')])
  expect(await getData('books arrears')).toMatchObject({ total: 128_500, days_0_30: 128_500 })
  expect((await getData('books rent-roll --json rows')).rows).toHaveLength(1)
  expect(await getData('books summary --query balances.outstanding')).toBe(128_500)
})

test('a payment settles charges, is moved, and its overpayment goes back', async () => {
  using lease = await createBooks()
  const { draft, rent, deposit, tenant, number } = lease
  const { kiraya, getData } = lease.landlord
  const upi = `payment create ${number} --method upi --reference 634512345678`

  const paid = await getData(
    `${upi} --amount 28500 --payer ${tenant.phone} --allocation ${rent.id}:25000 --allocation "${deposit.id}: 3500"`,
  )
  expect(paid).toMatchObject({ status: 'posted', unapplied_amount: 0 })
  const moved = await getData(`payment allocate ${paid.id} --allocation ${rent.id}:25000`)
  expect(moved).toMatchObject({
    allocations: [{ charge_id: rent.id, amount: 25_000 }],
    unapplied_amount: 3500,
  })
  const refund = await getData(`payment refund ${draft.id} --amount 1000 --method cash`)
  expect(refund).toMatchObject({ amount: 1000, payments: [{ payment_id: paid.id, amount: 1000 }] })
  const freed = await getData(`payment allocate ${paid.id} --none`)
  expect(freed).toMatchObject({ allocations: [], unapplied_amount: 27_500, refunded_amount: 1000 })
  const listed = await getData(`payment list --payer ${tenant.phone} --status posted --json id`)
  expect(listed).toEqual([{ id: paid.id }])
  const again = await kiraya(`${upi} --amount 1`)
  expect([again.exitCode, again.err]).toEqual([6, expect.stringContaining('allow_duplicate')])

  const taxed = await getData(`payment create ${draft.id} --amount 24500 --tds 500 --method cash`)
  const certificate = { tds_certificate_number: 'ABCD1234E' }
  const numbered = await getData(`payment update ${taxed.id} --tds-certificate-number ABCD1234E`)
  expect(numbered).toEqual({ ...taxed, ...certificate })
  const cleared = await getData(`payment update ${taxed.id} --clear tds_certificate_number`)
  expect(cleared.tds_certificate_number).toBeNull()
})

test('a payment is reversed; a cheque is cleared, and bounces at a price', async () => {
  using lease = await createBooks()
  const { draft, rent } = lease
  const { getData } = lease.landlord
  const pay = (flags: string) =>
    getData(`payment create ${draft.id} --amount 25000 --allocation ${rent.id}:25000 --method ${flags}`)

  const cash = await pay('cash')
  const reversed = await getData(`payment reverse ${cash.payment_id} --reason Twice --yes`)
  expect(reversed).toMatchObject({ status: 'reversed', reversal_reason: 'Twice' })
  expect((await getData(`charge get ${rent.id}`)).amount_outstanding).toBe(25_000)

  const cheque = await pay('cheque --reference 000123')
  expect(cheque.status).toBe('pending')
  expect(await getData(`payment clear ${cheque.id}`)).toMatchObject({
    status: 'posted',
    receipt_number: expect.stringContaining('RCT-'),
  })
  const bounced = await getData(`payment bounce ${cheque.id} --reason "No funds" --charge 500 --yes`)
  expect(bounced).toMatchObject({ status: 'reversed', reversal_reason: 'No funds' })
  const fees = await getData(`charge list --agreement ${draft.id} --type other`)
  expect(fees).toMatchObject([{ amount: 500, status: 'due' }])
})

test('a tenant reports payments that the landlord confirms or rejects', async () => {
  using lease = await createBooks()
  const { landlord, tenant, number } = lease
  const report = (flags: string) => tenant.getData(`payment create ${number} ${flags}`)
  const [first, second] = [
    await report('--amount 25000 --method upi'),
    await report('--amount 10 --method cash'),
  ]
  expect([first.status, second.status]).toEqual(['reported', 'reported'])
  expect((await tenant.kiraya(`payment confirm ${first.id}`)).exitCode).toBe(7)

  expect((await landlord.getData(`payment confirm ${first.id}`)).status).toBe('posted')
  await landlord.getData(`payment reject ${second.id} --reason "No cash came"`)
  expect(await tenant.getData(`payment list --agreement ${number} --sort id`)).toMatchObject([
    { status: 'posted' },
    { status: 'rejected', reversal_reason: 'No cash came' },
  ])
})

test('a statement is shown, and documents are saved', async () => {
  using lease = await createBooks()
  const { draft, rent, number, landlord } = lease
  const { getData } = landlord
  const paid = await getData(
    `payment create ${draft.id} --amount 25000 --method upi --allocation ${rent.id}:25000`,
  )

  const statement = await getData(`statement get ${number}`)
  expect(statement).toMatchObject({
    closing_balance: 102_500,
    deposit: { agreed: 100_000, paid: 0, held: 0 },
  })
  expect(statement.lines).toHaveLength(4)
  const refused = await landlord.kiraya(`statement get ${draft.id} --year 2026-28`)
  expect([refused.exitCode, refused.err]).toEqual([6, expect.stringContaining('year')])

  for (const [command, title] of [
    [`statement download ${number}`, 'Statement of account'],
    [`statement rent-proof ${number}`, 'Proof of rent paid'],
    [`payment receipt ${paid.id}`, paid.receipt_number],
    ['books annual', 'Rupees Twenty Five Thousand Only'],
  ]) {
    const saved = await getData(`${command} --out document.pdf`)
    const bytes = await Bun.file(join(landlord.home, 'document.pdf')).bytes()
    expect(saved).toEqual({ file: 'document.pdf', bytes: bytes.length })
    expect(await readPdfText(bytes)).toContain(title)
  }
})

test('a deposit is proposed, disputed, proposed again, accepted and posted; refusals say what to do', async () => {
  using lease = await createBooks()
  const { landlord, tenant, number } = lease
  const refusals: [exitCode: number, text: string, by: typeof landlord, line: string][] = [
    [5, 'Propose one: kiraya deposit settle', tenant, `deposit accept ${number}`],
    [5, 'settlement', landlord, `deposit download ${number}`],
    [6, 'kiraya payment refund', landlord, `agreement complete ${number} --yes`],
    [7, '', tenant, `deposit settle ${number} --refund-method cash`],
  ]
  await landlord.getData(`payment create ${number} --amount 127500 --method upi`)
  await landlord.getData(`agreement terminate ${number} --yes`)
  for (const [exitCode, text, { kiraya }, line] of refusals) {
    const refused = await kiraya(line)
    expect([line, refused.exitCode, refused.err]).toEqual([line, exitCode, expect.stringContaining(text)])
  }

  const deduction = '--deduction damage:12000:Painting --refund-method bank_transfer'
  const proposed = await landlord.getData(`deposit settle ${number} ${deduction}`)
  expect(proposed).toMatchObject({ status: 'proposed', deducted_amount: 12_000, refund_amount: 88_000 })
  await landlord.getData(`deposit download ${number} --out settlement.pdf`)
  const text = await readPdfText(await Bun.file(join(landlord.home, 'settlement.pdf')).bytes())
  for (const content of ['Deposit settlement', 'PROPOSAL', 'Painting', '12,000.00'])
    expect(text).toContain(content)
  const disputed = await tenant.getData(`deposit dispute ${number} --reason "It was not painted before"`)
  expect(disputed).toMatchObject({ status: 'disputed', dispute_reason: 'It was not painted before' })

  const open = await landlord.getData(`deposit settle ${number}`)
  await tenant.getData(`deposit accept ${number} --settlement-id ${open.settlement_id}`)
  const unpaid = await landlord.kiraya(`deposit post ${number} --yes`)
  expect([unpaid.exitCode, unpaid.err]).toEqual([6, expect.stringContaining('refund_method')])
  const again = await landlord.getData(`deposit settle ${number} --refund-method bank_transfer`)
  expect(again).toMatchObject({ status: 'proposed', deductions: [], refund_amount: 100_000 })
  expect((await tenant.kiraya(`deposit accept ${number}`)).err).toContain('settlement_id')
  const accept = `deposit accept ${number} --settlement-id ${again.settlement_id}`
  expect((await tenant.getData(accept)).status).toBe('accepted')
  const posted = await landlord.getData(`deposit post ${number} --reference 432156789012 --yes`)
  expect(posted).toMatchObject({ status: 'posted', reference: '432156789012' })
  expect(await landlord.getData(`deposit get ${number}`)).toMatchObject({
    agreed: 100_000,
    held: 0,
    refunded: 100_000,
    settlement: { status: 'posted' },
  })
})
