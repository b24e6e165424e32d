import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readPdfText } from '../support/pdf'
import { testServer } from '../support/server'
import { createBilledLease, createLandlordShell } from './shell'

const server = testServer()

test('a statement is shown, and its papers are saved', async () => {
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

  const papers = [
    ['statement download', draft.agreement_number, 'Statement of account'],
    ['statement rent-proof', draft.agreement_number, 'Proof of rent paid'],
    ['payment receipt', paid.id, paid.receipt_number],
  ]
  for (const [command, id, title] of papers) {
    const file = join(shell.home, 'paper.pdf')
    const saved = await shell.kiraya(`${command} ${id} --out ${file}`)
    const bytes = await Bun.file(file).bytes()
    expect(saved.data).toEqual({ file, bytes: bytes.length })
    expect(await readPdfText(bytes)).toContain(title)
  }
})
