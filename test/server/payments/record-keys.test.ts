import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../support/books/lease-fixture'
import { findBrokenInvariants } from '../../support/books/invariants'

test('allocations name a charge by its UUID or number; answers have the number', async () => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, tenant, path } = await createLease(server)
  const post = async (amount: number) =>
    (await landlord.post(`${path}/charges`, { type: 'water', amount, due_date: '2026-12-20' })).data
  const [water, next] = [await post(300), await post(200)]
  const allocations = [
    { charge_id: water.charge_id.toUpperCase(), amount: 300 },
    { charge_id: next.id, amount: 50 },
  ]
  const settled = [
    { charge_id: water.id, amount: 300 },
    { charge_id: next.id, amount: 50 },
  ]
  const paid = { amount: 350, method: 'payment_link', reference: 'plink_1', allocations }
  const { data: reported } = await tenant.post(`${path}/payments`, paid)
  expect(reported).toMatchObject({ status: 'reported', method: 'payment_link', allocations: settled })
  const { data } = await landlord.post(`/payments/${reported.id}/confirm`)
  expect(data.allocations).toEqual(settled)

  const change = { allocations: [{ charge_id: next.charge_id, amount: 200 }] }
  const { data: moved } = await landlord.put(`/payments/${data.id}/allocations`, change)
  expect(moved.allocations).toEqual([{ charge_id: next.id, amount: 200 }])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('400: allocations name a foreign charge by its UUID or number, one twice, or no id', async () => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, path } = await createLease(server)
  const foreign = await createLease(server)
  const [{ id, charge_id }] = (await landlord.get('/charges')).data
  const [other] = (await foreign.landlord.get('/charges')).data
  const pay = async (...keys: unknown[]) => {
    const allocations = keys.map(key => ({ charge_id: key, amount: 1 }))
    const body = { amount: 100, method: 'upi', allocations }
    const { status, error } = await landlord.post(`${path}/payments`, body)
    return [status, error.reason, error.details[0].property]
  }
  for (const key of [other.charge_id, other.id])
    expect(await pay(key)).toEqual([400, 'allocation_of_unknown_charge', 'allocations.0.charge_id'])
  expect(await pay(id, charge_id)).toEqual([400, 'allocation_repeated', 'allocations'])
  expect(await pay('rent')).toEqual([400, 'invalid_fields', 'allocations.0.charge_id'])
})

test.each(['charges', 'payments'])('%s are listed by the number or UUID of a lease or unit', async noun => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, agreement, unit, path } = await createLease(server)
  await landlord.post(`${path}/payments`, { amount: 100, method: 'upi' })
  const count = async (query: string) => {
    const { status, body } = await landlord.get(`/${noun}?${query}`)
    return status === 200 ? body.metadata.total : status
  }
  expect(await count(`agreement_id=${agreement.id}`)).toBe(1)
  expect(await count(`agreement_id=${agreement.agreement_id}`)).toBe(1)
  expect(await count(`property_unit_id=${unit.id}`)).toBe(1)
  expect(await count(`property_unit_id=${unit.property_unit_id.toUpperCase()}`)).toBe(1)
  const unknown = crypto.randomUUID()
  expect(await count(`agreement_id=${unknown}`)).toBe(0)
  expect(await count(`property_unit_id=${unknown}&agreement_id=${agreement.id}`)).toBe(0)
  for (const wrong of ['0', '1.5', 'rent', '2147483648'])
    expect(await count(`agreement_id=${wrong}`)).toBe(400)
})

test.each([
  ['charges', 'charge_not_found', [['credits', { amount: 1, reason: 'waiver' }]]],
  [
    'payments',
    'payment_not_found',
    [
      ['confirm', {}],
      ['reject', {}],
      ['clear', {}],
      ['bounce', {}],
      ['reverse', { reason: 'x' }],
    ],
  ],
] as const)(
  '404: %s of others, that do not exist, or by no key are not found',
  async (noun, reason, steps) => {
    await using server = await startBooksServer('2026-12-15')
    const { landlord } = await createLease(server)
    const foreign = await createLease(server)
    await foreign.landlord.post(`${foreign.path}/payments`, { amount: 100, method: 'upi' })
    const [other] = (await foreign.landlord.get(`/${noun}`)).data
    for (const key of [other.id, other.charge_id ?? other.payment_id, crypto.randomUUID(), 999_999, 'rent']) {
      const path = `/${noun}/${key}`
      const answers = [await landlord.get(path)]
      for (const [step, body] of steps) answers.push(await landlord.post(`${path}/${step}`, body))
      for (const { status, error } of answers)
        expect([key, status, error?.reason]).toEqual([key, 404, reason])
    }
  },
)
