import { expect, test } from 'bun:test'
import { createClient } from '../../sdk'
import { createBooks } from '../../sdk/books'
import { createStubServer, dataResponse } from './stub-server'

test('the books share the session and the options of their client', async () => {
  using server = createStubServer(dataResponse())
  const client = createClient({ baseUrl: server.url, token: 'first', language: 'hi' })
  const { charges, payments } = createBooks(client)

  await charges.get(1)
  client.token = 'second'
  await payments.get(1)

  const sent = server.requests.map(({ headers }) => [
    headers.get('authorization'),
    headers.get('accept-language'),
  ])
  expect(sent).toEqual([
    ['Bearer first', 'hi'],
    ['Bearer second', 'hi'],
  ])
})

test('a payment is recorded, moved and paid back at the addresses of the API', async () => {
  using server = createStubServer(dataResponse())
  const { payments } = createBooks(createClient({ baseUrl: server.url }))

  await payments.create(7, { amount: 25_000, method: 'upi' })
  await payments.allocate(12, { allocations: [{ charge_id: 31, amount: 5_000 }] })
  await payments.bounce(12, { charge_amount: 500 })
  await payments.refund(7, { amount: 1_000, method: 'cash' })

  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /agreements/7/payments',
    'PUT /payments/12/allocations',
    'POST /payments/12/bounce',
    'POST /agreements/7/refunds',
  ])
})
