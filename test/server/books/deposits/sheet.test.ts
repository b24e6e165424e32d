import { expect, test } from 'bun:test'
import { readPdfText } from '../../../support/pdf'
import { createManager } from '../../../support/users'
import { startBooksServer, type BooksServer } from '../../../support/books/lease-fixture'
import { downloadPdf } from '../statements/fixtures'
import { createEndedLease, DEDUCTIONS } from './ended-lease'

/** An ended lease, of whose charges only the last days are open, and its sheet. */
async function createSettledLease(server: BooksServer) {
  const lease = await createEndedLease(server)
  const sheet = `${lease.path}/deposit/settlement/pdf`
  const read = async (reader = lease.landlord) => {
    const { status, headers, bytes } = await downloadPdf(server, reader, sheet)
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain(' deposit settlement.pdf"')
    return { bytes, text: await readPdfText(bytes) }
  }
  return { ...lease, sheet, read }
}

test('the sheet follows a settlement from its proposal to its posting', async () => {
  await using server = await startBooksServer()
  const { tenant, settle, decide, post, read } = await createSettledLease(server)
  await settle({ reference: null })
  const proposal = (await read(tenant)).text
  const contents = [
    'PROPOSAL',
    'Deposit held 1,00,000.00',
    'Open rent and charges What is outstanding, less what was paid in advance − 8,928.57',
    'Electricity Electricity of February − 1,430.00',
    'Damage Geyser − 3,500.00',
    'Refund To the tenant 74,141.43',
    'Rupees Seventy Four Thousand One Hundred Forty One and Forty Three Paise Only',
    'To be refunded by Bank transfer',
    '10 Feb 2027 Proposed Asha Rao',
    'Karnataka 560048',
  ]
  expect(contents.filter(content => !proposal.includes(content))).toEqual([])

  await decide('dispute', { reason: 'The geyser was broken before' })
  const disputed = (await read()).text
  expect(disputed).toContain('DISPUTED')
  expect(disputed).toContain('Disputed by a tenant, not yet posted')
  expect(disputed).toContain('Reason, 10 Feb 2027 The geyser was broken before')
  await decide('accept')
  const accepted = (await read()).text
  expect(accepted).toContain('Accepted by a tenant, not yet posted')
  for (const stamp of ['PROPOSAL', 'DISPUTED']) expect(accepted).not.toContain(stamp)

  await post({ reference: 'UTR432156789012' })
  const { text } = await read()
  const history = ['Proposed Asha Rao', 'Disputed', 'Accepted', 'Posted Asha Rao']
  expect(history.filter(each => !text.includes(`10 Feb 2027 ${each}`))).toEqual([])
  expect(text).toContain('Refunded by Bank transfer')
  expect(text).toContain('UTR432156789012')
  expect(text).toContain('Refund To the tenant 74,141.43')
})

test('the same settlement gives the same bytes, whatever the day and the reader', async () => {
  await using server = await startBooksServer()
  const { settle, decide, post, sheet, asTenant, read } = await createSettledLease(server)
  await settle({})
  await decide('accept')
  await post()
  const { bytes } = await read()
  await server.goTo('2027-06-01')
  const later = await downloadPdf(server, await asTenant(), sheet)
  expect(Buffer.compare(later.bytes, bytes)).toBe(0)
})

test('a manager who proposes it is named as that', async () => {
  await using server = await startBooksServer()
  const { landlord, property, unit, path, read } = await createSettledLease(server)
  const manager = await createManager(server)
  await landlord.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  await manager.post(`${path}/deposit/settlement`, { deductions: DEDUCTIONS })
  expect((await read()).text).toContain('10 Feb 2027 Proposed The manager')
})

test('404: there is no sheet without a proposal', async () => {
  await using server = await startBooksServer()
  const { landlord, sheet } = await createSettledLease(server)
  expect((await landlord.get(sheet)).error).toMatchObject({ reason: 'settlement_not_found' })
})
