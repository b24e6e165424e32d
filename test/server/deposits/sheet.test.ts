import { expect, test } from 'bun:test'
import { readPdfText } from '../../support/pdf'
import { createManager } from '../../support/users'
import { createLease, startBooksServer, type BooksServer } from '../../support/books/lease-fixture'
import { createStranger, downloadPdf } from '../statements/fixtures'

const SETTLEMENT = {
  deductions: [
    { type: 'electricity', description: 'Electricity of February', amount: 1430 },
    { type: 'damage', description: 'रसोई की टाइलें', amount: 12000 },
    { type: 'damage', description: 'Geyser', amount: 3500 },
  ],
  refund_method: 'bank_transfer',
}

/** A lease of the specification that ended on 10 February 2027; of what is owed only January's days are open. */
async function createEndedLease(server: BooksServer) {
  const lease = await createLease(server, { deposit_amount: 100_000 })
  await server.goTo('2027-01-31')
  const { data } = await (await lease.asLandlord()).get('/charges')
  const charges = data.filter(({ due_date }: any) => due_date < '2027-02-01')
  const paid = { amount: 138_709.68, method: 'upi' }
  const allocations = charges.map(({ id, amount }: any) => ({ charge_id: id, amount }))
  await (await lease.asLandlord()).post(`${lease.path}/payments`, { ...paid, allocations })
  await server.goTo('2027-02-10')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, {})
  const tenant = await lease.asTenant()
  const sheet = `${lease.path}/deposit/settlement/pdf`
  const read = async (reader = landlord) => {
    const { status, bytes } = await downloadPdf(server, reader, sheet)
    expect(status).toBe(200)
    return { bytes, text: await readPdfText(bytes) }
  }
  return { ...lease, landlord, tenant, sheet, read, step: `${lease.path}/deposit/settlement` }
}

test('the sheet follows a settlement from its proposal to its posting', async () => {
  await using server = await startBooksServer()
  const { landlord, tenant, step, read } = await createEndedLease(server)
  await landlord.post(step, SETTLEMENT)
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

  await tenant.post(`${step}/dispute`, { reason: 'The geyser was broken before' })
  const disputed = (await read()).text
  expect(disputed).toContain('DISPUTED')
  expect(disputed).toContain('Disputed by a tenant, not yet posted')
  expect(disputed).toContain('Reason, 10 Feb 2027 The geyser was broken before')
  await tenant.post(`${step}/accept`)
  const accepted = (await read()).text
  expect(accepted).toContain('Accepted by a tenant, not yet posted')
  for (const stamp of ['PROPOSAL', 'DISPUTED']) expect(accepted).not.toContain(stamp)

  await landlord.post(`${step}/post`, { reference: 'UTR432156789012' })
  const { text } = await read()
  const history = ['Proposed Asha Rao', 'Disputed', 'Accepted', 'Posted Asha Rao']
  expect(history.filter(each => !text.includes(`10 Feb 2027 ${each}`))).toEqual([])
  expect(text).toContain('Refunded by Bank transfer')
  expect(text).toContain('UTR432156789012')
  expect(text).toContain('Refund To the tenant 74,141.43')
})

test('the same settlement gives the same bytes, whatever the day and the reader', async () => {
  await using server = await startBooksServer()
  const { landlord, tenant, step, sheet, asTenant, read } = await createEndedLease(server)
  await landlord.post(step, SETTLEMENT)
  await tenant.post(`${step}/accept`)
  await landlord.post(`${step}/post`, {})
  const { bytes } = await read()
  await server.goTo('2027-06-01')
  const later = await downloadPdf(server, await asTenant(), sheet)
  expect(Buffer.compare(later.bytes, bytes)).toBe(0)
})

test('deductions beyond the deposit stay owed, and nothing is to be refunded', async () => {
  await using server = await startBooksServer()
  const { landlord, step, read } = await createEndedLease(server)
  const wall = { type: 'damage', description: 'The wall', amount: 12_345_678.5 }
  await landlord.post(step, { deductions: [wall], refund_method: 'cash' })
  const { text } = await read()
  expect(text).toContain('Owed by the tenant Beyond the deposit 1,22,54,607.07')
  expect(text).toContain('One Crore Twenty Two Lakh Fifty Four Thousand Six Hundred Seven and Seven Paise')
  expect(text).not.toContain('refunded by')
})

test('a manager who proposes it is named as that', async () => {
  await using server = await startBooksServer()
  const { landlord, property, unit, step, read } = await createEndedLease(server)
  const manager = await createManager(server)
  await landlord.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  await manager.post(step, SETTLEMENT)
  expect((await read()).text).toContain('10 Feb 2027 Proposed The manager')
})

test('404: there is no sheet without a proposal, and none for strangers', async () => {
  await using server = await startBooksServer()
  const { landlord, step, sheet } = await createEndedLease(server)
  expect((await landlord.get(sheet)).error).toMatchObject({ reason: 'settlement_not_found' })
  await landlord.post(step, SETTLEMENT)
  const { status, error } = await (await createStranger(server)).get(sheet)
  expect({ status, reason: error.reason }).toEqual({ status: 404, reason: 'agreement_not_found' })
})
