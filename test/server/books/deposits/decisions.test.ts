import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../../support/books/lease-fixture'
import { createEndedLease } from './ended-lease'

test('a tenant disputes once, and may accept after that, not dispute what was accepted', async () => {
  await using server = await startBooksServer()
  const { settle, decide, tenant, landlord, path } = await createEndedLease(server)
  await settle({})
  const dispute = () => decide('dispute', { reason: 'The geyser was broken before' })
  expect((await dispute()).status).toBe(200)
  expect((await dispute()).error.reason).toBe('settlement_wrong_status')
  const accepted = await decide('accept')
  expect(accepted.data).toMatchObject({
    status: 'accepted',
    dispute_reason: 'The geyser was broken before',
    decided_by_id: tenant.id,
  })
  for (const refused of [await dispute(), await decide('accept')])
    expect([refused.status, refused.error.reason]).toEqual([400, 'settlement_wrong_status'])
  expect((await landlord.get(`${path}/deposit`)).data.settlement).toEqual(accepted.data)
})

test('400: a refund is not posted before its way is known; the reference of the proposal stays', async () => {
  await using server = await startBooksServer()
  const { settle, decide, post, landlord, path } = await createEndedLease(server)
  await settle({ refund_method: null, reference: 'CHQ-9' })
  await decide('accept')
  const refused = await post()
  expect([refused.status, refused.error.reason, refused.error.details[0].property]).toEqual([
    400,
    'refund_method_missing',
    'refund_method',
  ])
  expect((await landlord.get(`${path}/deposit`)).data).toMatchObject({
    held: 100_000,
    settlement: { status: 'accepted', refund_method: null },
  })
  const posted = await post({ refund_method: 'cheque' })
  expect(posted.data).toMatchObject({ status: 'posted', refund_method: 'cheque', reference: 'CHQ-9' })
  expect((await post({ refund_method: 'upi' })).error.reason).toBe('settlement_wrong_status')
})

test('404: before a proposal there is nothing to accept; 400: the lease is not completed while the deposit is held', async () => {
  await using server = await startBooksServer()
  const { decide, landlord, path } = await createEndedLease(server)
  expect((await decide('accept')).error.reason).toBe('settlement_not_found')
  const { status, error } = await landlord.post(`${path}/complete`)
  expect([status, error.reason]).toEqual([400, 'money_held'])
  expect(error.message).toContain('100000')
})

test('400: no settlement of a deposit that nobody paid', async () => {
  await using server = await startBooksServer()
  const { landlord, path } = await createLease(server, { deposit_amount: 100_000 })
  await landlord.post(`${path}/terminate`, {})
  const { status, error } = await landlord.post(`${path}/deposit/settlement`, { deductions: [] })
  expect([status, error.reason]).toEqual([400, 'deposit_not_held'])
})

test('400: a settlement is outdated once the payment of the deposit was taken back', async () => {
  await using server = await startBooksServer()
  const { settle, decide, post, landlord, path, agreement } = await createEndedLease(server)
  await settle({})
  await decide('accept')
  const [paid] = (await landlord.get(`/payments?agreement_id=${agreement.id}&sort=id`)).data
  expect((await landlord.post(`/payments/${paid.id}/reverse`, { reason: 'Unpaid' })).status).toBe(200)
  const refused = await post()
  expect([refused.status, refused.error.reason]).toEqual([400, 'settlement_outdated'])
  expect((await landlord.get(`${path}/deposit`)).data).toMatchObject({ held: 0, refunded: 0 })
  const { data: statement } = await landlord.get(`${path}/statement`)
  expect(statement.deposit).toEqual({ agreed: 100_000, paid: 0, held: 0 })
})
