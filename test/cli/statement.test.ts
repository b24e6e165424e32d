import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readPdfText } from '../support/pdf'
import { testServer } from '../support/server'
import { createBilledLease, createLandlordShell } from './shell'

const server = testServer()

test('a statement is shown, and its documents are saved', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, rent } = await createBilledLease(shell, server.url)
  const { data: paid } = await shell.kiraya(
    `payment create ${draft.id} --amount 25000 --method upi --allocation ${rent.id}:25000`,
  )

  const statement = await shell.kiraya(`statement get ${draft.agreement_number}`)
  expect(statement.data).toMatchObject({
    closing_balance: 102_500,
    deposit: { agreed: 100_000, paid: 0, held: 0 },
  })
  expect(statement.data.lines).toHaveLength(4)
  const refused = await shell.kiraya(`statement get ${draft.id} --year 2026-28`)
  expect([refused.exitCode, refused.err]).toEqual([6, expect.stringContaining('year')])

  const documents = [
    ['statement download', draft.agreement_number, 'Statement of account'],
    ['statement rent-proof', draft.agreement_number, 'Proof of rent paid'],
    ['payment receipt', paid.id, paid.receipt_number],
    ['books annual', '', 'Rupees Twenty Five Thousand Only'],
  ]
  for (const [command, id, title] of documents) {
    const file = join(shell.home, 'document.pdf')
    const saved = await shell.kiraya(`${command} ${id} --out ${file}`)
    const bytes = await Bun.file(file).bytes()
    expect(saved.data).toEqual({ file, bytes: bytes.length })
    expect(await readPdfText(bytes)).toContain(title)
  }
})

test('the settlement of a deposit is saved, also before it is posted', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, deposit } = await createBilledLease(shell, server.url)
  await shell.kiraya(
    `payment create ${draft.id} --amount 100000 --method upi --allocation ${deposit.id}:100000`,
  )
  await shell.kiraya(`agreement terminate ${draft.id} --yes`)
  const missing = await shell.kiraya(`deposit download ${draft.id}`)
  expect([missing.exitCode, missing.err]).toEqual([5, expect.stringContaining('settlement')])
  const settled = await shell.kiraya(
    `deposit settle ${draft.id} --refund-method upi --deduction damage:12000:Painting`,
  )
  expect(settled.data.status).toBe('proposed')
  const file = join(shell.home, 'settlement.pdf')
  await shell.kiraya(`deposit download ${draft.agreement_number} --out ${file}`)
  const text = await readPdfText(await Bun.file(file).bytes())
  for (const content of ['Deposit settlement', 'PROPOSAL', 'Painting', '12,000.00'])
    expect(text).toContain(content)
})

test('a PAN is set by a flag, shown by its last four characters, and hidden in a dry run', async () => {
  using shell = await createLandlordShell(server.url)
  const me = (await shell.kiraya('api GET /auth/me')).data.data.user
  const profile = `--first-name ${me.first_name} --last-name ${me.last_name} --email ${me.email}`
  const tried = await shell.kiraya(`profile complete ${profile} --pan QWEPZ5678M --dry-run`)
  expect(tried.out + tried.err).not.toContain('QWEPZ')
  const { data } = await shell.kiraya(`profile complete ${profile} --pan qwepz5678m`)
  expect(data.pan).toBe('••••••678M')
})
