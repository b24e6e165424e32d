import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../support/books/lease-fixture'
import { downloadPdf } from './fixtures'

test('documents and reports are made in turn, under names that say what they are', async () => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, path, agreement } = await createLease(server, { deposit_amount: 1000 })
  const [deposit] = (await landlord.get('/charges?type=deposit')).data
  const allocations = [{ charge_id: deposit.id, amount: 1000 }]
  const { data } = await landlord.post(`${path}/payments`, { amount: 1000, method: 'upi', allocations })
  await landlord.post(`${path}/terminate`, {})
  await landlord.post(`${path}/deposit/settlement`, { deductions: [] })
  const { runLongResponse } = server.deps
  const turns: (number | string)[] = []
  server.deps.runLongResponse = (userId, work) => {
    turns.push(userId)
    return runLongResponse(userId, work)
  }
  const number = agreement.agreement_number
  const names: [path: string, name: string | undefined, turns?: number][] = [
    [`/payments/${data.id}/receipt`, 'RCT-2026-27-000001'],
    [`${path}/statement/pdf`, `${number} statement 2026-12-15 to 2026-12-15`],
    [`${path}/rent-proof?year=2026-27`, `${number} rent 2026-27`],
    [`${path}/deposit/settlement/pdf`, `${number} deposit settlement`],
    ['/books/annual?format=pdf', 'Annual summary 2026-27', 2],
    ['/books/rent-roll', undefined],
    ['/books/summary', undefined],
    ['/books/arrears', undefined],
    ['/books/annual', undefined],
  ]
  for (const [read, name, count = 1] of names) {
    turns.length = 0
    const { status, headers } = await downloadPdf(server, landlord, read)
    const disposition = headers.get('content-disposition')
    expect([read, status, turns]).toEqual([read, 200, Array(count).fill(landlord.id)])
    expect(disposition?.split(';')[1]).toBe(name && ` filename="${name}.pdf"`)
  }
})
