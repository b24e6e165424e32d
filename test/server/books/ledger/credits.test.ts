import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../../support/books/lease-fixture'

test('a credit of a paid charge frees what was paid last, and no more than it credits', async () => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, path } = await createLease(server)
  const [rent] = (await landlord.get('/charges')).data
  const pay = async (amount: number) =>
    (await landlord.post(`${path}/payments`, { amount, method: 'upi' })).data.id as number
  const payments = [await pay(9000), await pay(3000), await pay(1709.68)]
  const credit = async (amount: number) => {
    const { status } = await landlord.post(`/charges/${rent.id}/credits`, { amount, reason: 'waiver' })
    const freed = payments.map(async id => (await landlord.get(`/payments/${id}`)).data.unapplied_amount)
    return [status, await Promise.all(freed)]
  }
  expect(await credit(1000)).toEqual([201, [0, 0, 1000]])
  expect(await credit(1709.68)).toEqual([201, [0, 1000, 1709.68]])
  expect(await credit(11_000)).toEqual([201, [9000, 3000, 1709.68]])
  expect((await landlord.get(`/charges/${rent.id}`)).data).toMatchObject({
    status: 'credited',
    amount_paid: 0,
    amount_credited: 13_709.68,
  })
})
