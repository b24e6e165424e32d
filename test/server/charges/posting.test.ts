import { expect, test } from 'bun:test'
import { signInUser } from '../../support/users'
import { booksServer, createLease } from './fixtures'

const { server, goTo } = booksServer()

test('activation posts what has begun, and the schedule shows the whole tenure', async () => {
  const { landlord, path, agreement } = await createLease(server, { deposit_amount: 100000 })
  const { data } = await landlord.get(`${path}/schedule`)
  expect(data.total_rent).toBe(275376.35)
  console.log(JSON.stringify(data.instalments.slice(0, 3)), (await landlord.get('/charges')).body)
  await goTo('2027-02-10')
  const again = await signInUser(server, landlord.phone)
  const charges = await again.get(`/charges?agreement_id=${agreement.id}`)
  console.log(charges.body)
  const paid = await again.post(`${path}/payments`, { amount: 30000, method: 'upi', reference: 'U1' })
  console.log(JSON.stringify(paid.body))
  const ended = await again.post(`${path}/terminate`, { termination_date: '2027-02-10' })
  console.log(ended.status, (await again.get(`/charges?agreement_id=${agreement.id}`)).body.data)
})
