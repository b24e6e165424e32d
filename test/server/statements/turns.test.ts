import { expect, test } from 'bun:test'
import type { Turns } from '../../../server/http/turns'
import { createLease, startBooksServer } from '../../support/books/lease-fixture'
import { downloadPdf } from './fixtures'

test('documents are made in turns of their own, which lists and reports need not wait for', async () => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, path, agreement } = await createLease(server, { deposit_amount: 1000 })
  const [deposit] = (await landlord.get('/charges?type=deposit')).data
  const allocations = [{ charge_id: deposit.id, amount: 1000 }]
  const { data } = await landlord.post(`${path}/payments`, { amount: 1000, method: 'upi', allocations })
  await landlord.post(`${path}/terminate`, {})
  await landlord.post(`${path}/deposit/settlement`, { deductions: [] })
  const turns: string[] = []
  const recordTurns =
    (kind: string, run: Turns): Turns =>
    (userId, work) => {
      turns.push(`${kind} of ${userId}`)
      return run(userId, work)
    }
  server.deps.runLongResponse = recordTurns('response', server.deps.runLongResponse)
  server.deps.runDocument = recordTurns('document', server.deps.runDocument)
  const [response, document] = [`response of ${landlord.id}`, `document of ${landlord.id}`]
  const number = agreement.agreement_number
  const names: [path: string, name: string | undefined, turns: string[]][] = [
    [`/payments/${data.id}/receipt`, 'RCT-2026-27-000001', [document]],
    [`${path}/statement/pdf`, `${number} statement 2026-12-15 to 2026-12-15`, [document]],
    [`${path}/rent-proof?year=2026-27`, `${number} rent 2026-27`, [document]],
    [`${path}/deposit/settlement/pdf`, `${number} deposit settlement`, [document]],
    [`${path}/certificate`, `${number} certificate`, [document]],
    ['/books/annual?format=pdf', 'Annual summary 2026-27', [response, document]],
    ['/books/rent-roll', undefined, [document, response]],
    ['/books/summary', undefined, [response]],
    ['/books/arrears', undefined, [response]],
    ['/books/annual', undefined, [response]],
  ]
  for (const [read, name, expected] of names) {
    turns.length = 0
    const { status, headers } = await downloadPdf(server, landlord, read)
    const disposition = headers.get('content-disposition')
    expect([read, status, turns]).toEqual([read, 200, expected])
    expect(disposition?.split(';')[1]).toBe(name && ` filename="${name}.pdf"`)
  }
})
