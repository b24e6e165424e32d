import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readPdfText } from '../support/pdf'
import { testServer } from '../support/server'
import { createBilledLease, createLandlordShell } from './shell'

// What each command sends is in the transcripts, and a year of payments in year-of-books.test.ts.
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
