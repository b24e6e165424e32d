import { expect, test } from 'bun:test'
import { createLease, listCharges, startBooksServer } from '../../../support/books/lease-fixture'
import { createEndedLease } from './ended-lease'

test('a settlement takes rent and deductions from it, and refunds the rest', async () => {
  await using server = await startBooksServer()
  const lease = await createEndedLease(server)
  const { landlord, tenant, path } = lease
  expect((await landlord.get(`${path}/deposit`)).data).toEqual({
    agreement_id: lease.agreement.id,
    agreed: 100_000,
    held: 100_000,
    deducted: 0,
    refunded: 0,
    from_previous: 0,
    to_next: 0,
    settlement: null,
  })
  const proposed = await lease.settle({})
  expect(proposed.status).toBe(201)
  expect(proposed.data).toMatchObject({
    status: 'proposed',
    held_amount: 100_000,
    open_rent: 8928.57,
    deducted_amount: 16_930,
    refund_amount: 74_141.43,
    owed_amount: 0,
  })
  expect((await lease.post()).error.reason).toBe('settlement_wrong_status')
  expect((await lease.decide('accept')).data.status).toBe('accepted')
  const refund = { refund_method: 'upi', reference: 'UPI-2' }
  const posted = await lease.post(refund)
  expect(posted.status).toBe(200)
  expect(posted.data).toMatchObject({ status: 'posted', ...refund })

  const deposit = (await tenant.get(`${path}/deposit`)).data
  expect(deposit).toMatchObject({ held: 0, deducted: 25_858.57, refunded: 74_141.43 })
  const at = '2027-02-10T06:30:00.000Z'
  expect(deposit.settlement).toMatchObject({
    status: 'posted',
    decided_by_id: tenant.id,
    decided_at: at,
    posted_at: at,
  })
  const charges = await listCharges(lease)
  expect(charges).toContain('damage 2027-02-10 12000 0 paid')
  expect(charges.filter(each => !/ (paid|credited)$/.test(each))).toEqual([])
  const { data: statement } = await landlord.get(`${path}/statement`)
  expect(statement.deposit).toEqual({ agreed: 100_000, paid: 100_000, held: 0 })
  const settled = statement.lines.filter((line: any) => line.kind === 'settlement')
  expect(settled.map(({ description, credit }: any) => `${credit} ${description}`)).toEqual([
    '8928.57 Settled from the deposit: Rent, 1 Feb 2027 – 28 Feb 2027',
    '1430 Settled from the deposit: Electricity of February',
    '12000 Settled from the deposit: Painting',
    '3500 Settled from the deposit: Geyser',
  ])
  expect((await landlord.post(`${path}/complete`)).status).toBe(200)
})

test('a settlement is posted although it was disputed; the dispute stays on record', async () => {
  await using server = await startBooksServer()
  const lease = await createEndedLease(server)
  await lease.settle({})
  const disputed = await lease.decide('dispute', { reason: 'The geyser was broken before' })
  expect(disputed.data.status).toBe('disputed')
  expect((await lease.post()).data).toMatchObject({
    status: 'posted',
    dispute_reason: 'The geyser was broken before',
  })
  const { entries } = (await lease.landlord.get(`${lease.path}/timeline`)).data
  const refund = { refund_amount: 74_141.43 }
  const reason = { reason: 'The geyser was broken before' }
  expect(entries.slice(-3).map(({ type, actor_id, details }: any) => [type, actor_id, details])).toEqual([
    ['deposit_proposed', lease.landlord.id, refund],
    ['deposit_disputed', lease.tenant.id, reason],
    ['deposit_settled', lease.landlord.id, refund],
  ])
})

test('a settlement no longer asks for what was not paid of the deposit', async () => {
  await using server = await startBooksServer()
  const lease = await createEndedLease(server, 60_000)
  expect((await lease.settle({ deductions: [] })).data.refund_amount).toBe(51_071.43)
  await lease.decide('accept')
  await lease.post()
  expect((await listCharges(lease))[0]).toBe('deposit 2026-12-15 100000 0 paid')
})

test('400: a settlement is proposed again if what is owed has changed since', async () => {
  await using server = await startBooksServer()
  const lease = await createEndedLease(server)
  await lease.settle({})
  await lease.decide('accept')
  const water = { type: 'water', amount: 100, due_date: '2027-02-10' }
  await lease.landlord.post(`${lease.path}/charges`, water)
  const refused = await lease.post()
  expect(refused.status).toBe(400)
  expect(refused.error.reason).toBe('settlement_outdated')
  expect(refused.error.message).toContain('74041.43')
  expect((await lease.settle({})).data).toMatchObject({ status: 'proposed', refund_amount: 74_041.43 })
})

test('a settlement is final: what it settled is neither credited nor paid back by a reversal', async () => {
  await using server = await startBooksServer()
  const lease = await createEndedLease(server)
  await lease.settle({})
  await lease.decide('accept')
  await lease.post()
  const { landlord, agreement } = lease
  const charges = (await landlord.get(`/charges?agreement_id=${agreement.id}&type=damage`)).data
  const credit = { amount: 1, reason: 'waiver' }
  expect((await landlord.post(`/charges/${charges[0].id}/credits`, credit)).error.reason).toBe(
    'credit_above_charge',
  )
  const payments = (await landlord.get(`/payments?agreement_id=${agreement.id}&sort=id`)).data
  const reversal = await landlord.post(`/payments/${payments[0].id}/reverse`, { reason: 'Mistake' })
  expect(reversal.status).toBe(400)
  expect(reversal.error.reason).toBe('deposit_settled')
  const again = { type: 'deposit', amount: 1000, due_date: '2027-02-10' }
  expect((await landlord.post(`${lease.path}/charges`, again)).error.reason).toBe('deposit_after_lease')
  expect((await lease.settle({})).error.reason).toBe('settlement_wrong_status')
})

test('403: the deposit of a lease that goes on is not settled', async () => {
  await using server = await startBooksServer()
  const { landlord, path } = await createLease(server, { deposit_amount: 100_000 })
  const response = await landlord.post(`${path}/deposit/settlement`, { deductions: [] })
  expect(response.status).toBe(403)
  expect(response.error.reason).toBe('wrong_status')
})

test.each(['accept', 'dispute'] as const)(
  '400 to %s: a proposal was replaced before a tenant answered it',
  async step => {
    await using server = await startBooksServer()
    const lease = await createEndedLease(server)
    const seen = (await lease.settle({ deductions: [] })).data
    const swapped = (await lease.settle({})).data
    expect(swapped.settlement_id).not.toBe(seen.settlement_id)
    const answer = (named: object) => lease.decide(step, { reason: 'Too much', ...named })

    const refused = await answer({ settlement_id: seen.settlement_id })
    expect([refused.status, refused.error?.reason]).toEqual([400, 'settlement_replaced'])
    expect(refused.error.message).toContain('74141.43')
    const unnamed = await answer({ settlement_id: undefined })
    expect(unnamed.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ property: 'settlement_id' }],
    })
    expect((await lease.landlord.get(`${lease.path}/deposit`)).data.settlement.status).toBe('proposed')
    expect((await answer({ settlement_id: swapped.settlement_id.toUpperCase() })).status).toBe(200)
  },
)
