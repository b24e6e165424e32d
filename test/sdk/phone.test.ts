import { expect, test } from 'bun:test'
import { createClient, toPhone } from '../../sdk'
import { createStubServer, dataResponse } from './stub-server'

test('a mobile number is accepted as people write it', async () => {
  using server = createStubServer(dataResponse({ access_token: 't', id: 1 }))
  const { auth, tenants } = createClient({ baseUrl: server.url })

  await auth.sendOtp('+91 98765 43210')
  await auth.verify('098765-43210', '123456')
  await tenants.create({ phone_number: '(+91) 98765.43210' })
  await auth.sendOtp('12 34')

  const phones = server.requests.map(({ body }) => (body as { phone_number: string }).phone_number)
  expect(phones).toEqual(['9876543210', '9876543210', '9876543210', '12 34'])
})

test('a password has the same hash whichever way its number is written', async () => {
  using server = createStubServer(dataResponse({ access_token: 't' }))
  const { auth } = createClient({ baseUrl: server.url })

  await auth.login('9876543210', 'correct horse')
  await auth.login('+91 98765 43210', 'correct horse')

  expect(server.requests[0]!.body).toEqual(server.requests[1]!.body)
})

test.each([
  ['+91 98765 43210', '9876543210'],
  ['919876543210', '9876543210'],
  ['09876543210', '9876543210'],
  ['6000000000', '6000000000'],
  ['5999999999', undefined],
  ['98765432100', undefined],
  ['12345', undefined],
  ['', undefined],
])('%p is the number %p', (text, phone) => {
  expect(toPhone(text)).toBe(phone!)
})
