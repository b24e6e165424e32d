import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../support/books/lease-fixture'

test('a payment settles on the day on which it was made; what is taken back ends on the day of that', async () => {
  await using server = await startBooksServer('2026-12-20')
  const { landlord, path } = await createLease(server)
  const payment = { amount: 13_709.68, method: 'upi', paid_on: '2026-12-16' }
  const { data } = await landlord.post(`${path}/payments`, payment)
  server.setDay('2026-12-22')
  await landlord.post(`/payments/${data.id}/reverse`, { reason: 'Entered by mistake' })

  const { data: exported } = await landlord.get('/auth/me/export')
  const { journals } = exported.agreements[0]
  expect(journals.slice(1).map(({ kind, effective_on }: any) => [kind, effective_on])).toEqual([
    ['payment', '2026-12-16'],
    ['allocation', '2026-12-16'],
    ['reversal', '2026-12-22'],
    ['reversal', '2026-12-22'],
  ])
})
